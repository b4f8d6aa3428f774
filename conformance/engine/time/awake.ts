import diagnostics from 'node:diagnostics_channel'
import { thread } from './run-delay.ts'

/** How often the clock ticks, in milliseconds. */
const TICK_MS = 25
/** The most that counts between two ticks, in milliseconds: the rest is a stall. */
const MOST_MS = 2 * TICK_MS
/** How long the event loop gets after a stall to read what has arrived in the meantime, in milliseconds. */
const GRACE_MS = MOST_MS

let users = 0
let ticker: NodeJS.Timeout | undefined
let isHost = false
let tickedAt = 0
let stalledMs = 0
/** The last time that `awakeNow` returned: it never goes back, also when a time is excluded only afterwards. */
let latest = 0
/** As of the last tick, while a receiver runs in this process. */
let delayedMs = 0

/**
 * A monotonic clock in milliseconds that stands still while this process is stalled: while its event loop is blocked, or
 * an overloaded machine does not run it. What a receiver does in the meantime arrives late through no fault of its own.
 * Stalls are seen only while someone excludes them.
 */
export function awakeNow(): number {
  const now = performance.now()
  latest = Math.max(latest, now - stalledMs - stallUntil(now))
  return latest
}

/** Excludes a time that has just passed from `awakeNow`, in milliseconds. */
export function exclude(ms: number): void {
  stalledMs += ms
}

/**
 * Excludes this process's stalls from `awakeNow` until the returned function is called, which returns how long the process
 * has stalled, in milliseconds.
 *
 * A receiver that runs in this process, as in a test, blocks the same event loop: then a stall may be its fault, and
 * counts, except for the time in which this thread was ready to run and the machine was busy with others.
 */
export function excludeStalls(): () => number {
  if (users === 0) {
    isHost = false
    tickedAt = performance.now()
    ticker = setInterval(tick, TICK_MS).unref()
    diagnostics.subscribe('http.server.request.start', becomeHost)
  }
  users += 1
  const before = stalledSoFar()
  let stalled: number | undefined
  return () => {
    if (stalled !== undefined) return stalled
    stalled = stalledSoFar() - before
    tick()
    users -= 1
    if (users === 0) {
      clearInterval(ticker)
      ticker = undefined
      diagnostics.unsubscribe('http.server.request.start', becomeHost)
    }
    return stalled
  }
}

/** Measures a time in milliseconds, without the stalls of this process, and with them where they matter. */
export function stopwatch(): () => { readonly ms: number; readonly wallMs?: number } {
  const wall = performance.now()
  const awake = awakeNow()
  return () => {
    const ms = awakeNow() - awake
    const wallMs = performance.now() - wall
    return wallMs - ms < 1 ? { ms: wallMs } : { ms, wallMs }
  }
}

/**
 * Calls a function after a time during which this process was awake, and had the chance to read what arrived.
 *
 * @param ms in milliseconds
 * @returns cancels the call
 */
export function afterAwake(ms: number, call: () => void): () => void {
  const end = awakeNow() + ms
  let seen = stalledSoFar()
  let timer = setTimeout(expire, ms)
  function expire(): void {
    const left = end - awakeNow()
    const stalled = stalledSoFar()
    const rest = Math.max(left, stalled > seen ? GRACE_MS : 0)
    seen = stalled
    // A timer may fire a fraction of a millisecond early.
    if (rest < 1) call()
    else timer = setTimeout(expire, rest)
  }
  return () => clearTimeout(timer)
}

/** Waits for a time during which this process is awake, in milliseconds. */
export function pauseAwake(ms: number): Promise<void> {
  return new Promise((resolve) => afterAwake(ms, resolve))
}

function tick(): void {
  const now = performance.now()
  stalledMs += stallUntil(now)
  tickedAt = now
  if (isHost) delayedMs = thread.runDelayMs()
}

function becomeHost(): void {
  if (isHost) return
  tick()
  isHost = true
  delayedMs = thread.runDelayMs()
}

/** How long this process has stalled in all, in milliseconds, as far as anyone excluded it. */
export function stalledSoFar(): number {
  return stalledMs + stallUntil(performance.now())
}

/** How much of the time since the last tick is a stall. */
function stallUntil(now: number): number {
  const late = ticker === undefined ? 0 : Math.max(0, now - tickedAt - MOST_MS)
  return isHost && late > 0 ? Math.min(late, Math.max(0, thread.runDelayMs() - delayedMs)) : late
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Entry, type Inbox, LostAttemptError, ProcessingLockedError } from './inbox.ts'
import { readEvent } from './receive.ts'
import { guarded } from './shared/callback.ts'
import { inOneLine } from './shared/errors.ts'
import { logLine } from './shared/log-line.ts'
import { requirePositiveIntegers } from './shared/options.ts'
import { short } from './shared/short.ts'
import { within } from './shared/time.ts'
import type { WebhookEvent } from './webhook-event.ts'

/**
 * Your work for one event outside the database of the inbox. It may run again after a failure or a crash, so it must be
 * idempotent: pass `entry.idempotencyKey` to services that accept one. If it takes longer than `handleTimeoutMs`, the attempt
 * has failed, although nothing can stop the function itself: give each of its calls a time limit.
 */
export type Handle = (event: WebhookEvent, entry: Entry) => Promise<void> | void

/**
 * Your work for one event inside the transaction that marks the event as handled, so that its effect happens exactly once,
 * whatever fails. It must not do anything outside the transaction. Its result is awaited if the inbox supports that, for
 * `handleTimeoutMs` at most; then the transaction is rolled back.
 */
export type Transact<Transaction> = (event: WebhookEvent, entry: Entry, transaction: Transaction) => unknown

/** Pass `handle`, `transact`, or both; with both, `handle` runs first, and again if `transact` fails. */
export interface ProcessingOptions<Transaction = unknown> {
  inbox: Inbox<Transaction>
  handle?: Handle
  transact?: Transact<NoInfer<Transaction>>
  /** How many events may be handled at the same time. */
  concurrency?: number
  /** How long `handle` and `transact` may each take, in milliseconds; then the attempt has failed, and others have its place. */
  handleTimeoutMs?: number
  /** How often to check for entries that are due again or were requeued by hand, in milliseconds. */
  pollMs?: number
  /** How long `stop` waits, in milliseconds. */
  stopTimeoutMs?: number
  /**
   * Whether processing keeps the process running, which an open server does anyway. Set it in a program that only handles
   * events and opens no server.
   */
  keepAlive?: boolean
  /** The current Unix time in milliseconds. */
  clock?: () => number
  /** By default, logs each failed attempt in a line on standard error. What it throws is logged. */
  onOutcome?: (outcome: AttemptOutcome) => void
}

/** How often a persistent failure of the store is reported, in milliseconds; every poll meets it. */
const REPEAT_AFTER_MS = 60_000

/**
 * Whether this process handles events. `another_process` and `failing` are the reason why it cannot: the events of the
 * inbox are handled by another process, or the store rejected the last claim.
 */
export type ProcessingState = 'active' | 'another_process' | 'failing'

export interface Processing {
  /** As of the last claim, which is at most `pollMs` ago unless the store is slow. */
  readonly state: ProcessingState
  /** Signals that there may be new entries. */
  wake(): void
  /**
   * Handles the entries that are due, then stops. What is not finished within `timeoutMs` milliseconds, by default
   * `stopTimeoutMs`, stays for the next start.
   */
  stop(timeoutMs?: number): Promise<void>
}

/**
 * Handles the entries of the inbox until stopped, including those that an earlier process left unfinished. SPEC.md 6.
 * By itself it does not keep the process running (see `keepAlive`), so a test that imports your app ends. A Postgres pool
 * does, unless it has `allowExitOnIdle`.
 * @throws TypeError if both `handle` and `transact` are missing, or a number is not an integer of at least 1.
 */
export function startProcessing<Transaction>(options: ProcessingOptions<Transaction>): Processing {
  const { inbox, handle, transact, concurrency = 32, handleTimeoutMs = 60_000, pollMs = 500 } = options
  const { stopTimeoutMs = 10_000, keepAlive = false, clock = Date.now } = options
  const onOutcome = guarded('onOutcome', options.onOutcome ?? logFailure)
  requirePositiveIntegers({ concurrency, handleTimeoutMs, pollMs, stopTimeoutMs })
  if (typeof inbox?.claim !== 'function')
    throw new TypeError(
      'inbox: is missing, or was not awaited. Pass an inbox, such as await sqliteInbox({ path }).',
    )
  if (!handle && !transact) throw new TypeError('handle, transact: both are missing. Pass at least one.')
  const wakeUp = createSignal({ keepAlive })
  const inFlight = new Set<Promise<void>>()
  const timedOut = new AbortController()
  let stopping = false
  let state: ProcessingState = 'active'
  let needsRecovery = true
  let expiring: Promise<void> | undefined
  let lastReported: { cause: string; at: number } | undefined

  /** Reports a failure when it starts or changes, then once a minute, so that it does not flood the log. */
  function reportStoreFailure(error: unknown): void {
    const cause = inOneLine(error)
    const at = performance.now()
    if (lastReported?.cause === cause && at - lastReported.at < REPEAT_AFTER_MS) return
    lastReported = { cause, at }
    onOutcome({ outcome: isLockedOut(error) ? 'another_process' : 'store_failed', error })
  }

  async function work(entry: Entry): Promise<void> {
    // The service signed it, but its fields have not been validated: see WebhookEvent.
    const event = readEvent(entry.body).event as WebhookEvent
    await limited('handle', handle?.(event, entry))
    await (transact
      ? inbox.complete(entry, (transaction) => limited('transact', transact(event, entry, transaction)))
      : inbox.complete(entry))
  }

  /** Only a promise takes time. The result of a synchronous function is passed on, since SQLite refuses promises. */
  function limited(name: string, result: unknown): unknown {
    if (!isPromise(result)) return result
    const late = `${name}: did not end within ${handleTimeoutMs} ms. Give what it waits for a time limit, or raise handleTimeoutMs.`
    return within(handleTimeoutMs, result, late, keepAlive)
  }

  async function attempt(entry: Entry): Promise<AttemptOutcome> {
    try {
      await work(entry)
      return { outcome: 'handled', entry }
    } catch (error) {
      const after = await inbox.fail(entry, inOneLine(error))
      return after.state === 'dead'
        ? { outcome: 'dead', entry, error }
        : { outcome: 'retry', entry, error, dueAt: after.dueAt }
    }
  }

  function startAttempt(entry: Entry): void {
    const running = attempt(entry)
      .catch((error: unknown): AttemptOutcome => {
        if (error instanceof LostAttemptError) return { outcome: 'lost', entry }
        needsRecovery = true
        return { outcome: 'store_failed', error }
      })
      .then((result) =>
        result.outcome === 'store_failed' ? reportStoreFailure(result.error) : onOutcome(result),
      )
      .finally(() => {
        inFlight.delete(running)
        wakeUp.send()
      })
    inFlight.add(running)
  }

  function reportDead(entries: readonly Entry[]): void {
    for (const entry of entries) onOutcome({ outcome: 'dead', entry, error: new Error(entry.lastError) })
  }

  /** Not awaited by the loop, because it may wait for a lock. */
  function expireAbandoned(): void {
    if (stopping || inbox.expire === undefined) return
    expiring ??= inbox
      .expire()
      .then(reportDead)
      .catch(reportStoreFailure)
      .finally(() => {
        expiring = undefined
        if (stopping) wakeUp.send()
      })
  }

  async function claim(): Promise<Entry[]> {
    if (needsRecovery) {
      // Only when nothing is running, because recover would requeue the entries that are being handled.
      if (inFlight.size > 0) return []
      reportDead(await inbox.recover())
      needsRecovery = false
    }
    const free = concurrency - inFlight.size
    if (free <= 0) return []
    const entries = await inbox.claim(free, clock())
    state = 'active'
    lastReported = undefined
    return entries
  }

  async function run(): Promise<void> {
    while (!timedOut.signal.aborted) {
      const claimed = await claim().catch((error: unknown): Entry[] => {
        state = isLockedOut(error) ? 'another_process' : 'failing'
        reportStoreFailure(error)
        return []
      })
      claimed.forEach(startAttempt)
      expireAbandoned()
      if (stopping && inFlight.size === 0 && expiring === undefined) return
      await wakeUp.wait(pollMs)
      // Attempts that end together are replaced together, so that one transaction claims the next entries.
      await nextTurn()
    }
  }

  const loop = run()
  let stopped: Promise<void> | undefined

  return {
    get state() {
      return state
    },
    // In a later turn of the event loop, so that the acknowledgment is sent before the work starts.
    wake: () => void setImmediate(wakeUp.send),
    stop: (timeoutMs = stopTimeoutMs) => {
      stopping = true
      wakeUp.send()
      // What has not ended by then stays for the next start.
      stopped ??= within(timeoutMs, loop, 'processing did not end').catch(() => {
        timedOut.abort()
        wakeUp.send()
      })
      return stopped
    },
  }
}

/** A signal that also ends a wait that starts after it was sent. @param options whether a wait keeps the process running */
function createSignal({ keepAlive }: { keepAlive: boolean }): {
  send: () => void
  wait: (ms: number) => Promise<void>
} {
  let sent = false
  let endWait: (() => void) | undefined
  return {
    send() {
      sent = true
      endWait?.()
    },
    async wait(ms) {
      if (!sent) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          if (!keepAlive) timer.unref()
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      sent = false
    },
  }
}

const isPromise = (result: unknown): result is Promise<unknown> =>
  typeof (result as PromiseLike<unknown> | undefined)?.then === 'function'

const isLockedOut = (error: unknown): boolean => error instanceof ProcessingLockedError

/**
 * The outcome of one attempt, or a failure of the store. `retry` and `dead` carry the error that was thrown. `lost` is an
 * attempt whose entry another receiver took over; nothing was recorded for it. `another_process` means that another process
 * handles the events, which is normal while two processes have a SQLite file open. It and `store_failed` are reported when
 * they start, and again every minute while the cause stays the same.
 */
export type AttemptOutcome =
  | { outcome: 'handled' | 'lost'; entry: Entry }
  | { outcome: 'retry'; entry: Entry; error: unknown; dueAt: number }
  | { outcome: 'dead'; entry: Entry; error: unknown }
  | { outcome: 'store_failed'; error: unknown }
  | { outcome: 'another_process'; error: unknown }

/**
 * Logs a failure during processing in one line on standard error. It is the default when there is no `onOutcome`, so that
 * a retried or dead event does not go unnoticed. A line that cannot be written is lost. SPEC.md 11.
 */
export function logFailure(outcome: AttemptOutcome): void {
  if (outcome.outcome !== 'handled') logLine(`processing: ${lineOf(outcome)}`)
}

function lineOf(outcome: AttemptOutcome): string {
  if (outcome.outcome === 'store_failed') return `the store failed: ${inOneLine(outcome.error)}`
  if (outcome.outcome === 'another_process') return inOneLine(outcome.error)
  const { id, name, paymentId, attempts } = outcome.entry
  const attempt = `entry ${id}, ${quoted(name)} of ${quoted(paymentId)}, attempt ${attempts}`
  if (!('error' in outcome)) return `${attempt}: another receiver took over the entry`
  const next =
    outcome.outcome === 'dead' ? 'dead' : `next attempt at ${new Date(outcome.dueAt).toISOString()}`
  return `${attempt}: ${inOneLine(outcome.error)} (${next})`
}

/** Quoted, because a sender chose the text. */
const quoted = (text: string): string => JSON.stringify(short(text))

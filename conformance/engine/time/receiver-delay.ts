import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { portOf } from '../process/port.ts'
import { isOnThisMachine } from '../target.ts'
import { exclude, stalledSoFar } from './awake.ts'

/** When to begin: a short run does not pay for the search, in milliseconds. */
const AFTER_MS = 500
/** How often to look, in milliseconds. */
const EVERY_MS = 200
/** The state of a socket that listens, in /proc/net/tcp. */
const LISTENS = '0A'
/** More than Linux hands out at once. */
const PIECE_BYTES = 64 * 1024

/** How long a thread has run and has waited for a CPU, in milliseconds since it started. */
interface ThreadTimes {
  readonly ranMs: number
  readonly waitedMs: number
}

/** By thread. */
type Times = ReadonlyMap<string, ThreadTimes>

/**
 * Excludes from `awakeNow` the time in which a receiver on this machine wanted to run and got no CPU, because the machine was busy
 * with others: that is not its fault. A receiver on another machine, of another user, or on another system than Linux is
 * not excluded.
 *
 * @param url the receiver listens there
 * @returns ends it
 */
export function excludeReceiverDelay(url: URL): () => void {
  if (!isOnThisMachine(url)) return () => undefined
  let timer = setTimeout(begin, AFTER_MS).unref()
  function begin(): void {
    // What shares this process shares its stalls, which `excludeStalls` sees.
    const others = listenersAt(portOf(url)).filter((pid) => pid !== process.pid)
    if (others.length === 0) return
    const look = () => ({ at: performance.now(), stalledMs: stalledSoFar(), times: timesOf(others) })
    let last = look()
    timer = setInterval(() => {
      const now = look()
      const ownMs = now.stalledMs - last.stalledMs
      exclude(Math.max(0, withoutCpu(last.times, now.times, now.at - last.at) - ownMs))
      last = look()
    }, EVERY_MS).unref()
  }
  return () => clearTimeout(timer)
}

/** How long a program wanted to run and did not, in milliseconds: while one of its threads runs, the others wait for their own. */
export function withoutCpu(before: Times, after: Times, elapsedMs: number): number {
  let ranMs = 0
  let waitedMs = 0
  for (const [thread, times] of after) {
    const { ranMs: ranBefore = 0, waitedMs: waitedBefore = 0 } = before.get(thread) ?? {}
    ranMs += times.ranMs - ranBefore
    waitedMs = Math.max(waitedMs, times.waitedMs - waitedBefore)
  }
  return Math.max(0, Math.min(waitedMs, elapsedMs - ranMs))
}

/** The processes that listen at a port, as far as this user may know. */
export function listenersAt(port: number): number[] {
  const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => socketsIn(`/proc/net/${table}`, port)))
  if (sockets.size === 0) return []
  const ofProcess = (pid: string | number) =>
    namesIn(`/proc/${pid}/fd`)
      .map((fd) => linkOf(`/proc/${pid}/fd/${fd}`))
      .filter((link) => sockets.has(link))
  // A test often serves its receiver itself: then no other process need be searched.
  if (new Set(ofProcess(process.pid)).size === sockets.size) return [process.pid]
  return namesIn('/proc')
    .filter((name) => /^\d+$/.test(name) && ofProcess(name).length > 0)
    .map(Number)
}

/** The sockets that listen at a port, as the descriptors of their processes name them. */
function socketsIn(table: string, port: number): string[] {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const among = (text: string) =>
    rowsOf(text)
      .filter(([, local = '', , state]) => local.endsWith(wanted) && state === LISTENS)
      .map((fields) => `socket:[${fields[9]}]`)
  const first = among(orElse(() => beginningOf(table), ''))
  return first.length > 0 ? first : among(textOf(table))
}

const rowsOf = (table: string): string[][] => table.split('\n').map((line) => line.trim().split(/\s+/))

/**
 * A table as far as the first socket that does not listen: Linux writes those that do first, and behind them connections of
 * the last minute, of which a busy machine has tens of thousands.
 */
function beginningOf(table: string): string {
  const file = openSync(table, 'r')
  try {
    const piece = Buffer.alloc(PIECE_BYTES)
    let text = ''
    for (;;) {
      const length = readSync(file, piece)
      text += piece.toString('latin1', 0, length)
      const complete = text.slice(0, text.lastIndexOf('\n'))
      const [, ...rows] = rowsOf(complete)
      if (length === 0 || rows.some(([, , , state]) => state !== LISTENS)) return complete
    }
  } finally {
    closeSync(file)
  }
}

function timesOf(pids: readonly number[]): Times {
  const threads = pids.flatMap((pid) =>
    namesIn(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  )
  return new Map(
    threads.flatMap((file) => {
      const [ranNs = Number.NaN, waitedNs = Number.NaN] = textOf(file).split(' ').map(Number)
      return Number.isFinite(waitedNs) ? [[file, { ranMs: ranNs / 1e6, waitedMs: waitedNs / 1e6 }]] : []
    }),
  )
}

// A process may end at any moment, belong to another user, or be on a system without these files.
const namesIn = (folder: string): string[] => orElse(() => readdirSync(folder), [])
const linkOf = (path: string): string => orElse(() => readlinkSync(path), '')
const textOf = (file: string): string => orElse(() => readFileSync(file, 'utf8'), '')

function orElse<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

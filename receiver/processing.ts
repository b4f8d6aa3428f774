import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AttemptOutcome } from './attempt-outcome.ts'
import { inOneLine } from './errors.ts'
import { type Entry, type Inbox, LostAttemptError } from './inbox.ts'
import { logFailure } from './log-failure.ts'
import { requireWhole } from './options.ts'
import { readEvent, type WebhookEvent } from './verify.ts'

/**
 * Your own work for one event outside the inbox's database. It may run again after a failure or a crash, so it must be
 * idempotent: hand `entry.idempotencyKey` on to whoever takes one. And it must end.
 */
export type Handle = (event: WebhookEvent, entry: Entry) => Promise<void> | void

/**
 * Your own work for one event inside the transaction that records that the event was handled: its effect is there once,
 * whatever fails. It does nothing outside that transaction. What it returns is awaited, where the inbox allows that.
 */
export type Transact<Transaction> = (event: WebhookEvent, entry: Entry, transaction: Transaction) => unknown

/** Give `handle`, `transact`, or both: `handle` then runs first, and again if `transact` fails. */
export interface ProcessingOptions<Transaction = unknown> {
  inbox: Inbox<Transaction>
  handle?: Handle
  transact?: Transact<NoInfer<Transaction>>
  /** How many events may be handled at once. */
  concurrency?: number
  /** How often, in milliseconds, to look for entries that nobody announced: those due again, or requeued by hand. */
  pollMs?: number
  /** How long `stop` waits, in milliseconds. */
  stopWithinMs?: number
  /** Now, in milliseconds. */
  clock?: () => number
  /** By default a line on standard error for each attempt that failed. */
  onOutcome?: (outcome: AttemptOutcome) => void
}

/** How soon the same failure of the store is told again, in milliseconds: it is met at every look. */
const TOLD_AGAIN_MS = 60_000

export interface Processing {
  /** Says that there may be something to do. */
  wake(): void
  /** Handles what is due, then ends; what is not done within `stopWithinMs` stays in the inbox for the next start. */
  stop(): Promise<void>
}

/**
 * Handles what the inbox holds, from now until stopped, and whatever an earlier process left behind. SPEC.md 6.
 * @throws TypeError if there is nothing to do for an event, or one of the numbers is no whole number above 0.
 */
export function startProcessing<Transaction>(options: ProcessingOptions<Transaction>): Processing {
  const { inbox, handle, transact, concurrency = 32, pollMs = 500 } = options
  const { stopWithinMs = 10_000, clock = Date.now, onOutcome = logFailure } = options
  requireWhole({ concurrency, pollMs, stopWithinMs })
  if (!handle && !transact) throw new TypeError('handle, transact: both are missing. Give at least one.')
  const bell = createBell()
  const inFlight = new Set<Promise<void>>()
  const outOfTime = new AbortController()
  let stopping = false
  let leftovers = true
  let toldLast: { cause: string; at: number } | undefined

  /** When it begins or changes, then once a minute: whoever reads the log shall find it, and the rest of the log too. */
  function tellStoreFailed(error: unknown): void {
    const cause = inOneLine(error)
    const at = performance.now()
    if (toldLast?.cause === cause && at - toldLast.at < TOLD_AGAIN_MS) return
    toldLast = { cause, at }
    onOutcome({ outcome: 'store_failed', error })
  }

  async function work(entry: Entry): Promise<void> {
    const { event } = readEvent(entry.body)
    await handle?.(event, entry)
    await (transact
      ? inbox.complete(entry, (transaction) => transact(event, entry, transaction))
      : inbox.complete(entry))
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

  function begin(entry: Entry): void {
    const attempted = attempt(entry)
      .catch((error: unknown): AttemptOutcome => {
        if (error instanceof LostAttemptError) return { outcome: 'lost', entry }
        leftovers = true
        return { outcome: 'store_failed', error }
      })
      .then((told) => (told.outcome === 'store_failed' ? tellStoreFailed(told.error) : onOutcome(told)))
      .finally(() => {
        inFlight.delete(attempted)
        bell.ring()
      })
    inFlight.add(attempted)
  }

  async function claim(): Promise<Entry[]> {
    if (leftovers) {
      // Only when nothing runs, since the entries being handled must stay in processing.
      if (inFlight.size > 0) return []
      for (const entry of await inbox.recover()) {
        onOutcome({ outcome: 'dead', entry, error: new Error(entry.lastError) })
      }
      leftovers = false
    }
    const free = concurrency - inFlight.size
    if (free <= 0) return []
    const entries = await inbox.claim(free, clock())
    toldLast = undefined
    return entries
  }

  async function run(): Promise<void> {
    while (!outOfTime.signal.aborted) {
      const claimed = await claim().catch((error: unknown): Entry[] => {
        tellStoreFailed(error)
        return []
      })
      claimed.forEach(begin)
      if (stopping && inFlight.size === 0) return
      await bell.wait(pollMs)
      // Attempts that end together are replaced together: what they claim then shares one transaction.
      await nextTurn()
    }
  }

  const running = run()
  let stopped: Promise<void> | undefined

  return {
    // In a later turn of the event loop, so that the acknowledgement is on the wire before the work begins.
    wake: () => void setImmediate(bell.ring),
    stop: () => {
      stopping = true
      bell.ring()
      stopped ??= within(stopWithinMs, running).finally(() => {
        outOfTime.abort()
        bell.ring()
      })
      return stopped
    },
  }
}

/** Resolves when the work is done or the time is up, whichever comes first. */
async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeUp = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, timeUp])
  clearTimeout(timer)
}

/** A bell that is also heard by those who begin to wait after it rang. */
function createBell(): { ring: () => void; wait: (ms: number) => Promise<void> } {
  let rung = false
  let awaken: (() => void) | undefined
  return {
    ring() {
      rung = true
      awaken?.()
    },
    async wait(ms) {
      if (!rung) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          awaken = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rung = false
    },
  }
}

import { inOneLine } from './errors.ts'
import type { Entry, Inbox } from './inbox.ts'
import { requireWhole } from './options.ts'
import { readEvent, type WebhookEvent } from './verify.ts'

/** Your own work for one event. It may run again after a failure or a crash, so it must be idempotent; and it must end. */
export type Handle = (event: WebhookEvent, entry: Entry) => Promise<void> | void

/** What became of one attempt, or of the store. `retry` and `dead` carry what the handler threw. */
export type AttemptOutcome =
  | { outcome: 'handled'; entry: Entry }
  | { outcome: 'retry'; entry: Entry; error: unknown; dueAt: number }
  | { outcome: 'dead'; entry: Entry; error: unknown }
  | { outcome: 'store_failed'; error: unknown }

export interface ProcessingOptions {
  inbox: Inbox
  handle: Handle
  /** Milliseconds to wait after the nth failed attempt. */
  backoff?: (attempt: number) => number
  /** After so many attempts an entry is dead, until a person retries it. */
  maxAttempts?: number
  /** How many events may be handled at once. */
  concurrency?: number
  /** How often, in milliseconds, to look for entries that nobody announced: those due again, or requeued by hand. */
  pollMs?: number
  /** How long `stop` waits, in milliseconds. */
  stopWithinMs?: number
  /** Now, in milliseconds. */
  clock?: () => number
  onOutcome?: (outcome: AttemptOutcome) => void
}

export interface Processing {
  /** Says that there may be something to do. */
  wake(): void
  /** Handles what is due, then ends; what is not done within `stopWithinMs` stays in the inbox for the next start. */
  stop(): Promise<void>
}

const HOUR_MS = 3_600_000

/** One second, doubled with each attempt, an hour at the most: twelve attempts are spread over half an hour. */
const doubling = (attempt: number): number => Math.min(1000 * 2 ** (attempt - 1), HOUR_MS)

/**
 * Handles what the inbox holds, from now until stopped, and whatever an earlier process left behind. SPEC.md 6.
 * @throws TypeError if one of the numbers is no whole number above 0.
 */
export function startProcessing(options: ProcessingOptions): Processing {
  const { inbox, handle, backoff = doubling, maxAttempts = 12, concurrency = 8, pollMs = 500 } = options
  const { stopWithinMs = 10_000, clock = Date.now, onOutcome = () => {} } = options
  requireWhole({ maxAttempts, concurrency, pollMs, stopWithinMs })
  const bell = createBell()
  const inFlight = new Set<Promise<void>>()
  const outOfTime = new AbortController()
  let stopping = false
  let leftovers = true

  async function attempt(entry: Entry): Promise<void> {
    try {
      // An attempt more than allowed means that the last one never ended: it took the whole process with it.
      if (entry.attempts > maxAttempts) throw new Error('The process ended during the last attempt.')
      await handle(readEvent(entry.body).event, entry)
    } catch (error) {
      const text = inOneLine(error)
      if (entry.attempts >= maxAttempts) {
        await inbox.giveUp(entry.id, text)
        onOutcome({ outcome: 'dead', entry, error })
      } else {
        const dueAt = clock() + backoff(entry.attempts)
        await inbox.retryLater(entry.id, dueAt, text)
        onOutcome({ outcome: 'retry', entry, error, dueAt })
      }
      return
    }
    await inbox.complete(entry.id)
    onOutcome({ outcome: 'handled', entry })
  }

  function begin(entry: Entry): void {
    const work = attempt(entry)
      .catch((error: unknown) => {
        leftovers = true
        onOutcome({ outcome: 'store_failed', error })
      })
      .finally(() => {
        inFlight.delete(work)
        bell.ring()
      })
    inFlight.add(work)
  }

  async function claim(): Promise<Entry[]> {
    if (leftovers) {
      // Only when nothing runs, since the entries being handled must stay in processing.
      if (inFlight.size > 0) return []
      await inbox.recover()
      leftovers = false
    }
    const free = concurrency - inFlight.size
    return free > 0 ? inbox.claim(free, clock()) : []
  }

  async function run(): Promise<void> {
    while (!outOfTime.signal.aborted) {
      const claimed = await claim().catch((error: unknown): Entry[] => {
        onOutcome({ outcome: 'store_failed', error })
        return []
      })
      claimed.forEach(begin)
      if (stopping && inFlight.size === 0) return
      await bell.wait(pollMs)
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

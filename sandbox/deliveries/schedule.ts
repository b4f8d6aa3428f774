import type { Attempt } from '../model.ts'
import type { Settlement } from '../store/deliveries.ts'
import type { Exchange } from './sender.ts'

const HOUR_MS = 3_600_000

/** The waits after the first, second, … failed attempt, in milliseconds. When they are used up, the delivery has failed. */
export const SCHEDULES = {
  fast: [1000, 5000, 15_000, 60_000, 300_000],
  realistic: [5000, 300_000, 1_800_000, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS],
} as const satisfies Record<string, readonly number[]>

export type ScheduleName = keyof typeof SCHEDULES

/** The random share added to or subtracted from a wait, so that deliveries that failed together are not retried together. */
const JITTER = 0.2
/** The longest wait that a receiver can request, in milliseconds. */
const LONGEST_RETRY_AFTER = 24 * HOUR_MS

/**
 * How long to wait before the next attempt: a convention of the sandbox, since interface 6 rule 3 leaves it open. The
 * receiver's Retry-After makes a wait longer, up to 24 hours, and never shorter: otherwise `Retry-After: 0` would flood
 * the receiver.
 * @param waits one of {@link SCHEDULES}, or other waits in milliseconds
 * @param attempt failures: how many attempts have failed, including this one; retryAfterMs: from the receiver's header;
 * random: random numbers from 0 to 1
 * @returns milliseconds; undefined after the last wait
 */
export function waitAfter(
  waits: readonly number[],
  {
    failures,
    retryAfterMs = 0,
    random,
  }: { failures: number; retryAfterMs?: number | undefined; random: () => number },
): number | undefined {
  const wait = waits[failures - 1]
  if (wait === undefined) return undefined
  const jittered = wait * (1 - JITTER + 2 * JITTER * random())
  return Math.round(Math.max(jittered, Math.min(retryAfterMs, LONGEST_RETRY_AFTER)))
}

// IMF-fixdate, RFC 9110 5.6.7. Date.parse alone accepts far too much.
const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * Parses the Retry-After header (RFC 9110 10.2.3): whole seconds or an HTTP date.
 * @param value the header value
 * @param now real time in milliseconds, since a receiver does not know the sandbox's clock
 * @returns the wait in milliseconds, 0 for a date in the past; undefined for any other value
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1000
  if (!HTTP_DATE.test(text)) return undefined
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** Which responses acknowledge a delivery: `2xx` accepts every 2xx and flags those that are not 200; `strict` accepts 200 only. */
export type Ack = '2xx' | 'strict'

interface Circumstances {
  readonly exchange: Exchange
  readonly ack: Ack
  readonly failures: number
  readonly schedule: readonly number[]
  readonly random: () => number
  /** Why the sandbox aborted the attempt, if it did. */
  readonly aborted: 'cancelled' | 'interrupted' | undefined
  readonly now: number
  readonly wall: number
}

/**
 * The state of a delivery after an attempt (interface 4.8 and 6 rule 5): 200 acknowledges it. The interface leaves other
 * responses open; by convention another 2xx acknowledges too, and everything else is retried.
 */
export function settlementOf(circumstances: Circumstances): Settlement {
  const { exchange, ack, failures, schedule, random, aborted, now, wall } = circumstances
  const { response } = exchange
  const { status = 0 } = response ?? {}
  if (status === 200 || (ack === '2xx' && status >= 200 && status < 300)) {
    return { state: 'delivered', flagged: status !== 200 }
  }
  if (aborted === 'cancelled') return { state: 'cancelled' }
  // Not the receiver's failure, so it does not count in the schedule.
  if (aborted === 'interrupted' && response === undefined) return { state: 'pending', nextAttemptAt: now }
  const requested = retryAfterMs(headerOf(exchange, 'retry-after'), wall)
  const wait = waitAfter(schedule, { failures: failures + 1, retryAfterMs: requested, random })
  return wait === undefined ? { state: 'failed' } : { state: 'pending', nextAttemptAt: now + wait }
}

export function attemptOf(
  { sent, durationMs, response, failure }: Exchange,
  { deliveryId, number, startedAt }: Pick<Attempt, 'deliveryId' | 'number' | 'startedAt'>,
): Attempt {
  const note = response?.truncated === true ? 'the response was longer than the 64 KiB that are stored' : null
  return {
    deliveryId,
    number,
    startedAt,
    durationMs,
    status: response?.status ?? null,
    error: failure?.error ?? null,
    detail: failure?.detail ?? note,
    requestHeaders: sent,
    responseHeaders: response?.headers ?? null,
    responseBody: response?.body ?? null,
  }
}

function headerOf({ response }: Exchange, name: string): string | undefined {
  const found = Object.entries(response?.headers ?? {}).find(([own]) => own.toLowerCase() === name)
  return [found?.[1]].flat()[0]
}

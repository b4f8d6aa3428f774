import type { Attempt } from '../../model.ts'
import type { Settlement } from '../../store/outbox.ts'
import type { Exchange } from '../attempt/sender.ts'
import { retryAfterMs } from './retry-after.ts'
import { waitAfter } from './schedule.ts'

/** Which responses acknowledge a delivery: `2xx` accepts every 2xx and flags those that are not 200; `strict` accepts 200 only. */
export type Ack = '2xx' | 'strict'

/** What determines the next state of a delivery. */
export interface Circumstances {
  readonly exchange: Exchange
  readonly ack: Ack
  /** How many attempts failed before this one. */
  readonly failures: number
  /** The waits between attempts, in milliseconds. */
  readonly waits: readonly number[]
  readonly random: () => number
  /** Why the sandbox aborted the attempt, if it did. */
  readonly aborted: 'cancelled' | 'interrupted' | undefined
  /** The sandbox's time, in milliseconds. */
  readonly now: number
  /** Real time, in milliseconds. */
  readonly wall: number
}

/**
 * The state of a delivery after an attempt (interface 4.8 and 6 rule 5): 200 acknowledges it. The interface leaves other
 * responses open; by convention another 2xx acknowledges too, and everything else is retried.
 */
export function settlementOf(circumstances: Circumstances): Settlement {
  const { exchange, ack, failures, waits, random, aborted, now, wall } = circumstances
  const { response } = exchange
  const { status = 0 } = response ?? {}
  if (status === 200 || (ack === '2xx' && status >= 200 && status < 300)) {
    return { state: 'delivered', flagged: status !== 200 }
  }
  if (aborted === 'cancelled') return { state: 'cancelled' }
  // Not the receiver's failure, so it does not count in the schedule.
  if (aborted === 'interrupted' && response === undefined) return { state: 'pending', nextAttemptAt: now }
  const requested = retryAfterMs(headerOf(exchange, 'retry-after'), wall)
  const wait = waitAfter(waits, { failures: failures + 1, retryAfterMs: requested, random })
  return wait === undefined ? { state: 'failed' } : { state: 'pending', nextAttemptAt: now + wait }
}

/** The record of an attempt. */
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

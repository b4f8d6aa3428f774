import type { Attempt } from '../../model.ts'
import type { Settlement } from '../../store/outbox.ts'
import type { Exchange } from '../attempt/sender.ts'
import { retryAfterMs } from './retry-after.ts'
import { waitAfter } from './schedule.ts'

/** Which answers acknowledge a delivery: `2xx` takes them all and flags those that are not 200, `strict` takes 200. */
export type Ack = '2xx' | 'strict'

/** What decides what becomes of a delivery. */
export interface Circumstances {
  readonly exchange: Exchange
  readonly ack: Ack
  /** How many attempts had failed before this one. */
  readonly failures: number
  /** The schedule, in milliseconds. */
  readonly waits: readonly number[]
  readonly random: () => number
  /** Why we broke the attempt off, if we did. */
  readonly broken: 'cancelled' | 'interrupted' | undefined
  /** By the sandbox's clock, in milliseconds. */
  readonly now: number
  /** By the clock of the wall. */
  readonly wall: number
}

/**
 * What a delivery comes to after an attempt (interface 4.8 and 6.5): 200 acknowledges it. What another answer does the
 * interface leaves open; the convention is that another 2xx acknowledges too and everything else is tried again.
 */
export function settlementOf(circumstances: Circumstances): Settlement {
  const { exchange, ack, failures, waits, random, broken, now, wall } = circumstances
  const { answer } = exchange
  const { status = 0 } = answer ?? {}
  if (status === 200 || (ack === '2xx' && status >= 200 && status < 300)) {
    return { state: 'delivered', flagged: status !== 200 }
  }
  if (broken === 'cancelled') return { state: 'cancelled' }
  // Not the receiver's failure, and so no step of the schedule.
  if (broken === 'interrupted' && answer === undefined) return { state: 'pending', nextAttemptAt: now }
  const asked = retryAfterMs(headerOf(exchange, 'retry-after'), wall)
  const wait = waitAfter(waits, { failures: failures + 1, retryAfterMs: asked, random })
  return wait === undefined ? { state: 'failed' } : { state: 'pending', nextAttemptAt: now + wait }
}

/** The record of an attempt. */
export function attemptOf(
  { sent, durationMs, answer, failure }: Exchange,
  { deliveryId, number, startedAt }: Pick<Attempt, 'deliveryId' | 'number' | 'startedAt'>,
): Attempt {
  const cut = answer?.cut === true ? 'the answer was longer than the 64 KiB that are kept' : null
  return {
    deliveryId,
    number,
    startedAt,
    durationMs,
    status: answer?.status ?? null,
    error: failure?.error ?? null,
    detail: failure?.detail ?? cut,
    requestHeaders: sent,
    responseHeaders: answer?.headers ?? null,
    responseBody: answer?.body ?? null,
  }
}

function headerOf({ answer }: Exchange, name: string): string | undefined {
  const found = Object.entries(answer?.headers ?? {}).find(([own]) => own.toLowerCase() === name)
  return [found?.[1]].flat()[0]
}

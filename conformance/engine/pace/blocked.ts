import { EngineError } from '../errors.ts'
import { type Answer, type Exchange, isAcknowledged } from '../exchange.ts'

/** So many valid deliveries in a row with the same answer are a reason to look closer. */
const SUSPICIOUS = 8
/** At the end of a run, so many are. */
const SUSPICIOUS_AT_END = 3

/** Watches for a rate limiter or a ban list in front of the receiver: then the verdicts would be about that. */
export interface BlockWatch {
  /** Notes the result of a delivery. @returns whether `confirms` should be asked before more is sent */
  readonly saw: (exchange: Exchange) => boolean
  /** Whether the receiver has accepted a valid delivery in this run. */
  readonly hasAccepted: () => boolean
  /** Whether the last valid deliveries of the run all got such an answer. */
  readonly isSuspicious: () => boolean
  /**
   * Judges by one more valid delivery, sent while nothing else is in flight: a receiver that refuses some deliveries, or
   * some at the same time, accepts it.
   *
   * @returns the error that ends the run, or undefined when the delivery was accepted
   */
  readonly confirms: (exchange: Exchange, url: string) => EngineError | undefined
}

export function createBlockWatch(): BlockWatch {
  let deliveries = 0
  let hasAccepted = false
  let status: number | undefined
  let since = 0
  let times = 0
  const forget = (): void => {
    status = undefined
    times = 0
  }
  return {
    saw({ delivery, answer, unanswered }) {
      deliveries += 1
      if (delivery.change !== undefined || unanswered === true || answer === undefined) return false
      if (isAcknowledged({ delivery, answer })) hasAccepted = true
      if (!hasAccepted || !isClosed(answer)) {
        forget()
        return false
      }
      if (answer.status !== status) {
        forget()
        status = answer.status
        since = deliveries
      }
      times += 1
      return times === SUSPICIOUS
    },
    hasAccepted: () => hasAccepted,
    isSuspicious: () => times >= SUSPICIOUS_AT_END,
    confirms({ answer }, url) {
      const same = answer !== undefined && answer.status === status && isClosed(answer)
      if (!same) {
        forget()
        return undefined
      }
      const code = CODES.get(answer.status) ?? 'rate_limited'
      return new EngineError({ code, url, answer, after: since - 1 })
    },
  }
}

/** 503 is also what a receiver answers whose store has failed, with Retry-After too. */
const CODES: ReadonlyMap<number, 'blocked' | 'unavailable'> = new Map([
  [403, 'blocked'],
  [503, 'unavailable'],
])

/** What a receiver answers that has locked itself, from anyone. */
const LOCKED = 423

/** Whether this is the answer of a rate limiter or of a ban list: it says nothing about the delivery. */
export function turnsAway({ status, headers }: Answer): boolean {
  const hasRetryAfter = headers.some(([name]) => name.toLowerCase() === 'retry-after')
  return status === 429 || status === 403 || (status === 503 && hasRetryAfter)
}

/** Whether this is the answer of a receiver that lets nobody in, or not this client. */
export const isClosed = (answer: Answer): boolean => answer.status === LOCKED || turnsAway(answer)

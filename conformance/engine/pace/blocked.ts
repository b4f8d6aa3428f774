import { HarnessError } from '../errors.ts'
import type { Answer, Exchange } from '../exchange.ts'

/** So many valid deliveries in a row with the same answer are a reason to look closer. */
const SUSPICIOUS = 8
/** At the end of a run, so many are. */
const SUSPICIOUS_AT_END = 3

/** Watches for a rate limiter or a ban list in front of the receiver: then the verdicts would be about that. */
export interface BlockWatch {
  /** Notes the result of a delivery. @returns whether `confirms` should be asked before more is sent */
  readonly saw: (exchange: Exchange) => boolean
  /** Whether the last valid deliveries of the run all got such an answer. */
  readonly isSuspicious: () => boolean
  /**
   * Judges by one more valid delivery, sent while nothing else is in flight: a receiver that refuses some deliveries, or
   * some at the same time, accepts it.
   *
   * @returns the error that ends the run, or undefined when the delivery was accepted
   */
  readonly confirms: (exchange: Exchange, url: string) => HarnessError | undefined
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
      if (answer.status === 200) hasAccepted = true
      if (!hasAccepted || !turnsAway(answer)) {
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
    isSuspicious: () => times >= SUSPICIOUS_AT_END,
    confirms({ answer }, url) {
      const same = answer !== undefined && answer.status === status && turnsAway(answer)
      if (!same) {
        forget()
        return undefined
      }
      return errorOf(answer.status, since - 1, url)
    },
  }
}

function errorOf(status: number, after: number, url: string): HarnessError {
  const names = ['rate']
  const answers = `${url} answers ${status} to every valid delivery, after ${after} deliveries in which it accepted valid ones`
  return status === 403
    ? new HarnessError(
        'blocked',
        `${answers}: it blocks this machine, probably because of the invalid ones; exempt this machine from the ban list, or send slower with "rate"`,
        { names },
      )
    : new HarnessError(
        'rate_limited',
        `${answers}: it limits the rate; send slower with "rate", for example 10 deliveries a second, or raise the limit`,
        { names },
      )
}

/** Whether this is the answer of a rate limiter or of a ban list: it says nothing about the delivery. */
export function turnsAway({ status, headers }: Answer): boolean {
  const hasRetryAfter = headers.some(([name]) => name.toLowerCase() === 'retry-after')
  return status === 429 || status === 403 || (status === 503 && hasRetryAfter)
}

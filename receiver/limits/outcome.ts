import type { DeliveryOutcome } from '../receive.ts'
import { guarded } from '../shared/callback.ts'
import { inOneLine } from '../shared/errors.ts'
import type { WebhookError } from '../verify.ts'

/** Called with the outcome of each delivery. What it throws is logged and does not change the answer. */
export type OnOutcome = (outcome: DeliveryOutcome) => void

export interface OutcomeOptions {
  /** Called with each delivery, when its answer is known: log it, and wake the processing. What it throws is logged. */
  onOutcome?: OnOutcome
  /**
   * Called with each refusal that is the fault of this receiver (status 5xx), for example because the store failed; its `cause`
   * says why. By default it is logged in a line on standard error, each code at most once a minute. What it throws is logged.
   */
  onFailure?: (error: WebhookError) => void
}

/** How often the same failure is logged, in milliseconds: every delivery may meet it. */
const REPEAT_AFTER_MS = 60_000

/**
 * Makes the callbacks safe to call: when one fails, the delivery may already be stored, so the sender must still get its
 * answer.
 * @param log writes a line for people, after the name hookproof
 */
export function guardOutcome(
  options: OutcomeOptions,
  log: (line: string) => void,
): (outcome: DeliveryOutcome) => void {
  const onOutcome = guarded('onOutcome', options.onOutcome ?? (() => {}), log)
  const onFailure = guarded('onFailure', options.onFailure ?? failureLog(log), log)
  return (outcome) => {
    if (outcome.status >= 500 && outcome.outcome === 'refused') onFailure(outcome.error)
    onOutcome(outcome)
  }
}

function failureLog(log: (line: string) => void): (error: WebhookError) => void {
  const loggedAt = new Map<string, number>()
  return ({ code, status, message, cause }) => {
    const now = performance.now()
    if (now - (loggedAt.get(code) ?? Number.NEGATIVE_INFINITY) < REPEAT_AFTER_MS) return
    loggedAt.set(code, now)
    log(`a delivery got ${status} ${code}: ${cause === undefined ? message : inOneLine(cause)}`)
  }
}

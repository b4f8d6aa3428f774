import type { Logger } from 'pino'
import type { AttemptOutcome } from '../receiver/attempt-outcome.ts'
import { inOneLine } from '../receiver/errors.ts'
import type { DeliveryOutcome } from '../receiver/handler.ts'
import { short } from '../receiver/short.ts'
import type { ReloadOutcome } from './secrets.ts'

/**
 * One line for each delivery: what became of it, and which payment it was. Never the body, the signature header or a
 * secret, and no stack, so that the log can be shown to anyone who may see payment ids. SPEC.md 11.
 */
export function logDelivery(log: Logger, told: DeliveryOutcome): void {
  const { outcome, status } = told
  if (told.outcome !== 'refused') {
    const { paymentId, name } = told.delivery
    log.info({ outcome, status, payment_id: short(paymentId), event: short(name) }, 'delivery')
    return
  }
  const line = { outcome, status, code: told.error.code }
  if (status < 500) log.warn(line, 'delivery')
  // It does what it is meant to, and there will be many.
  else if (told.error.code === 'overloaded')
    log.warn({ ...line, cause: inOneLine(told.error.cause) }, 'delivery')
  else log.error({ ...line, cause: inOneLine(told.error.cause ?? told.error) }, 'delivery')
}

/** One line for each attempt that failed; those that went well only at level debug. */
export function logAttempt(log: Logger, told: AttemptOutcome): void {
  const { outcome } = told
  if (told.outcome === 'store_failed') {
    log.error({ outcome, cause: inOneLine(told.error) }, 'processing')
    return
  }
  const { id, paymentId, name, attempts } = told.entry
  const line = { outcome, entry: id, payment_id: short(paymentId), event: short(name), attempts }
  if (told.outcome === 'handled') log.debug(line, 'processing')
  else if (told.outcome === 'lost') log.warn(line, 'processing')
  else if (told.outcome === 'retry') log.warn({ ...line, cause: inOneLine(told.error) }, 'processing')
  else if (told.outcome === 'dead') log.error({ ...line, cause: inOneLine(told.error) }, 'processing')
}

/** One line for each change of the secret file: how many secrets it holds, or why those in use were kept. */
export function logReload(log: Logger, told: ReloadOutcome): void {
  const { outcome } = told
  if (told.outcome === 'replaced') log.info({ outcome, count: told.count }, 'secrets')
  else log.error({ outcome, cause: inOneLine(told.error) }, 'secrets')
}

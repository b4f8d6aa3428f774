import { type AttemptOutcome, type DeliveryOutcome, inOneLine, short } from '@hookproof/receiver'
import type { ExposedFile } from '@hookproof/receiver/sqlite'
import type { Logger } from 'pino'
import type { ReloadOutcome } from '../secrets/secrets.ts'

/**
 * Logs each delivery in one line with its outcome and payment id, but never the body, the signature header, a secret or a
 * stack trace. Anyone who may see payment ids may read the log. SPEC.md 11.
 */
export function logDelivery(log: Logger, result: DeliveryOutcome): void {
  const { outcome, status } = result
  if (result.outcome !== 'refused') {
    const { paymentId, name } = result.delivery
    log.info({ outcome, status, payment_id: short(paymentId), event: short(name) }, 'delivery')
    return
  }
  const line = { outcome, status, code: result.error.code }
  if (status < 500) log.warn(line, 'delivery')
  // Expected under load, and frequent.
  else if (result.error.code === 'overloaded' || result.error.code === 'body_evicted')
    log.warn({ ...line, cause: inOneLine(result.error.cause) }, 'delivery')
  else log.error({ ...line, cause: inOneLine(result.error.cause ?? result.error) }, 'delivery')
}

/** Logs each attempt in one line; successful attempts at level debug. */
export function logAttempt(log: Logger, result: AttemptOutcome): void {
  const { outcome } = result
  if (result.outcome === 'another_process') {
    log.info({ outcome, cause: inOneLine(result.error) }, 'processing')
    return
  }
  if (result.outcome === 'store_failed') {
    log.error({ outcome, cause: inOneLine(result.error) }, 'processing')
    return
  }
  const { id, paymentId, name, attempts } = result.entry
  const line = { outcome, entry: id, payment_id: short(paymentId), event: short(name), attempts }
  if (result.outcome === 'handled') log.debug(line, 'processing')
  else if (result.outcome === 'lost') log.warn(line, 'processing')
  else if (result.outcome === 'retry') log.warn({ ...line, cause: inOneLine(result.error) }, 'processing')
  else if (result.outcome === 'dead') log.error({ ...line, cause: inOneLine(result.error) }, 'processing')
}

/** Logs each change of the secret file in one line: the number of secrets, or why the previous secrets stay in use. */
export function logReload(log: Logger, result: ReloadOutcome): void {
  const { outcome } = result
  if (result.outcome === 'replaced') log.info({ outcome, count: result.count }, 'secrets')
  else log.error({ outcome, cause: inOneLine(result.error) }, 'secrets')
}

/** Warns of a file that other users of the machine can read: it contains data of customers, and they can lock it. */
export function logExposedFile(log: Logger, { path, mode }: ExposedFile): void {
  const fix = `Run chmod 600 ${path}`
  log.warn({ file: path, mode: mode.toString(8), fix }, 'other users can read a file of the inbox')
}

import type { AttemptOutcome } from './attempt-outcome.ts'
import { inOneLine } from './shared/errors.ts'
import { logLine } from './shared/log-line.ts'
import { short } from './shared/short.ts'

/**
 * Logs a failure during processing in one line on standard error. It is the default when there is no `onOutcome`, so that
 * a retried or dead event does not go unnoticed. A line that cannot be written is lost. SPEC.md 11.
 */
export function logFailure(outcome: AttemptOutcome): void {
  if (outcome.outcome !== 'handled') logLine(`processing: ${lineOf(outcome)}`)
}

function lineOf(outcome: AttemptOutcome): string {
  if (outcome.outcome === 'store_failed') return `the store failed: ${inOneLine(outcome.error)}`
  if (outcome.outcome === 'another_process') return inOneLine(outcome.error)
  const { id, name, paymentId, attempts } = outcome.entry
  const attempt = `entry ${id}, ${quoted(name)} of ${quoted(paymentId)}, attempt ${attempts}`
  if (!('error' in outcome)) return `${attempt}: another receiver took over the entry`
  const next =
    outcome.outcome === 'dead' ? 'dead' : `next attempt at ${new Date(outcome.dueAt).toISOString()}`
  return `${attempt}: ${inOneLine(outcome.error)} (${next})`
}

/** Quoted, because a sender chose the text. */
const quoted = (text: string): string => JSON.stringify(short(text))

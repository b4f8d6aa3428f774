import type { AttemptOutcome } from './attempt-outcome.ts'
import { inOneLine } from './errors.ts'
import { short } from './short.ts'

/**
 * Tells what failed during processing on standard error, in a line each: for those who listen to no outcomes, so that
 * an event that is tried again, or is dead, is not lost unseen. SPEC.md 11.
 */
export function logFailure(told: AttemptOutcome): void {
  if (told.outcome === 'handled') return
  process.stderr.write(`hookproof: processing: ${lineOf(told)}\n`)
}

function lineOf(told: AttemptOutcome): string {
  if (told.outcome === 'store_failed') return `the store failed: ${inOneLine(told.error)}`
  const { id, name, paymentId, attempts } = told.entry
  const attempt = `entry ${id}, ${quoted(name)} of ${quoted(paymentId)}, attempt ${attempts}`
  if (!('error' in told)) return `${attempt}: another receiver took it over`
  const next = told.outcome === 'dead' ? 'dead' : `again from ${new Date(told.dueAt).toISOString()}`
  return `${attempt}: ${inOneLine(told.error)} (${next})`
}

/** A sender chose it. */
const quoted = (text: string): string => JSON.stringify(short(text))

import { controlsAccepted } from '../case/expect.ts'
import type {
  CatalogueCase,
  Conclusion,
  Evidence,
  Finding,
  Outcome,
  Problem,
  Verdict,
} from '../case/model.ts'

/** Judges one case by its evidence. A control that was not accepted fails the case, whatever the probe got. */
export function judge(one: CatalogueCase, evidence: Evidence, durationMs: number): Verdict {
  const problems: Problem[] = []
  let reason: string | undefined
  for (const { expected, finding } of findings(one, evidence)) {
    if (finding === undefined) continue
    if ('untested' in finding) reason ??= finding.untested
    else
      problems.push({
        expected,
        received: finding.problem,
        severity: finding.severity,
        guidance: finding.guidance,
      })
  }
  return {
    case: one,
    outcome: outcomeOf(one, problems, reason),
    problems,
    reason: problems.length === 0 ? reason : undefined,
    exchanges: evidence.exchanges,
    durationMs,
  }
}

/** How many expectations do not hold yet. */
export function openFindings(one: CatalogueCase, evidence: Evidence): number {
  return findings(one, evidence).filter(({ finding }) => finding !== undefined && 'problem' in finding).length
}

/**
 * Draws the conclusion: a failed MUST outweighs an untested one, and a run in which nothing passed is never
 * conformant.
 */
export function conclude(verdicts: readonly Verdict[]): Conclusion {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'not-conformant'
  const missing = verdicts.some(({ outcome, case: { level } }) => outcome === 'untested' && level === 'MUST')
  const passed = verdicts.some(({ outcome }) => outcome === 'passed')
  return missing || !passed ? 'incomplete' : 'conformant'
}

function outcomeOf(one: CatalogueCase, problems: readonly Problem[], reason: string | undefined): Outcome {
  if (problems.length > 0) return one.level === 'MUST' ? 'failed' : 'warning'
  return reason === undefined ? 'passed' : 'untested'
}

function findings(one: CatalogueCase, evidence: Evidence): { expected: string; finding: Finding }[] {
  return [...one.expect, controlsAccepted].map((expectation) => ({
    expected: expectation.expected,
    finding: expectation.check(evidence),
  }))
}

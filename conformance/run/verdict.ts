import type { Effect } from '../../schemas/types.ts'
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

/** Judges one case by its evidence. A control that was not accepted fails the case, regardless of the probe. */
export function judge(testCase: CatalogueCase, evidence: Evidence, durationMs: number): Verdict {
  const problems: Problem[] = []
  let reason: string | undefined
  for (const { expected, finding } of findings(testCase, evidence)) {
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
    case: testCase,
    outcome: outcomeOf(testCase, problems, reason),
    problems,
    reason: problems.length === 0 ? reason : undefined,
    exchanges: evidence.exchanges,
    ...(testCase.needs === 'effects' && { effects: effectsShown(evidence) }),
    durationMs,
  }
}

/** How many expectations are not met yet. */
export function openFindings(testCase: CatalogueCase, evidence: Evidence): number {
  return findings(testCase, evidence).filter(({ finding }) => finding !== undefined && 'problem' in finding)
    .length
}

/**
 * The conclusion of a run: a failed MUST outweighs an untested one, and a run in which nothing passed is never conformant.
 */
export function conclude(verdicts: readonly Verdict[]): Conclusion {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'not-conformant'
  const missing = verdicts.some(({ outcome, case: { level } }) => outcome === 'untested' && level === 'MUST')
  const passed = verdicts.some(({ outcome }) => outcome === 'passed')
  return missing || !passed ? 'incomplete' : 'conformant'
}

/** What the receiver shows for each payment of the case. */
function effectsShown({ exchanges, effects }: Evidence): ReadonlyMap<string, readonly Effect[]> {
  const ids = new Set(exchanges.flatMap(({ delivery }) => delivery.paymentId ?? []))
  return new Map([...ids].map((id) => [id, effects(id)]))
}

function outcomeOf(
  testCase: CatalogueCase,
  problems: readonly Problem[],
  reason: string | undefined,
): Outcome {
  if (problems.length > 0) return testCase.level === 'MUST' ? 'failed' : 'warning'
  return reason === undefined ? 'passed' : 'untested'
}

function findings(testCase: CatalogueCase, evidence: Evidence): { expected: string; finding: Finding }[] {
  return [...testCase.expect, controlsAccepted].map((expectation) => ({
    expected: expectation.expected,
    finding: expectation.check(evidence),
  }))
}

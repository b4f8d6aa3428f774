import { controlsAccepted } from '../case/expect.ts'
import type {
  CatalogueCase,
  Conclusion,
  Evidence,
  ExpectationKind,
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
    durationMs,
  }
}

/**
 * Where a case stands while its effects are observed: `failed` by its responses, `wrong` by effects that no further effect
 * can put right, `open` while effects are absent, or `met`.
 */
export function standing(testCase: CatalogueCase, evidence: Evidence): 'failed' | 'wrong' | 'open' | 'met' {
  const found = findings(testCase, evidence).filter(({ finding }) => finding !== undefined)
  const ofEffects = found.filter(({ kind }) => kind === 'effects')
  if (ofEffects.some(({ finding }) => isProblem(finding) && finding.decisive === true)) return 'wrong'
  if (found.some(({ kind, finding }) => kind !== 'effects' && isProblem(finding))) return 'failed'
  return ofEffects.some(({ finding }) => finding?.decisive !== true) ? 'open' : 'met'
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

function outcomeOf(
  testCase: CatalogueCase,
  problems: readonly Problem[],
  reason: string | undefined,
): Outcome {
  if (problems.length > 0) return testCase.level === 'MUST' ? 'failed' : 'warning'
  return reason === undefined ? 'passed' : 'untested'
}

type Problematic = Extract<Finding, { readonly problem: string }>

function isProblem(finding: Finding): finding is Problematic {
  return finding !== undefined && 'problem' in finding
}

interface Found {
  readonly kind: ExpectationKind
  readonly expected: string
  readonly finding: Finding
}

function findings(testCase: CatalogueCase, evidence: Evidence): Found[] {
  return [...testCase.expect, controlsAccepted].flatMap(({ kind, expected, check }) => {
    const finding = check(evidence)
    // What is absent may still come.
    const isOpen = kind === 'effects' && evidence.incomplete === true && finding?.decisive !== true
    return isOpen ? [] : { kind, expected, finding }
  })
}

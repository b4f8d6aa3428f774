import { controlsAccepted } from './payment-service/expectations/expect.ts'
import {
  type CatalogueCase,
  type Conclusion,
  type Evidence,
  type Exchange,
  type ExpectationKind,
  type Finding,
  type Problem,
  SEVERITIES,
  type Verdict,
} from './payment-service/model.ts'

/**
 * Judges one case by its evidence. Beside a control that was not accepted, a refusal proves nothing: then only what is
 * wrong in itself fails the case, such as a forged delivery that was accepted, and otherwise the case is inconclusive.
 */
export function judge(testCase: CatalogueCase, evidence: Evidence, durationMs: number): Verdict {
  const problems: Problem[] = []
  let reason: string | undefined
  for (const { kind, expected, finding } of findings(testCase, evidence)) {
    if (finding === undefined || isExplainedByControl(kind, finding, evidence)) continue
    if ('untested' in finding) reason ??= finding.untested
    else
      problems.push({
        kind,
        expected,
        received: finding.problem,
        severity: finding.severity,
        guidance: finding.guidance,
        exchanges: finding.exchanges,
        observed: finding.observed,
      })
  }
  const bySeverity = problems.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )
  const verdict = {
    case: testCase,
    problems: bySeverity,
    exchanges: evidence.exchanges,
    durationMs,
  }
  const [first] = bySeverity
  if (first === undefined) {
    return { ...verdict, outcome: reason === undefined ? 'passed' : 'untested', reason }
  }
  if (problems.every(({ expected }) => expected === controlsAccepted.expected)) {
    const why = `the control, a valid delivery, was not accepted: ${first.received}`
    return { ...verdict, outcome: 'inconclusive', reason: why }
  }
  return { ...verdict, outcome: testCase.level === 'MUST' ? 'failed' : 'warning', reason: undefined }
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
 * The conclusion of a run: a failed MUST outweighs one without a result, and a run in which nothing passed is never conformant.
 */
export function conclude(verdicts: readonly Verdict[]): Conclusion {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'not-conformant'
  const missing = verdicts.some(
    ({ outcome, case: { level } }) =>
      level === 'MUST' && (outcome === 'untested' || outcome === 'inconclusive'),
  )
  const passed = verdicts.some(({ outcome }) => outcome === 'passed')
  return missing || !passed ? 'incomplete' : 'conformant'
}

/** The expectations about a delivery that is not valid, or need not be. */
const ABOUT_REFUSALS: readonly ExpectationKind[] = [
  'refused',
  'context-refused',
  'accepted-or-refused',
  'answered',
]

/** Whether a probe got no other response than a valid delivery did, so that the probe is not why it was wrong. */
function isExplainedByControl(
  kind: ExpectationKind,
  finding: NonNullable<Finding>,
  { exchanges }: Evidence,
): boolean {
  if (!ABOUT_REFUSALS.includes(kind) || 'untested' in finding) return false
  const toControls = exchanges.filter(({ delivery }) => delivery.role === 'control').map(responseOf)
  const wrong = finding.exchanges?.map(responseOf) ?? []
  return (
    wrong.length > 0 && wrong.every((response) => response !== undefined && toControls.includes(response))
  )
}

/** Undefined for an accepted delivery, and for one that may itself be why there was no response. */
function responseOf({ answer, error }: Exchange): number | string | undefined {
  if (answer !== undefined) return answer.status >= 200 && answer.status < 300 ? undefined : answer.status
  return error?.code === 'refused' ? error.code : undefined
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

import type { Effect } from '../../schemas/types.ts'
import type { Evaluation, Result, Untested } from '../engine/case.ts'
import type { Delivery } from '../engine/delivery.ts'
import type { Exchange } from '../engine/exchange.ts'
import {
  type Conclusion,
  type Evaluated,
  type Expectation,
  type ExpectationKind,
  type Finding,
  type Found,
  type JudgedCase,
  type Problem,
  type Problematic,
  type Reason,
  SEVERITIES,
  type Service,
  type Verdict,
} from './model.ts'
import { suspectOf } from './suspect.ts'

/**
 * Asks each expectation of a case once. Beside a control that was not accepted, a refusal proves nothing: what it explains
 * is left out.
 */
export function evaluateBy<S extends Service>(
  expectations: readonly Expectation<S>[],
  evidence: S['evidence'],
): Evaluated<S> {
  const all = expectations.flatMap(({ kind, expected, check }) => {
    const finding = check(evidence)
    return finding === undefined ? [] : [{ kind, expected, finding }]
  })
  const found = all.filter(({ kind, finding }) => !isExplainedByControl(kind, finding, evidence))
  const standing = standingOf(all)
  return { found, standing, hasProblems: found.some(({ finding }) => isProblem(finding)) }
}

function standingOf<S extends Service>(found: readonly Found<S>[]): Evaluation['standing'] {
  const ofEffects = found.filter(({ kind }) => kind === 'effects')
  if (ofEffects.some(({ finding }) => isProblem(finding) && finding.decisive === true)) return 'wrong'
  if (found.some(({ kind, finding }) => kind !== 'effects' && isProblem(finding))) return 'failed'
  return ofEffects.some(({ finding }) => finding.decisive !== true) ? 'open' : 'met'
}

/** What a verdict is decided by. */
interface Decided<S extends Service> extends Result {
  readonly exchanges: readonly Exchange<S['delivery']>[]
  readonly evaluation?: Evaluated<S> | undefined
  readonly effects?: ReadonlyMap<string, readonly Effect[]>
}

/**
 * Decides the verdict on a case. Only what is wrong in itself fails a case whose control was not accepted, such as a forged
 * delivery that was accepted; otherwise that case is inconclusive. If the receiver stopped answering, the case whose
 * delivery was the likely reason keeps its verdict, and so does what was wrong before: nothing else that got no answer, or
 * has no effect, says anything.
 *
 * @param ownerOf the case of a delivery of the run
 */
export function decide<S extends Service, C extends JudgedCase>(
  testCase: C,
  result: Decided<S>,
  ownerOf: (delivery: Delivery) => C | undefined = () => undefined,
): Verdict<S, C> {
  const verdict = withoutSilence(testCase, result)
  const { silence } = result
  const { outcome, problems, exchanges } = verdict
  if (silence === undefined || outcome === 'passed' || outcome === 'untested') return verdict
  if (suspectOf(silence, ownerOf)?.testCase === testCase) return verdict
  const isSilent = ({ delivery }: Exchange) => silence.unanswered.has(delivery)
  const left = problems.filter((problem) => !isExplainedBy(isSilent, problem))
  if (left.length === problems.length && !exchanges.some(isSilent)) return verdict
  return outcome !== 'inconclusive' && left.length > 0
    ? { ...verdict, problems: left }
    : { ...verdict, ...untestedFor({ code: 'stopped_answering' }) }
}

const isQueued = ({ error }: Exchange): boolean => error?.isQueued === true

/** Whether the problem is only that such exchanges have no response, or that an effect is absent. */
function isExplainedBy<S extends Service>(
  isSuch: (exchange: Exchange) => boolean,
  problem: Problem<S>,
): boolean {
  const { exchanges: wrong = [] } = problem
  return isAbsent(problem) || (wrong.length > 0 && wrong.every(isSuch))
}

/** Whether a further effect would solve the problem. */
function isAbsent({ kind, decisive }: { readonly kind: ExpectationKind; readonly decisive?: true }): boolean {
  return kind === 'effects' && decisive !== true
}

function withoutSilence<S extends Service, C extends JudgedCase>(
  testCase: C,
  result: Decided<S>,
): Verdict<S, C> {
  const { exchanges, evaluation, untested, effects, effectsMs, durationMs, lateMs } = result
  const base = {
    case: testCase,
    exchanges,
    durationMs,
    ...(effects !== undefined && { effects }),
    ...(effectsMs !== undefined && { effectsMs }),
  }
  if (evaluation === undefined) return { ...base, ...untestedFor(untested ?? { code: 'interrupted' }) }
  const problems: Problem<S>[] = []
  let reason: Reason<S> | undefined
  for (const { kind, expected, finding } of evaluation.found) {
    // What is absent may still come.
    if (result.isIncomplete === true && isAbsent({ kind, ...finding })) continue
    if ('untested' in finding) reason ??= { code: 'open', open: finding.untested }
    else problems.push({ kind, expected, ...finding })
  }
  const bySeverity = problems.toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  )
  const verdict = { ...base, problems: bySeverity }
  const [first] = bySeverity
  if (first === undefined)
    return { ...verdict, outcome: reason === undefined ? 'passed' : 'untested', reason }
  if (lateMs !== undefined)
    return { ...verdict, outcome: 'untested', problems: [], reason: { code: 'answers_late', ms: lateMs } }
  const queuedMs = exchanges.filter(isQueued).map(({ error }) => error?.afterMs ?? 0)
  if (queuedMs.length > 0 && problems.every((problem) => isExplainedBy(isQueued, problem)))
    return { ...verdict, ...untestedFor({ code: 'queued', ms: Math.max(...queuedMs) }) }
  if (problems.every(({ kind }) => kind === 'control-accepted'))
    return { ...verdict, outcome: 'inconclusive', reason: { code: 'control_rejected', problem: first } }
  return { ...verdict, outcome: testCase.level === 'MUST' ? 'failed' : 'warning', reason: undefined }
}

/** A verdict for each case that has none, because the run was interrupted, or ended. */
export function notJudged<S extends Service, C extends JudgedCase>(
  cases: readonly C[],
  judged: readonly Verdict<S, C>[],
  code: 'interrupted' | 'nothing_accepted' = 'interrupted',
): Verdict<S, C>[] {
  const done = new Set(judged.map(({ case: testCase }) => testCase))
  return cases
    .filter((testCase) => !done.has(testCase))
    .map((testCase) => decide<S, C>(testCase, { exchanges: [], durationMs: 0, untested: { code } }))
}

function untestedFor(reason: Untested | Extract<Reason<Service>, { code: 'queued' }>) {
  return { outcome: 'untested', problems: [], reason } as const
}

/**
 * The conclusion of a run: a failed MUST outweighs one without a result, and a run in which nothing passed is never conformant.
 */
export function conclude<S extends Service>(verdicts: readonly Verdict<S>[]): Conclusion {
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
function isExplainedByControl<S extends Service>(
  kind: ExpectationKind,
  finding: NonNullable<Finding<S>>,
  { exchanges }: S['evidence'],
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

function isProblem<S extends Service>(finding: Finding<S>): finding is Problematic<S> {
  return finding !== undefined && 'wrong' in finding
}

import type { Case, Evaluation, Evidence, Judge, Result, RunEvidence, Untested } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import { EngineError } from '../errors.ts'
import { type Exchange, isAcknowledged } from '../exchange.ts'
import type { Watch } from '../observe/watch.ts'
import { Stopped } from '../pace/gate.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import type { Sent } from './sending.ts'

/** How long to wait for a further effect after the effects are as expected, in milliseconds. */
const QUIET_MS = 200
/** How often effects that were as expected may turn out to be incomplete. */
const MOST_ROUNDS = 5

/** A case whose effects were judged, and what it was judged by. */
interface Judged<C extends Case> {
  readonly testCase: C
  readonly evaluation: Evaluation
  readonly evidence: Evidence
  /** The key of its marker, if that was acknowledged and had no effect. */
  readonly lost: string | undefined
}

/** What the results of a run have in common. */
export interface Settling<C extends Case> {
  readonly judge: Pick<Judge<C, unknown>, 'evaluate' | 'staysRight'>
  readonly watch: Watch | undefined
  /** Whether a case of the run judges what was lost. */
  readonly judgesLost: boolean
  /** The cases whose effects were judged so far. */
  readonly judged: Judged<C>[]
}

const NOTHING: RunEvidence = { wrongLater: [], lost: [] }

/** Observes the effects of a case if it needs them, and evaluates it. */
export async function resultOf<C extends Case>(testCase: C, sent: Sent, run: Settling<C>): Promise<Result> {
  const { exchanges, marker, started } = sent
  const { watch, judge } = run
  const base = () => ({ exchanges, durationMs: awakeNow() - started })
  const untested = (reason: Untested): Result => ({ ...base(), untested: reason })
  // A delivery that got no answer because the receiver ended is what the case found.
  const hasFailed = testCase.needs === undefined && exchanges.some(({ error }) => error !== undefined)
  if (sent.untested !== undefined && !hasFailed) return untested(sent.untested)
  const none: Evidence = { exchanges, effects: () => [] }
  if (testCase.needs !== 'effects') {
    const evidence = testCase.late === undefined ? none : { ...none, run: NOTHING }
    return { ...base(), evaluation: judge.evaluate(testCase, evidence) }
  }
  if (marker === undefined || watch === undefined) return untested({ code: 'not_observed' })
  const byResponses = judge.evaluate(testCase, none)
  try {
    const settled = await settle(testCase, sent, marker, watch, judge, byResponses)
    const { evaluation, effects, isIncomplete, markerSeen, effectsMs } = settled
    const { standing } = evaluation
    const isLost = !isIncomplete && !markerSeen && standing !== 'wrong'
    const lost = isLost ? marker.key : undefined
    // Without any effect in the run, or without a case that reports the loss, an absence proves nothing.
    if (lost !== undefined && standing === 'met' && !(watch.sawEffects() && run.judgesLost))
      return untested({ code: 'control_effect_unseen' })
    const evidence: Evidence = { exchanges, effects }
    run.judged.push({ testCase, evaluation, evidence, lost: watch.sawEffects() ? lost : undefined })
    const last =
      testCase.late === undefined
        ? evaluation
        : judge.evaluate(testCase, { ...evidence, run: await atTheEnd(run.judged, watch, judge) })
    return {
      ...base(),
      evaluation: last,
      ...(isIncomplete && { isIncomplete }),
      ...(testCase.late === undefined && {
        effects: new Map([...observedIn(exchanges)].map((id) => [id, effects(id)])),
      }),
      effectsMs,
    }
  } catch (error) {
    const reason = unobserved(error)
    // What the responses have decided needs no observation.
    return byResponses.standing === 'failed'
      ? { ...base(), evaluation: byResponses, isIncomplete: true }
      : untested(reason)
  }
}

/** Why effects could not be observed. @throws any other error */
function unobserved(error: unknown): Untested {
  if (error instanceof Stopped) return error.reason
  if (!(error instanceof EngineError)) throw error
  return { code: 'observation_failed', failure: error.failure }
}

/** The effects of a case once they can be judged. */
interface Settled {
  readonly evaluation: Evaluation
  readonly effects: Evidence['effects']
  /** Whether further effects may follow, so that only what is there can be judged. */
  readonly isIncomplete: boolean
  readonly markerSeen: boolean
  /** How long after the last response the effects were as expected, in milliseconds; undefined if they never were. */
  readonly effectsMs: number | undefined
}

/**
 * Observes the effects of a case until they can be judged. What is wrong and will stay wrong is decided at once, and
 * effects that are as expected once a marker sent last shows its own. An absence is decided only after nothing has changed
 * anywhere in the run for the waiting time: a receiver may process what it acknowledged in any order.
 *
 * @param byResponses what is found before any observation
 * @throws EngineError `observation_failed`
 */
async function settle<C extends Case>(
  testCase: C,
  { exchanges, ended }: Sent,
  marker: Delivery,
  watch: Watch,
  judge: Settling<C>['judge'],
  byResponses: Evaluation,
): Promise<Settled> {
  const ids = observedIn(exchanges)
  let effects: Evidence['effects'] = () => []
  let evaluation = byResponses
  const observe = async () => {
    effects = await watch.observe(ids)
    evaluation = judge.evaluate(testCase, { exchanges, effects })
  }
  const markerSeen = () => effects(marker.key ?? '').length > 0
  const settled = (isIncomplete: boolean, effectsMs?: number): Settled => ({
    evaluation,
    effects,
    isIncomplete,
    markerSeen: markerSeen(),
    effectsMs,
  })

  // The responses have failed the case: no effect can change that, and those of a refused delivery never come.
  const hasFailed = evaluation.standing === 'failed'
  const isAwaited = exchanges.some(
    (exchange) => exchange.delivery.key === marker.key && isAcknowledged(exchange),
  )
  const look = async (): Promise<boolean> => {
    await observe()
    if (evaluation.standing === 'wrong') return true
    return hasFailed ? markerSeen() || !isAwaited : markerSeen() && evaluation.standing === 'met'
  }
  for (let round = 0; round < MOST_ROUNDS && (await watch.until(look, ids.size)); round += 1) {
    if (evaluation.standing === 'wrong') return settled(false)
    const effectsMs = Math.max(0, awakeNow() - ended)
    if (hasFailed && !isAwaited) return settled(true)
    // A second effect may still follow.
    await pauseAwake(Math.min(QUIET_MS, watch.waitMs))
    await observe()
    if (hasFailed) return settled(true)
    if (evaluation.standing !== 'open') return settled(false, effectsMs)
  }
  return settled(false)
}

/** The keys that a case is judged by: what is sent only to prepare for them is not. */
function observedIn(exchanges: readonly Exchange[]): ReadonlySet<string> {
  return new Set(
    exchanges.flatMap(({ delivery: { role, key } }) => (role === 'context' || key === undefined ? [] : key)),
  )
}

/** Observes the cases of the run once more, or as many as can be observed in a short time. */
async function atTheEnd<C extends Case>(
  judged: readonly Judged<C>[],
  watch: Watch,
  judge: Settling<C>['judge'],
): Promise<RunEvidence> {
  const lost = await Promise.all(
    judged.map(async ({ testCase, lost: key }) => {
      if (key === undefined) return []
      const effects = await watch.observe([key])
      return effects(key).length > 0 ? [] : [{ testCase, key }]
    }),
  )
  let observed = 0
  const sample = judged.filter(({ testCase, evaluation, evidence }) => {
    if (!judge.staysRight(testCase, evaluation)) return false
    observed += observedIn(evidence.exchanges).size
    return observed <= watch.sample
  })
  const now = await Promise.all(
    sample.map(async ({ testCase, evidence }) => {
      const effects = await watch.observe(observedIn(evidence.exchanges))
      return { testCase, evaluation: judge.evaluate(testCase, { ...evidence, effects }) }
    }),
  )
  return { lost: lost.flat(), wrongLater: now.filter(({ evaluation }) => evaluation.standing === 'wrong') }
}

import type { Disclosures } from '../../contracts/payment-service/disclosed/disclosures.ts'
import type { CatalogueCase, Evidence, RunEvidence, Verdict } from '../../contracts/payment-service/model.ts'
import { judge, standing } from '../../contracts/verdict.ts'
import { MARKER_UNSEEN } from '../../diagnosis/diagnosis.ts'
import { HarnessError } from '../errors.ts'
import { observedIn, settle } from '../observe/settle.ts'
import type { Watch } from '../observe/watch.ts'
import { awakeNow } from '../time/awake.ts'
import type { Sent } from './send-case.ts'

/** A case whose effects were judged, and what it was judged by. */
interface Judged {
  readonly testCase: CatalogueCase
  readonly verdict: Verdict
  readonly evidence: Evidence
  /** The payment of its marker, if that was acknowledged and had no effect. */
  readonly lost: string | undefined
}

/** What the conclusions of a run have in common. */
export interface Concluding {
  readonly secret: string
  readonly ackWithinMs: number
  readonly watch: Watch | undefined
  /** Whether a case of the run judges the payments that were lost. */
  readonly judgesLost: boolean
  readonly disclosures: Disclosures
  /** The cases whose effects were judged so far. */
  readonly judged: Judged[]
}

const NOTHING: RunEvidence = { wrongLater: [], lost: [] }

/** Observes the effects of a case if it needs them, and judges it. */
export async function conclude(testCase: CatalogueCase, sent: Sent, run: Concluding): Promise<Verdict> {
  const { exchanges, marker, started, ended } = sent
  const { watch } = run
  const durationMs = () => awakeNow() - started
  const untested = (reason: string): Verdict => ({
    case: testCase,
    outcome: 'untested',
    problems: [],
    reason,
    exchanges,
    durationMs: durationMs(),
  })
  // A delivery that got no answer because the receiver ended is what the case found.
  const hasFailed = testCase.needs === undefined && exchanges.some(({ error }) => error !== undefined)
  if (sent.untested !== undefined && !hasFailed) return untested(sent.untested)
  const base = { exchanges, secrets: [run.secret], ackWithinMs: run.ackWithinMs }
  if (testCase.needs !== 'effects') {
    const evidence = { ...base, effects: () => [] }
    const disclosed = run.disclosures.found()
    const all = testCase.late === undefined ? evidence : { ...evidence, run: { ...NOTHING, disclosed } }
    return judge(testCase, all, durationMs())
  }
  if (marker === undefined || watch === undefined) {
    return untested('effects were not observed: no observe URL or command was given')
  }
  try {
    const { effects, state, markerSeen, effectsMs } = await settle(testCase, watch, base, marker, ended)
    const evidence: Evidence = { ...base, effects, ...(state === 'incomplete' && { incomplete: true }) }
    const stands = standing(testCase, evidence)
    const lost = state === 'complete' && !markerSeen && stands !== 'wrong' ? marker.paymentId : undefined
    // Without any effect in the run, or without a case that reports the loss, an absence proves nothing.
    if (lost !== undefined && stands === 'met' && !(watch.sawEffects() && run.judgesLost)) {
      return untested(MARKER_UNSEEN)
    }
    const observed = new Map([...observedIn(exchanges)].map((id) => [id, effects(id)]))
    const verdict = { ...judge(testCase, evidence, durationMs()), effects: observed, effectsMs }
    run.judged.push({ testCase, verdict, evidence, lost: watch.sawEffects() ? lost : undefined })
    if (testCase.late === undefined) return verdict
    const all = { ...evidence, run: await atTheEnd(run.judged, watch) }
    return { ...judge(testCase, all, durationMs()), effectsMs }
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    const evidence: Evidence = { ...base, effects: () => [], incomplete: true }
    // What the responses have decided needs no observation.
    return standing(testCase, evidence) === 'failed'
      ? judge(testCase, evidence, durationMs())
      : untested(error.message)
  }
}

/** Observes the payments of the run once more, or as many as can be observed in a short time. */
async function atTheEnd(judged: readonly Judged[], watch: Watch): Promise<RunEvidence> {
  const lost = await Promise.all(
    judged.map(async ({ testCase, lost: id }) => {
      if (id === undefined) return []
      const effects = await watch.observe([id])
      return effects(id).length > 0 ? [] : `${id} (${testCase.id})`
    }),
  )
  const wrongLater: Promise<string[]>[] = []
  let observed = 0
  for (const one of judged) {
    if (one.testCase.level !== 'MUST' || one.verdict.outcome !== 'passed') continue
    const ids = observedIn(one.evidence.exchanges)
    observed += ids.size
    if (observed <= watch.sample) wrongLater.push(wrongNow(one, ids, watch))
  }
  return { lost: lost.flat(), wrongLater: (await Promise.all(wrongLater)).flat() }
}

async function wrongNow(
  { testCase, evidence }: Judged,
  ids: Iterable<string>,
  watch: Watch,
): Promise<string[]> {
  const now = { ...evidence, effects: await watch.observe(ids) }
  if (standing(testCase, now) !== 'wrong') return []
  return judge(testCase, now, 0).problems.map(({ received }) => `${received} (${testCase.id})`)
}

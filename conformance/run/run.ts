import { asControl, type Delivery } from '../case/delivery.ts'
import { createKit, type KitOptions } from '../case/kit.ts'
import type { CatalogueCase, Exchange, Verdict } from '../case/model.ts'
import type { Step } from '../case/plan.ts'
import type { Sender } from '../deliver/http.ts'
import { sendPipelined, sendRaw } from '../deliver/pipelined.ts'
import { MARKER_UNSEEN } from '../diagnose/diagnosis.ts'
import { HarnessError } from '../errors.ts'
import { asReached } from './as-reached.ts'
import type { Observer } from './observe.ts'
import { effectsOf, settle } from './settle.ts'
import type { Target } from './target.ts'
import { createTraffic, Stopped, type Traffic } from './traffic.ts'
import { judge } from './verdict.ts'

/** An answer that took longer may have been given by a clock that has moved on, in milliseconds. */
const LATE_FROM_MS = 2_000

/** The options of a run; `check` fills in the defaults. */
export interface RunOptions extends KitOptions {
  readonly target: Target
  readonly cases: readonly CatalogueCase[]
  readonly observer: Observer | undefined
  /** How many cases may send at once. */
  readonly concurrency: number
  readonly ackWithinMs: number
  /** How long to wait for effects, in milliseconds. */
  readonly waitMs: number
  /** Sends the deliveries. Default: one without a rate limit. */
  readonly traffic?: Traffic
}

/**
 * Runs the cases and yields each verdict as soon as it is reached. Cases that would disturb others send last, one at a
 * time, unless the receiver is so slow that this cannot change a verdict. A case that waits, for slow bytes or for effects, does not hold up the others.
 *
 * @throws HarnessError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const { traffic = trafficOf(options) } = options
  const start = (testCase: CatalogueCase, after?: Promise<unknown>): Started => {
    const sent = Promise.resolve(after).then(() => send(testCase, options, traffic))
    return { sent, verdict: sent.then((what) => concludeInTime(testCase, what, options, traffic)) }
  }
  const together = options.cases.filter(({ alone }) => alone !== true)
  // With a slow receiver, the cases with the most answers to wait for decide how long the run takes.
  const turnsOf = new Map(traffic.isHurried() ? together.map((one) => [one, turns(one, options)]) : [])
  const all = together
    .toSorted((a, b) => (turnsOf.get(b) ?? 0) - (turnsOf.get(a) ?? 0))
    .map((testCase) => start(testCase))
  let before = Promise.all(all.map(({ sent }) => sent)) as Promise<unknown>
  const solitary = options.cases.filter(({ alone }) => alone === true)
  const others: Promise<unknown>[] = []
  for (const testCase of solitary) {
    const isLast = testCase === solitary.at(-1)
    const inHurry = traffic.hurry.then(() => (isLast ? Promise.all(others) : undefined))
    const last = start(testCase, Promise.race([before, inHurry]))
    all.push(last)
    others.push(last.sent)
    before = Promise.all([before, last.sent])
  }
  // Each rejection surfaces in its verdict.
  for (const promise of [before, ...others]) promise.catch(() => undefined)
  try {
    yield* asReached(all.map(({ verdict }) => verdict))
  } finally {
    traffic.close()
  }
}

interface Started {
  readonly sent: Promise<Sent>
  readonly verdict: Promise<Verdict>
}

/** The deliveries of a case and their responses, before their effects are observed. */
interface Sent {
  readonly exchanges: readonly Exchange[]
  /** A valid payment sent last; undefined when the case does not need effects. */
  readonly marker: Delivery | undefined
  readonly started: number
  /** Why not everything was sent. */
  readonly untested?: string
}

async function send(testCase: CatalogueCase, options: RunOptions, traffic: Traffic): Promise<Sent> {
  const { semaphore, rate } = traffic
  const { observer, target, waitMs } = options
  if (testCase.needs === 'effects' && observer === undefined) {
    return { exchanges: [], marker: undefined, started: performance.now() }
  }
  const kit = createKit(testCase.id, options)
  await semaphore.take()
  const started = performance.now()
  let held = true
  const release = () => {
    if (held) semaphore.give()
    held = false
  }
  const exchanges: Exchange[] = []
  let ofStep: Exchange[] = []
  const untilEffect = async (payments: readonly string[]): Promise<void> => {
    if (observer === undefined) return
    release()
    const acknowledged = payments.filter((id) => isAcknowledged(id, exchanges))
    // An observation that fails is reported when the effects are judged.
    await effectsOf(acknowledged, observer, waitMs).catch(() => undefined)
    await semaphore.take()
    held = true
  }
  try {
    const plan = testCase.send(kit)
    const group = Math.max(...plan.map(atOnce))
    if (rate !== undefined && group > rate) {
      const untested = `it sends ${group} deliveries at the same time, and the rate is limited to ${rate} a second`
      return { exchanges, marker: undefined, started, untested }
    }
    if (plan.some(({ deliveries }) => deliveries.some(isSlow))) release()
    for (const step of plan) {
      if (step.how === 'until-effect') await untilEffect(step.payments ?? [])
      else {
        exchanges.push(...(await perform(step, traffic, target, traffic.isHurried(), ofStep)))
        ofStep = []
      }
    }
    if (testCase.needs !== 'effects') return { exchanges, marker: undefined, started }
    const marker = asControl(kit.delivery('completed'))
    exchanges.push(await traffic.send(marker))
    return { exchanges, marker, started }
  } catch (error) {
    if (error instanceof Stopped) {
      return { exchanges: [...exchanges, ...ofStep], marker: undefined, started, untested: error.message }
    }
    if (error instanceof HarnessError) throw error
    throw new HarnessError('internal', `the case ${testCase.id} could not be sent: ${String(error)}`, {
      cause: error,
    })
  } finally {
    release()
  }
}

function isAcknowledged(id: string, exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ delivery, answer }) => delivery.paymentId === id && answer?.status === 200)
}

/**
 * Concludes a case, and sends it once more if only the time that its answers took may have failed it: the receiver may
 * have compared `t` with its clock at any moment until then.
 */
async function concludeInTime(
  testCase: CatalogueCase,
  sent: Sent,
  options: RunOptions,
  traffic: Traffic,
): Promise<Verdict> {
  const verdict = await conclude(testCase, sent, options)
  const tookMs = slowestMs(sent)
  if (testCase.dependsOnTransit !== true || verdict.problems.length === 0 || tookMs < LATE_FROM_MS) {
    return verdict
  }
  const seconds = Math.ceil(tookMs / 1000) + 1
  const later = { ...options, seed: `${options.seed}/later`, now: () => options.now() + seconds }
  const again = await send(testCase, later, traffic)
  const second = await conclude(testCase, again, later)
  if (second.problems.length === 0 || slowestMs(again) <= seconds * 1000) return second
  const reason = `its answers took ${Math.round(slowestMs(again) / 1000)} s, so when the receiver compared \`t\` with its clock is open`
  return { ...second, outcome: 'untested', problems: [], reason }
}

function slowestMs({ exchanges }: Sent): number {
  return Math.max(0, ...exchanges.map(({ answer }) => answer?.ms ?? 0))
}

async function conclude(testCase: CatalogueCase, sent: Sent, options: RunOptions): Promise<Verdict> {
  const { exchanges, marker, started } = sent
  const untested = (reason: string): Verdict => ({
    case: testCase,
    outcome: 'untested',
    problems: [],
    reason,
    exchanges,
    durationMs: performance.now() - started,
  })
  // A delivery that got no answer because the receiver ended is what the case found.
  if (sent.untested !== undefined && !(exchanges.some(hasFailed) && testCase.needs === undefined)) {
    return untested(sent.untested)
  }
  const evidence = { exchanges, secrets: [options.secret], ackWithinMs: options.ackWithinMs }
  if (testCase.needs !== 'effects')
    return judge(testCase, { ...evidence, effects: () => [] }, performance.now() - started)
  if (marker === undefined || options.observer === undefined) {
    return untested('effects were not observed: no observe URL or command was given')
  }
  try {
    const effects = await settle(testCase, options.observer, evidence, marker, options.waitMs)
    if (effects === undefined) return untested(MARKER_UNSEEN)
    return judge(testCase, { ...evidence, effects }, performance.now() - started)
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    return untested(error.message)
  }
}

function isSlow({ transport }: Delivery): boolean {
  return transport !== undefined && transport.kind !== 'chunked' && transport.kind !== 'raw'
}

function hasFailed({ error }: Exchange): boolean {
  return error !== undefined
}

/** How many deliveries a step sends at the same time. */
function atOnce({ how, deliveries }: Step): number {
  return how === 'together' || how === 'pipelined' ? deliveries.length : 1
}

/** How many answers a case waits for, one after another. */
function turns({ id, send: plan, needs }: CatalogueCase, options: RunOptions): number {
  return plan(createKit(id, options)).reduce(
    (sum, step) => sum + (step.how === 'in-any-order' || atOnce(step) > 1 ? 1 : step.deliveries.length),
    needs === 'effects' ? 1 : 0,
  )
}

/** What a run sends by when nobody gave it anything. */
function trafficOf(options: RunOptions): Traffic {
  const kit = createKit('traffic', options)
  return createTraffic({ ...options, plain: () => kit.delivery('completed') })
}

/**
 * Sends the deliveries of one step. An `until-effect` step has none.
 *
 * @param isHurried whether deliveries that do not depend on one another are sent together
 * @param exchanges gets those of deliveries in turn, also when a later one cannot be sent
 */
export async function perform(
  step: Step,
  sender: Sender,
  target: Target,
  isHurried = false,
  exchanges: Exchange[] = [],
): Promise<Exchange[]> {
  if (step.how === 'separate-connections') return sendSeparately(step.deliveries, sender)
  const { deliveries } = step
  if (step.how === 'pipelined') {
    return sender.group(deliveries.length, (inner) => sendPipelined(deliveries, target, inner))
  }
  if (step.how === 'together') {
    const send = (delivery: Delivery, inner: Sender) =>
      isRaw(delivery) ? sendRaw(delivery, target) : inner.send(delivery)
    return sender.group(deliveries.length, (inner) =>
      Promise.all(deliveries.map((delivery) => send(delivery, inner))),
    )
  }
  const own = step.how === 'one-connection' ? sender.onOneConnection() : undefined
  const send = (delivery: Delivery): Promise<Exchange> =>
    isRaw(delivery) ? sender.group(1, () => sendRaw(delivery, target)) : (own ?? sender).send(delivery)
  if (step.how === 'in-any-order' && isHurried) return Promise.all(deliveries.map(send))
  for (const delivery of deliveries) exchanges.push(await send(delivery))
  own?.close()
  return exchanges
}

function isRaw({ transport }: Delivery): boolean {
  return transport?.kind === 'raw'
}

async function sendSeparately(deliveries: readonly Delivery[], sender: Sender): Promise<Exchange[]> {
  const own: Sender[] = []
  const exchanges: Exchange[] = []
  for (const delivery of deliveries) {
    const next = sender.onOneConnection()
    own.push(next)
    exchanges.push(await next.send(delivery))
  }
  // Open until the end: a balancer that counts connections would give the place of a closed one to the next.
  for (const one of own) one.close()
  return exchanges
}

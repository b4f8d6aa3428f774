import { asControl, type Delivery } from '../case/delivery.ts'
import { createKit, type KitOptions } from '../case/kit.ts'
import type { CatalogueCase, Exchange, Verdict } from '../case/model.ts'
import type { Step } from '../case/plan.ts'
import { createSender, type Sender } from '../deliver/http.ts'
import { sendPipelined, sendRaw } from '../deliver/pipelined.ts'
import { MARKER_UNSEEN } from '../diagnose/diagnosis.ts'
import { HarnessError } from '../errors.ts'
import { asReached } from './as-reached.ts'
import type { Observer } from './observe.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'
import { effectsOf, settle } from './settle.ts'
import type { Target } from './target.ts'
import { judge } from './verdict.ts'

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
}

/**
 * Runs the cases and yields each verdict as soon as it is reached. Cases that would disturb others send last, one at a
 * time. A case that waits, for slow bytes or for effects, does not hold up the others.
 *
 * @throws HarnessError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const sender = createSender(options.target)
  const semaphore = createSemaphore(options.concurrency)
  const start = (testCase: CatalogueCase, after?: Promise<unknown>): Started => {
    const sent = Promise.resolve(after).then(() => send(testCase, options, sender, semaphore))
    return { sent, verdict: sent.then((what) => conclude(testCase, what, options)) }
  }
  const all = options.cases.filter(({ alone }) => alone !== true).map((testCase) => start(testCase))
  let before = Promise.all(all.map(({ sent }) => sent)) as Promise<unknown>
  for (const testCase of options.cases) {
    if (testCase.alone !== true) continue
    const last = start(testCase, before)
    all.push(last)
    before = last.sent
  }
  // Each rejection surfaces in its verdict.
  before.catch(() => undefined)
  try {
    yield* asReached(all.map(({ verdict }) => verdict))
  } finally {
    sender.close()
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
}

async function send(
  testCase: CatalogueCase,
  options: RunOptions,
  sender: Sender,
  semaphore: Semaphore,
): Promise<Sent> {
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
    if (plan.some(({ deliveries }) => deliveries.some(isSlow))) release()
    for (const step of plan) {
      if (step.how === 'until-effect') await untilEffect(step.payments ?? [])
      else exchanges.push(...(await perform(step, sender, target)))
    }
    if (testCase.needs !== 'effects') return { exchanges, marker: undefined, started }
    const marker = asControl(kit.delivery('completed'))
    exchanges.push(await sender.send(marker))
    return { exchanges, marker, started }
  } catch (error) {
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

/** Sends the deliveries of one step. An `until-effect` step has none. */
export async function perform(step: Step, sender: Sender, target: Target): Promise<Exchange[]> {
  if (step.how === 'separate-connections') return sendSeparately(step.deliveries, sender)
  if (step.how === 'pipelined') return sendPipelined(step.deliveries, target, sender)
  const own = step.how === 'one-connection' ? sender.onOneConnection() : undefined
  const send = (delivery: Delivery): Promise<Exchange> =>
    delivery.transport?.kind === 'raw' ? sendRaw(delivery, target) : (own ?? sender).send(delivery)
  if (step.how === 'together') return Promise.all(step.deliveries.map(send))
  const exchanges: Exchange[] = []
  for (const delivery of step.deliveries) exchanges.push(await send(delivery))
  own?.close()
  return exchanges
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

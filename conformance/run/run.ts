import { asControl, type Delivery } from '../case/delivery.ts'
import { createKit, type KitOptions } from '../case/kit.ts'
import type { CatalogueCase, Exchange, Verdict } from '../case/model.ts'
import type { Step } from '../case/plan.ts'
import { createSender, type Sender } from '../deliver/http.ts'
import { sendPipelined } from '../deliver/pipelined.ts'
import { MARKER_UNSEEN } from '../diagnose/diagnosis.ts'
import { HarnessError } from '../errors.ts'
import { asReached } from './as-reached.ts'
import type { Observer } from './observe.ts'
import { createSemaphore, type Semaphore } from './semaphore.ts'
import { settle } from './settle.ts'
import type { Target } from './target.ts'
import { judge } from './verdict.ts'

/** What a run is made with; `check` fills in the defaults. */
export interface RunOptions extends KitOptions {
  readonly target: Target
  readonly cases: readonly CatalogueCase[]
  readonly observer: Observer | undefined
  /** How many cases may send at once. */
  readonly concurrency: number
  readonly ackWithinMs: number
  /** How long effects are waited for, in milliseconds. */
  readonly waitMs: number
}

/**
 * Runs the cases and yields each verdict as it is reached. Those that would disturb others send last, one at a time.
 * Whatever waits, for slow bytes or for effects, does so beside the rest.
 *
 * @throws HarnessError `internal` when a case itself fails: that is no verdict on the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const sender = createSender(options.target)
  const semaphore = createSemaphore(options.concurrency)
  const begin = (one: CatalogueCase, after?: Promise<unknown>): Begun => {
    const sent = Promise.resolve(after).then(() => send(one, options, sender, semaphore))
    return { sent, verdict: sent.then((what) => conclude(one, what, options)) }
  }
  const begun = options.cases.filter((one) => one.alone !== true).map((one) => begin(one))
  let before = Promise.all(begun.map(({ sent }) => sent)) as Promise<unknown>
  for (const one of options.cases) {
    if (one.alone !== true) continue
    const last = begin(one, before)
    begun.push(last)
    before = last.sent
  }
  // Each failure surfaces in its verdict, once.
  before.catch(() => undefined)
  try {
    yield* asReached(begun.map(({ verdict }) => verdict))
  } finally {
    sender.close()
  }
}

interface Begun {
  readonly sent: Promise<Sent>
  readonly verdict: Promise<Verdict>
}

/** What became of a case's deliveries, before anyone has looked at their effects. */
interface Sent {
  readonly exchanges: readonly Exchange[]
  /** A genuine payment sent last; undefined when effects play no part. */
  readonly marker: Delivery | undefined
  readonly started: number
}

async function send(
  one: CatalogueCase,
  options: RunOptions,
  sender: Sender,
  semaphore: Semaphore,
): Promise<Sent> {
  if (one.needs === 'effects' && options.observer === undefined) {
    return { exchanges: [], marker: undefined, started: performance.now() }
  }
  const kit = createKit(one.id, options)
  await semaphore.take()
  const started = performance.now()
  let held = true
  const release = () => {
    if (held) semaphore.give()
    held = false
  }
  try {
    const plan = one.send(kit)
    if (plan.some(({ deliveries }) => deliveries.some(isSlow))) release()
    const exchanges: Exchange[] = []
    for (const step of plan) exchanges.push(...(await perform(step, sender, options.target)))
    if (one.needs !== 'effects') return { exchanges, marker: undefined, started }
    const marker = asControl(kit.delivery('completed'))
    exchanges.push(await sender.send(marker))
    return { exchanges, marker, started }
  } catch (error) {
    throw new HarnessError('internal', `the case ${one.id} could not be sent: ${String(error)}`, {
      cause: error,
    })
  } finally {
    release()
  }
}

async function conclude(one: CatalogueCase, sent: Sent, options: RunOptions): Promise<Verdict> {
  const { exchanges, marker, started } = sent
  const untested = (reason: string): Verdict => ({
    case: one,
    outcome: 'untested',
    problems: [],
    reason,
    exchanges,
    durationMs: performance.now() - started,
  })
  const evidence = { exchanges, secrets: [options.secret], ackWithinMs: options.ackWithinMs }
  if (one.needs !== 'effects')
    return judge(one, { ...evidence, effects: () => [] }, performance.now() - started)
  if (marker === undefined || options.observer === undefined) {
    return untested('the receiver shows no effects: give --observe or --observe-command')
  }
  try {
    const effects = await settle(one, options.observer, evidence, marker, options.waitMs)
    if (effects === undefined) return untested(MARKER_UNSEEN)
    return judge(one, { ...evidence, effects }, performance.now() - started)
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error
    return untested(error.message)
  }
}

function isSlow({ transport }: Delivery): boolean {
  return transport !== undefined && transport.kind !== 'chunked'
}

/** Sends the deliveries of one step. */
export async function perform(step: Step, sender: Sender, target: Target): Promise<Exchange[]> {
  if (step.how === 'pipelined') return sendPipelined(step.deliveries, target, sender)
  if (step.how === 'together') return Promise.all(step.deliveries.map((delivery) => sender.send(delivery)))
  const own = step.how === 'one-connection' ? sender.onOneConnection() : undefined
  const exchanges: Exchange[] = []
  for (const delivery of step.deliveries) exchanges.push(await (own ?? sender).send(delivery))
  own?.close()
  return exchanges
}

import { asControl, type Delivery } from '../../contracts/payment-service/delivery.ts'
import type { Disclosures } from '../../contracts/payment-service/disclosed/disclosures.ts'
import { createKit, type KitOptions } from '../../contracts/payment-service/kit.ts'
import type { CatalogueCase, Exchange } from '../../contracts/payment-service/model.ts'
import { HarnessError } from '../errors.ts'
import type { Watch } from '../observe/watch.ts'
import { fewAtOnceBy } from '../pace/few-at-once.ts'
import { Stopped } from '../pace/gate.ts'
import type { Traffic } from '../pace/traffic.ts'
import type { Plan, Step } from '../plan.ts'
import type { Target } from '../target.ts'
import { awakeNow } from '../time/awake.ts'
import type { Sender } from '../wire/http.ts'
import { perform } from './perform.ts'
import { renewable } from './renewal.ts'
import type { Owners } from './silenced.ts'

/** How many payments that no case judges may wait in the receiver's queue, at first and at most. */
const QUEUED = { first: 20, most: 100 }
/** A receiver that processes them in this time, in milliseconds, is sent more at once. */
const QUICK_MS = 500

/** What the cases of a run share while they send. */
export interface Sending extends KitOptions {
  readonly target: Target
  readonly traffic: Traffic
  /** Undefined when effects cannot be observed. */
  readonly watch: Watch | undefined
  /** The payments that were acknowledged so far. */
  readonly acknowledged: Set<string>
  /** The case of each delivery that was planned. */
  readonly owners: Owners
  /** Searches every answer for what none may contain. */
  readonly disclosures: Disclosures
}

/** The deliveries of a case and their responses, before their effects are observed. */
export interface Sent {
  readonly exchanges: readonly Exchange[]
  /** A valid payment sent last; undefined when the case does not need effects. */
  readonly marker: Delivery | undefined
  readonly started: number
  readonly ended: number
  /** Why not everything was sent. */
  readonly untested?: string
}

/**
 * Sends the deliveries of a case.
 *
 * @param later waits until all other cases have sent, but at least for a time in milliseconds
 * @throws HarnessError `internal` when the case itself throws
 */
export async function sendCase(
  testCase: CatalogueCase,
  sending: Sending,
  later: (afterMs: number) => Promise<void>,
): Promise<Sent> {
  const { traffic, target, watch } = sending
  const { semaphore, rate } = traffic
  const needsEffects = testCase.needs === 'effects'
  const sender = watch === undefined ? traffic : watchedBy(watch, traffic, needsEffects)
  const exchanges: Exchange[] = []
  let ofStep: Exchange[] = []
  if (needsEffects && watch === undefined) {
    return { exchanges, marker: undefined, started: awakeNow(), ended: awakeNow() }
  }
  await semaphore.take()
  const started = awakeNow()
  const acknowledgedBefore = sending.acknowledged.size
  let held = true
  const release = () => {
    if (held) semaphore.give()
    held = false
  }
  /** Lets other cases send in the meantime. */
  const released = async (wait: Promise<unknown>): Promise<void> => {
    release()
    await wait
    await semaphore.take()
    held = true
  }
  const record = (more: readonly Exchange[]) => {
    exchanges.push(...more)
    note(more, sending, testCase.id)
    watch?.answered(more, needsEffects)
  }
  try {
    const { plan, marker } = planOf(testCase, sending)
    const group = Math.max(...plan.map(atOnce))
    if (rate !== undefined && group > rate) {
      const untested = `it sends ${group} deliveries at the same time, and the rate is limited to ${rate} a second`
      return { exchanges, marker: undefined, started, ended: awakeNow(), untested }
    }
    if (plan.some(({ deliveries }) => deliveries.some(isSlow))) release()
    for (const step of plan) {
      if (step.how === 'until-effect') {
        const awaited = step.payments.filter((id) => isAcknowledged(id, exchanges))
        if (watch !== undefined && awaited.length > 0) await released(shown(awaited, watch))
      } else if (step.how === 'later') await released(later(step.afterMs))
      // No evidence: a report does not show a thousand payments that the case is not about.
      else if (step.how === 'until-acknowledged')
        await sendUntilAcknowledged(step, sending, acknowledgedBefore, testCase.id)
      else {
        record(await perform(step, sender, target, { isHurried: traffic.isHurried(), sent: ofStep }))
        ofStep = []
      }
    }
    if (marker !== undefined) record([await sender.send(marker)])
    return { exchanges, marker, started, ended: awakeNow() }
  } catch (error) {
    if (error instanceof Stopped) {
      record(ofStep)
      return { exchanges, marker: undefined, started, ended: awakeNow(), untested: error.message }
    }
    if (error instanceof HarnessError) throw error
    throw new HarnessError('internal', `the case ${testCase.id} could not be sent: ${String(error)}`, {
      cause: error,
    })
  } finally {
    release()
  }
}

/** What a case sends, and the valid payment that it sends last. */
function planOf(testCase: CatalogueCase, sending: Sending): Pick<Sent, 'marker'> & { plan: Plan } {
  const { now, owners } = sending
  const emittedAt = now()
  const make = () => {
    const kit = createKit(testCase.id, { ...sending, emittedAt })
    const plan = testCase.send(kit)
    const marker = testCase.needs === 'effects' ? asControl(kit.delivery('completed')) : undefined
    const deliveries = [...plan.flatMap((step) => step.deliveries), ...(marker === undefined ? [] : [marker])]
    for (const delivery of deliveries) owners.set(delivery, testCase)
    return { plan, marker, deliveries }
  }
  const { deliveries, ...planned } = make()
  renewable(deliveries, () => make().deliveries, now)
  return planned
}

/**
 * Sends the payments of a step, some at a time: the queue of a receiver that works slowly stays short, and the time limit
 * holds for its work too.
 *
 * @param before how many payments were acknowledged when the case began
 */
async function sendUntilAcknowledged(
  { payments, withinMs, make, isOwn }: Extract<Step, { how: 'until-acknowledged' }>,
  sending: Sending,
  before: number,
  caseId: string,
): Promise<void> {
  const { acknowledged, traffic, watch } = sending
  const deadline = awakeNow() + withinMs
  const watched = watch === undefined ? traffic : watchedBy(watch, traffic, false)
  const sendFew = fewAtOnceBy(watched)
  const isLate = () => awakeNow() >= deadline
  let own = 0
  const missing = () => payments - (isOwn ? own : acknowledged.size - before)
  let queued = QUEUED.first
  for (let n = 0; missing() > 0 && !isLate(); ) {
    const count = Math.min(queued, missing())
    const first = n
    const started = awakeNow()
    const sent = await sendFew(
      Array.from({ length: count }, (_, offset) => make(first + offset)),
      isLate,
    )
    note(sent, sending, caseId)
    const answered = sent.filter(({ answer }) => answer?.status === 200)
    if (answered.length === 0) return
    own += answered.length
    const last = answered.findLast(({ delivery }) => delivery.event === 'payment.completed')?.delivery
      .paymentId
    if (watch !== undefined && last !== undefined) await shown([last], watch)
    if (awakeNow() - started < QUICK_MS) queued = Math.min(2 * queued, QUEUED.most)
    n += count
  }
}

/** Reports each response as it arrives: a step may take longer than a receiver at rest is given. */
function watchedBy(watch: Watch, sender: Sender, isObserved: boolean): Sender {
  return {
    ...sender,
    async send(delivery) {
      const exchange = await sender.send(delivery)
      watch.answered([exchange], isObserved)
      return exchange
    },
    onOneConnection: () => watchedBy(watch, sender.onOneConnection(), isObserved),
    group: (size, work) => sender.group(size, (inner) => work(watchedBy(watch, inner, isObserved))),
  }
}

function note(exchanges: readonly Exchange[], { acknowledged, disclosures }: Sending, caseId: string): void {
  disclosures.see(exchanges, caseId)
  for (const { delivery, answer } of exchanges)
    if (answer?.status === 200 && delivery.paymentId !== undefined) acknowledged.add(delivery.paymentId)
}

/** Waits until each payment shows an effect, or the receiver is at rest. */
async function shown(payments: readonly string[], watch: Watch): Promise<void> {
  // Each of these waits would delay the others: the case is judged by what it awaits at its end.
  if (watch.hasStopped()) return
  let absent = payments
  const look = async () => {
    const effects = await watch.observe(absent)
    absent = absent.filter((id) => effects(id).length === 0)
    return absent.length === 0
  }
  // An observation that fails is reported when the effects are judged.
  await watch.until(look, payments.length).catch(() => undefined)
}

function isAcknowledged(id: string, exchanges: readonly Exchange[]): boolean {
  return exchanges.some(({ delivery, answer }) => delivery.paymentId === id && answer?.status === 200)
}

/** How many deliveries a step sends at the same time. */
function atOnce({ how, deliveries }: Step): number {
  return how === 'together' || how === 'pipelined' || how === 'held' ? deliveries.length : 1
}

function isSlow({ transport }: Delivery): boolean {
  return transport !== undefined && transport.kind !== 'chunked' && transport.kind !== 'raw'
}

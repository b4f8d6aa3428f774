import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Untested } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import { EngineError } from '../errors.ts'
import { type Exchange, isAcknowledged } from '../exchange.ts'
import type { Watch } from '../observe/watch.ts'
import { fewAtOnceBy } from '../pace/few-at-once.ts'
import { Stopped } from '../pace/gate.ts'
import type { Traffic } from '../pace/traffic.ts'
import type { Plan, Step } from '../plan.ts'
import { elsewhereOf, type Target } from '../target.ts'
import { awakeNow, stalledSoFar } from '../time/awake.ts'
import type { Sender } from '../wire/sender.ts'
import { sendPipelined, sendWhileHeld } from '../wire/sender.ts'
import type { Held } from './held.ts'
import type { Plans } from './plans.ts'

/** How many deliveries that no case judges may wait in the receiver's queue, at first and at most. */
const QUEUED = { first: 20, most: 100 }
/** A receiver that processes them in this time, in milliseconds, is sent more at once. */
const QUICK_MS = 500

/** The steps with so many connections that a receiver may refuse others meanwhile. */
const TAKES_CONNECTIONS: readonly Step['how'][] = ['held', 'together']

/** What the cases of a run share while they send. */
export interface Sending<C extends Case> {
  readonly target: Target
  readonly traffic: Traffic
  /** Knows the steps that take many connections. */
  readonly held: Pick<Held, 'during'>
  /** Undefined when effects cannot be observed. */
  readonly watch: Watch | undefined
  readonly plans: Pick<Plans<C>, 'take'>
  /** What was acknowledged so far. */
  readonly acknowledged: Set<string>
  /** Called with each exchange of the run. */
  readonly onExchange: (exchange: Exchange, testCase: C) => void
}

/** The deliveries of a case and their responses, before their effects are observed. */
export interface Sent {
  readonly exchanges: readonly Exchange[]
  /** A valid delivery sent last; undefined when the case does not need effects. */
  readonly marker: Delivery | undefined
  readonly started: number
  readonly ended: number
  /** How long the receiver may have had for one of the deliveries, in milliseconds. */
  readonly tookMs: number
  /** Why not everything was sent. */
  readonly untested?: Untested
}

/**
 * Sends the deliveries of a case.
 *
 * @param later waits until all other cases have sent, but at least for a time in milliseconds
 * @param ahead seconds by which the clock of the deliveries is ahead, for a case that is sent again
 * @throws EngineError `internal` when the case itself throws
 */
export async function sendCase<C extends Case>(
  testCase: C,
  sending: Sending<C>,
  later: (afterMs: number) => Promise<void>,
  ahead?: number,
): Promise<Sent> {
  const { traffic, target, watch } = sending
  const { semaphore, rate } = traffic
  const needsEffects = testCase.needs === 'effects'
  const sender = watch === undefined ? traffic : watchedBy(watch, traffic, needsEffects)
  const exchanges: Exchange[] = []
  const ofStep: Exchange[] = []
  const stalledBefore = stalledSoFar()
  let started = awakeNow()
  const sent = (marker: Delivery | undefined, untested?: Untested): Sent => ({
    exchanges,
    marker,
    started,
    ended: awakeNow(),
    // A stall between making a delivery and sending it takes of the time, too.
    tookMs: Math.max(0, stalledSoFar() - stalledBefore, ...exchanges.map(tookOf)),
    ...(untested !== undefined && { untested }),
  })
  if (needsEffects && watch === undefined) return sent(undefined, { code: 'not_observed' })
  await semaphore.take()
  started = awakeNow()
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
    note(more, sending, testCase)
    watch?.answered(more, needsEffects)
  }
  try {
    const { plan, marker } = sending.plans.take(testCase, ahead)
    const together = Math.max(...plan.map(atOnce))
    if (rate !== undefined && together > rate)
      return sent(undefined, { code: 'rate_too_low', together, rate })
    if (plan.some((step) => 'gapMs' in step || step.deliveries.some(isSlow))) release()
    for (const step of plan) {
      if (step.how === 'until-effect') {
        const awaited = step.keys.filter((id) => isKeyAcknowledged(id, exchanges))
        if (watch !== undefined && awaited.length > 0) await released(shown(awaited, watch))
      } else if (step.how === 'later') await released(later(step.afterMs))
      // No evidence: a report does not show a thousand deliveries that the case is not about.
      else if (step.how === 'until-acknowledged')
        await sendUntilAcknowledged(step, sending, acknowledgedBefore, testCase)
      else {
        const send = () => perform(step, sender, target, { isHurried: traffic.isHurried(), sent: ofStep })
        record(await (TAKES_CONNECTIONS.includes(step.how) ? sending.held.during(send) : send()))
        ofStep.length = 0
      }
    }
    if (testCase.role === 'lockout') record(await traffic.recovery(exchanges[0], exchanges.at(-1)))
    if (marker !== undefined) record([await sender.send(marker)])
    return sent(marker)
  } catch (error) {
    if (error instanceof Stopped) {
      record(ofStep)
      return sent(undefined, error.reason)
    }
    if (error instanceof EngineError) throw error
    throw new EngineError({ code: 'internal', case: testCase.id, thrown: String(error) }, { cause: error })
  } finally {
    release()
  }
}

const tookOf = ({ answer }: Exchange) => answer?.wallMs ?? answer?.ms ?? 0

/** How a step is performed. */
interface Manner {
  /** Whether deliveries that do not depend on one another are sent together. */
  readonly isHurried?: boolean
  /** Gets the exchanges of deliveries in turn, also when a later one cannot be sent. */
  readonly sent?: Exchange[]
}

/** Sends the deliveries of one step. A `later` or `pause` step only pauses, and an `until-effect` step does nothing. */
export async function perform(
  step: Step,
  sender: Sender,
  target: Target,
  { isHurried = false, sent: exchanges = [] }: Manner = {},
): Promise<Exchange[]> {
  const { how, deliveries } = step
  if (how === 'later') await pause(step.afterMs)
  if (how === 'pause') await pause(step.ms)
  if (how === 'few-at-once') return fewAtOnceBy(sender)(deliveries)
  if (how === 'pipelined')
    return sender.group(deliveries.length, (inner) => sendPipelined(deliveries, target, inner))
  if (how === 'held')
    return sender.group(deliveries.length, (inner) => sendWhileHeld(deliveries, target, inner))
  if (how === 'together') {
    const afterMs = 'afterMs' in step ? (step.afterMs ?? []) : []
    return sender.group(deliveries.length, (inner) =>
      Promise.all(
        deliveries.map(async (delivery, n) => {
          const ms = afterMs[n] ?? 0
          if (ms > 0) await pause(ms)
          return inner.send(delivery)
        }),
      ),
    )
  }
  if (how === 'in-any-order' && isHurried)
    return Promise.all(deliveries.map((delivery) => sender.send(delivery)))
  const own: Sender[] = how === 'one-connection' ? [sender.onOneConnection()] : []
  const elsewhere = how === 'elsewhere' ? elsewhereOf(target, 'attacker') : undefined
  if (elsewhere !== undefined) own.push(sender.onOneConnection(elsewhere))
  for (const delivery of deliveries) {
    if ('gapMs' in step && exchanges.length > 0) await pause(step.gapMs)
    if (how === 'separate-connections') own.push(sender.onOneConnection())
    const exchange = await (own.at(-1) ?? sender).send(delivery)
    const isUnreachable = elsewhere !== undefined && exchange.answer === undefined
    // Not every system has the other address.
    if (isUnreachable) own.pop()?.close()
    exchanges.push(isUnreachable ? await sender.send(delivery) : exchange)
  }
  // Open until the end: a balancer that counts connections would give the place of a closed one to the next.
  for (const one of own) one.close()
  return [...exchanges]
}

/**
 * Sends the deliveries of a step, some at a time: the queue of a receiver that works slowly stays short, and the time limit
 * holds for its work too.
 *
 * @param before how many were acknowledged when the case began
 */
async function sendUntilAcknowledged<C extends Case>(
  { count, withinMs, make, isOwn }: Extract<Step, { how: 'until-acknowledged' }>,
  sending: Sending<C>,
  before: number,
  testCase: C,
): Promise<void> {
  const { acknowledged, traffic, watch } = sending
  const deadline = awakeNow() + withinMs
  const watched = watch === undefined ? traffic : watchedBy(watch, traffic, false)
  const sendFew = fewAtOnceBy(watched)
  const isLate = () => awakeNow() >= deadline
  let own = 0
  const missing = () => count - (isOwn ? own : acknowledged.size - before)
  let queued = QUEUED.first
  for (let n = 0; missing() > 0 && !isLate(); ) {
    const next = Math.min(queued, missing())
    const first = n
    const started = awakeNow()
    const sent = await sendFew(
      Array.from({ length: next }, (_, offset) => make(first + offset)),
      isLate,
    )
    note(sent, sending, testCase)
    const answered = sent.filter((exchange) => isAcknowledged(exchange))
    if (answered.length === 0) return
    own += answered.length
    const last = answered.findLast(({ delivery }) => delivery.isEffective)?.delivery.key
    if (watch !== undefined && last !== undefined) await shown([last], watch)
    if (awakeNow() - started < QUICK_MS) queued = Math.min(2 * queued, QUEUED.most)
    n += next
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
    onOneConnection: (from) => watchedBy(watch, sender.onOneConnection(from), isObserved),
    group: (size, work) => sender.group(size, (inner) => work(watchedBy(watch, inner, isObserved))),
  }
}

function note<C extends Case>(exchanges: readonly Exchange[], sending: Sending<C>, testCase: C): void {
  for (const exchange of exchanges) {
    sending.onExchange(exchange, testCase)
    const { key } = exchange.delivery
    if (isAcknowledged(exchange) && key !== undefined) sending.acknowledged.add(key)
  }
}

/** Waits until each key shows an effect, or the receiver is at rest. */
async function shown(keys: readonly string[], watch: Watch): Promise<void> {
  // Each of these waits would delay the others: the case is judged by what it awaits at its end.
  if (watch.hasStopped()) return
  let absent = keys
  const look = async () => {
    const effects = await watch.observe(absent)
    absent = absent.filter((id) => effects(id).length === 0)
    return absent.length === 0
  }
  // An observation that fails is reported when the effects are judged.
  await watch.until(look, keys.length).catch(() => undefined)
}

function isKeyAcknowledged(key: string, exchanges: readonly Exchange[]): boolean {
  return exchanges.some((exchange) => exchange.delivery.key === key && isAcknowledged(exchange))
}

/** How many deliveries a step sends at the same time. */
function atOnce({ how, deliveries }: Plan[number]): number {
  return how === 'together' || how === 'pipelined' || how === 'held' ? deliveries.length : 1
}

function isSlow({ transport }: Delivery): boolean {
  return transport !== undefined && transport.kind !== 'chunked' && transport.kind !== 'raw'
}

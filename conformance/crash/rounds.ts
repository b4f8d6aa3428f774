import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../schemas/types.ts'
import type { Kit } from '../contracts/payment-service/index.ts'
import type { EffectCounts, Story } from '../contracts/webhook/crash-finding.ts'
import type { Delivery } from '../contracts/webhook/delivery.ts'
import { forged, header, signedAt } from '../contracts/webhook/mutate.ts'
import { EngineError, type NotStarted } from '../engine/errors.ts'
import type { Observer } from '../engine/observe/observe.ts'
import { awakeNow } from '../engine/time/awake.ts'
import { burst } from './burst.ts'
import { type Moment, momentsOf, randomFrom } from './moments.ts'
import type { CrashOptions } from './options.ts'
import {
  acknowledgmentOf,
  COMPLETED,
  countEffects,
  makePayment,
  type Payment,
  type PaymentEvent,
  REFUND,
  wasSent,
} from './payments.ts'
import type { World } from './receiver.ts'
import { type Attempt, send } from './send.ts'
import { look, type Settled, settle } from './settle.ts'

/** What happened in a round, as far as all its payments have it in common; times are those of `performance.now()`. */
export interface RoundTimes {
  readonly round: number
  readonly moment: Moment
  readonly startedAt: number
  readonly killedAt: number
  /** When the receiver accepted deliveries again. */
  readonly readyAt: number
  /** When everything was delivered again; undefined before that. */
  readonly redeliveredAt?: number
}

/** A payment that a crash lost or doubled, or of which no redelivery was accepted. */
export interface Failure {
  readonly kind: 'lost' | 'doubled' | 'not-accepted'
  readonly payment: Payment
  /** How long before the kill it was acknowledged, in milliseconds; undefined for what was acknowledged only after the restart. */
  readonly beforeKillMs: number | undefined
  /** For a lost payment: whether it had its effect after it was delivered again. */
  readonly isRecovered?: boolean
  readonly story: Story
}

/** A delivery that was refused, and the effects that it still has. */
export interface HandledRefusal {
  readonly round: number
  readonly refused: Attempt
  readonly observed: EffectCounts
}

/** After this many rounds with a failure, more would only repeat them. */
const FAILED_ROUNDS = 3

/** The rounds of a run. */
export interface Rounds {
  readonly done: readonly Round[]
  /** What was handled again after its round. */
  readonly late: readonly Failure[]
  /** What was refused in a round, and was handled then or after a later start. */
  readonly refusals: readonly HandledRefusal[]
  /** Why the receiver did not start again after a crash, and in which round. */
  readonly notStarted?: { readonly round: number; readonly why: NotStarted } | undefined
}

/** Those of a run that tried no crash. */
export const NO_ROUNDS: Rounds = { done: [], late: [], refusals: [] }

/** Kills the receiver in each round, until too many rounds have failed or it does not start again. */
export async function runRounds(
  { rounds, round: only, onRound }: CrashOptions & { readonly rounds: number },
  world: World,
): Promise<Rounds> {
  const done: Round[] = []
  for (const [index, moment] of momentsOf(world.seed, rounds, world.effectMs).entries()) {
    const number = index + 1
    if (only !== undefined && only !== number) continue
    if (done.filter(({ failures }) => failures.length > 0).length >= FAILED_ROUNDS) break
    onRound?.(number, moment)
    try {
      done.push(await runRound(number, moment, world))
    } catch (error) {
      if (!(error instanceof EngineError) || error.failure.code !== 'not_started') throw error
      return { ...NO_ROUNDS, done, notStarted: { round: number, why: error.failure.why } }
    }
  }
  return {
    done,
    late: await lookBack(done, world.observer),
    refusals: await handledRefusals(done, world.observer),
  }
}

/** The result of one round. */
export interface Round {
  readonly payments: readonly Payment[]
  /** How many of them were acknowledged before the receiver was started again. */
  readonly acknowledged: number
  readonly times: RoundTimes
  readonly kills: number
  readonly failures: readonly Failure[]
  /** Deliveries that were refused before the kill. */
  readonly refused: readonly Attempt[]
}

/** Fewer payments where each observation is a process. */
const MOST_WHEN_COSTLY = 12
const COSTLY_INTERVAL_MS = 100
/** After this time a second handling of a redelivery shows, in milliseconds. */
const LEAST_GRACE_MS = 60
const MOST_GRACE_MS = 2_000
/** How long a lost payment may stay without an effect after its redelivery before it counts as not recovered. */
const LEAST_RECOVERY_MS = 1_000

/**
 * One round: a burst, a kill, a start; then it observes what survived before anything is sent again, delivers everything
 * again with new signatures, and observes once more.
 */
async function runRound(number: number, moment: Moment, world: World): Promise<Round> {
  const { service, receiver, target, observer, sent } = world
  const random = randomFrom(`${world.seed}/round-${number}`)
  const kit = world.kitOf(`round-${number}`)
  const startedAt = performance.now()
  const refusals = await sendRefused(kit, world)
  let count = 0
  const { payments: made, killedAt } = await burst({
    target,
    moment,
    make: () => makePayment(kit, service, random, count++),
    observer,
    ...(observer.intervalMs >= COSTLY_INTERVAL_MS && { most: MOST_WHEN_COSTLY }),
    kill: () => receiver.current().killNow(),
    sent,
  })
  await receiver.current().gone()
  let kills = 1
  if (moment.kind === 'during-start') {
    receiver.launchOnly()
    await pause(moment.ofStart * world.startMs)
    receiver.current().killNow()
    await receiver.current().gone()
    kills += 1
  }
  const { readyAt, probe } = await receiver.start()
  const payments = [...made.filter(({ sent }) => sent.length > 0 && !sent.every(isTooLarge)), probe]
  const acknowledged = acknowledgedAmong(made)
  const times = { round: number, moment, startedAt, killedAt, readyAt }

  const early = payments.filter(({ isRefundedEarly }) => isRefundedEarly === true)
  // One that is not accepted is delivered again below.
  await deliver(early, { ...world, kit }, (_, event) => event === COMPLETED)
  // Work that is repeated after the start shows a little later than what was kept.
  const graceMs = Math.min(Math.max(world.effectMs * 2, LEAST_GRACE_MS), MOST_GRACE_MS)
  let kept = await settle(payments, world)
  if (![...kept.wrong.values()].some(({ kind }) => kind === 'missing')) {
    await pause(graceMs)
    kept = await settle(payments, world)
  }
  const failures = failuresOf(kept, times)
  const failed = new Set(failures.map(({ payment }) => payment))
  const rest = payments.filter((payment) => !failed.has(payment))

  const refused = await deliver(payments, { ...world, kit }, wasSent)
  const redelivered = { ...times, redeliveredAt: performance.now() }
  failures.push(
    ...refused
      .filter(({ payment }) => !failed.has(payment))
      .map(({ payment, ...about }) => failureOf('not-accepted', payment, about, times)),
  )
  const open = rest.filter((payment) => !refused.some((one) => one.payment === payment))
  await settle(open, world)
  await pause(graceMs)
  failures.push(...failuresOf(await settle(open, world), redelivered))
  const described = await recoveredAmong(failures, world)
  return { payments, acknowledged, times: redelivered, kills, failures: described, refused: refusals }
}

/** A body that the receiver does not take is no loss: what it has to take is no matter of crashes. */
const isTooLarge = ({ status }: Attempt): boolean => status === 413

/** What a receiver has to refuse, each for another reason. */
const TO_REFUSE = [
  forged,
  header('no signature header', () => []),
  signedAt('t an hour ago', (now) => now - 3600),
]

/** Sends deliveries that have to be refused, each of a payment of its own. @returns those that were */
async function sendRefused(kit: Kit, { target, sent }: World): Promise<Attempt[]> {
  const attempts: Attempt[] = []
  for (const change of TO_REFUSE) {
    const attempt = await send(change(kit.delivery('completed'), kit), target)
    sent(attempt)
    attempts.push(attempt)
  }
  return attempts.filter(({ status }) => status !== undefined && status >= 400)
}

/** Looks for effects of what was refused: a receiver that has stored it may handle it at any later start. */
async function handledRefusals(
  rounds: readonly Round[],
  observer: Observer<Effect>,
): Promise<HandledRefusal[]> {
  const found: HandledRefusal[] = []
  for (const { refused, times } of rounds) {
    for (const attempt of refused) {
      const effects = await observer.effects(attempt.delivery.key ?? '')
      if (effects.length > 0)
        found.push({ round: times.round, refused: attempt, observed: countEffects(effects) })
    }
  }
  return found
}

/** Adds to each lost payment what became of it once it had been delivered again: that names the cause. */
async function recoveredAmong(failures: readonly Failure[], world: World): Promise<Failure[]> {
  const lost = failures.filter(({ kind }) => kind === 'lost').map(({ payment }) => payment)
  const quietForMs = Math.min(world.recoverWithinMs, Math.max(world.effectMs * 4, LEAST_RECOVERY_MS))
  const { effects, wrong } = await settle(lost, { ...world, recoverWithinMs: quietForMs })
  return failures.map((failure) => {
    const { kind, payment, story } = failure
    if (kind !== 'lost') return failure
    const isRecovered = !wrong.has(payment)
    // What was missing only after the redelivery is not delivered once more.
    return story.redeliveredMs === undefined
      ? { ...failure, isRecovered, story: { ...story, again: countEffects(effects.get(payment.id) ?? []) } }
      : { ...failure, isRecovered }
  })
}

/** Looks at the payments of all rounds once more: what was handled again later counts as doubled. */
async function lookBack(rounds: readonly Round[], observer: Observer<Effect>): Promise<Failure[]> {
  const failures: Failure[] = []
  for (const { payments, times, failures: known } of rounds) {
    const rest = payments.filter((payment) => !known.some((failure) => failure.payment === payment))
    const now = await look(rest, observer)
    failures.push(...failuresOf(now, times).filter(({ kind }) => kind === 'doubled'))
  }
  return failures
}

function failuresOf({ wrong, quietMs }: Settled, times: RoundTimes): Failure[] {
  return [...wrong].map(([payment, found]) => {
    return found.kind === 'missing'
      ? failureOf('lost', payment, { ...found, quietMs }, times)
      : failureOf('doubled', payment, found, times)
  })
}

/** How many payments were acknowledged, by any of their events. */
function acknowledgedAmong(payments: readonly Payment[]): number {
  return payments.filter((payment) =>
    [COMPLETED, REFUND].some((event) => acknowledgmentOf(payment, event) !== undefined),
  ).length
}

/** Describes a payment that is not as it should be. */
export function failureOf(
  kind: Failure['kind'],
  payment: Payment,
  { event, observed, quietMs }: Pick<Story, 'observed' | 'quietMs'> & { readonly event: PaymentEvent },
  { round, moment, startedAt, killedAt, readyAt, redeliveredAt }: RoundTimes,
): Failure {
  const acknowledged = acknowledgmentOf(payment, event)
  // The probe of the restart and redeliveries are sent after the kill.
  const isBefore =
    acknowledged?.answeredAt !== undefined &&
    acknowledged.sentAt <= killedAt &&
    acknowledged.answeredAt <= readyAt
  const acknowledgedAt = isBefore ? acknowledged.answeredAt : undefined
  const first = payment.sent.find(({ delivery }) => delivery.event === event)
  const since = (time: number) => time - startedAt
  return {
    kind,
    payment,
    // A response that was on its way when the kill came arrives after it.
    beforeKillMs: acknowledgedAt === undefined ? undefined : Math.max(0, killedAt - acknowledgedAt),
    story: {
      round,
      payment: payment.id,
      event,
      moment,
      sentMs: first && since(first.sentAt),
      acknowledgedMs: acknowledgedAt === undefined ? undefined : since(acknowledgedAt),
      killedMs: since(killedAt),
      readyMs: since(readyAt),
      redeliveredMs: redeliveredAt === undefined ? undefined : since(redeliveredAt),
      observed,
      quietMs,
    },
  }
}

const REDELIVERY_LANES = 4
const FIRST_GAP_MS = 50
const LONGEST_GAP_MS = 1_000

/** A delivery that was never acknowledged. */
interface Refused {
  readonly payment: Payment
  readonly event: PaymentEvent
  /** The last answer. */
  readonly observed: Attempt
}

/**
 * Delivers events of payments after the start with new signatures, each until it is acknowledged: a receiver may ask for a
 * while that the sender come again.
 *
 * @param isDue which events of a payment
 * @returns what was not acknowledged although no other delivery had been for the time to recover
 */
async function deliver(
  payments: readonly Payment[],
  world: World & { readonly kit: Kit },
  isDue: (payment: Payment, event: PaymentEvent) => boolean,
): Promise<Refused[]> {
  const { kit, target, recoverWithinMs, signal } = world
  const queue = [...payments]
  const refused: Refused[] = []
  let progressAt = awakeNow()

  async function untilAcknowledged(delivery: Delivery, payment: Payment): Promise<Attempt> {
    for (let gap = FIRST_GAP_MS; ; gap = Math.min(gap * 2, LONGEST_GAP_MS)) {
      signal?.throwIfAborted()
      const last = await send(kit.redelivery(delivery), target)
      payment.sent.push(last)
      world.sent(last)
      if (last.status === 200) progressAt = awakeNow()
      if (last.status === 200 || awakeNow() - progressAt > recoverWithinMs) return last
      world.onWaiting('waiting for the receiver to accept redeliveries')
      await pause(gap)
    }
  }
  async function lane(): Promise<void> {
    for (let payment = queue.shift(); payment !== undefined; payment = queue.shift()) {
      const events: [PaymentEvent, Delivery | undefined][] = [
        [COMPLETED, payment.completed],
        [REFUND, payment.refund],
      ]
      for (const [event, delivery] of events) {
        if (delivery === undefined || !isDue(payment, event)) continue
        const last = await untilAcknowledged(delivery, payment)
        if (last.status === 200) continue
        refused.push({ payment, event, observed: last })
        break
      }
    }
  }
  await Promise.all(Array.from({ length: REDELIVERY_LANES }, lane))
  return refused
}

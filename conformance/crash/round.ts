import { setTimeout as pause } from 'node:timers/promises'
import type { Observer } from '../observe/observe.ts'
import { burst } from './burst.ts'
import type { Moment } from './moments.ts'
import { acknowledgmentOf, COMPLETED, makePayment, type Payment, REFUND } from './payments.ts'
import { randomFrom } from './random.ts'
import { redeliver } from './redeliver.ts'
import { look, type Settled, settle } from './settle.ts'
import { type Failure, type RoundTimes, storyOf } from './verdicts/story.ts'
import type { World } from './world.ts'

/** The result of one round. */
export interface Round {
  readonly payments: readonly Payment[]
  /** How many of them were acknowledged before the receiver was started again. */
  readonly acknowledged: number
  readonly times: RoundTimes
  readonly kills: number
  readonly failures: readonly Failure[]
}

/** Fewer payments where each observation is a process. */
const MOST_WHEN_COSTLY = 12
const COSTLY_INTERVAL_MS = 100
/** After this time a second handling of a redelivery shows, in milliseconds. */
const LEAST_GRACE_MS = 60
const MOST_GRACE_MS = 2_000

/**
 * One round: a burst, a kill, a start; then it observes what survived before anything is sent again, delivers everything
 * again with new signatures, and observes once more.
 */
export async function runRound(number: number, moment: Moment, world: World): Promise<Round> {
  const { receiver, target, observer, recoverWithinMs, signal, sent } = world
  const random = randomFrom(`${world.seed}/round-${number}`)
  const kit = world.kitOf(`round-${number}`)
  const startedAt = performance.now()
  const { payments: made, killedAt } = await burst({
    target,
    moment,
    make: () => makePayment(kit, random),
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
  const payments = [...made.filter(({ sent }) => sent.length > 0), probe]
  const acknowledged = acknowledgedAmong(made)
  const times = { round: number, moment, startedAt, killedAt, readyAt }

  const kept = await settle(payments, observer, recoverWithinMs, signal)
  const failures = failuresOf(kept, times)
  const failed = new Set(failures.map(({ payment }) => payment))
  const rest = payments.filter((payment) => !failed.has(payment))

  const refused = await redeliver(payments, { ...world, kit })
  const redelivered = { ...times, redeliveredAt: performance.now() }
  failures.push(
    ...refused
      .filter(({ payment }) => !failed.has(payment))
      .map(({ payment, event, observed }): Failure => {
        const story = storyOf(payment, { event, observed }, times, '')
        return { kind: 'not-accepted', round: number, payment, story }
      }),
  )
  const open = rest.filter((payment) => !refused.some((one) => one.payment === payment))
  await settle(open, observer, recoverWithinMs, signal)
  await pause(Math.min(Math.max(world.effectMs * 2, LEAST_GRACE_MS), MOST_GRACE_MS))
  failures.push(...failuresOf(await settle(open, observer, recoverWithinMs, signal), redelivered))
  return { payments, acknowledged, times, kills, failures }
}

/** Looks at the payments of all rounds once more: what was handled again later counts as doubled. */
export async function lookBack(rounds: readonly Round[], observer: Observer): Promise<Failure[]> {
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
    const isLost = found.kind === 'missing'
    const end = isLost
      ? `when nothing had changed for ${(quietMs / 1000).toFixed(1)} s (--recover-within)`
      : ''
    return {
      kind: isLost ? 'lost' : 'doubled',
      round: times.round,
      payment,
      story: storyOf(payment, found, times, end),
    }
  })
}

/** How many payments were acknowledged, by any of their events. */
function acknowledgedAmong(payments: readonly Payment[]): number {
  return payments.filter((payment) =>
    [COMPLETED, REFUND].some((event) => acknowledgmentOf(payment, event) !== undefined),
  ).length
}

import { setTimeout as pause } from 'node:timers/promises'
import type { Observer } from '../engine/observe/observe.ts'
import { burst } from './burst.ts'
import { describe } from './judge.ts'
import type { Moment } from './moments.ts'
import { acknowledgmentOf, COMPLETED, makePayment, type Payment, REFUND } from './payments.ts'
import { randomFrom } from './random.ts'
import { redeliver } from './redeliver.ts'
import { look, type Settled, settle } from './settle.ts'
import { type Failure, failureOf, type RoundTimes } from './verdicts/story.ts'
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
/** How long a lost payment may stay without an effect after its redelivery before it counts as not recovered. */
const LEAST_RECOVERY_MS = 1_000

/**
 * One round: a burst, a kill, a start; then it observes what survived before anything is sent again, delivers everything
 * again with new signatures, and observes once more.
 */
export async function runRound(number: number, moment: Moment, world: World): Promise<Round> {
  const { receiver, target, observer, sent } = world
  const random = randomFrom(`${world.seed}/round-${number}`)
  const kit = world.kitOf(`round-${number}`)
  const startedAt = performance.now()
  const { payments: made, killedAt } = await burst({
    target,
    moment,
    make: () => makePayment(kit, random),
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
  const payments = [...made.filter(({ sent }) => sent.length > 0), probe]
  const acknowledged = acknowledgedAmong(made)
  const times = { round: number, moment, startedAt, killedAt, readyAt }

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

  const refused = await redeliver(payments, { ...world, kit })
  const redelivered = { ...times, redeliveredAt: performance.now() }
  failures.push(
    ...refused
      .filter(({ payment }) => !failed.has(payment))
      .map(({ payment, event, observed }): Failure => {
        return failureOf('not-accepted', payment, { event, observed }, times)
      }),
  )
  const open = rest.filter((payment) => !refused.some((one) => one.payment === payment))
  await settle(open, world)
  await pause(graceMs)
  failures.push(...failuresOf(await settle(open, world), redelivered))
  const described = await recoveredAmong(failures, world)
  return { payments, acknowledged, times: redelivered, kills, failures: described }
}

/** Adds to each lost payment what became of it once it had been delivered again: that names the cause. */
async function recoveredAmong(failures: readonly Failure[], world: World): Promise<Failure[]> {
  const lost = failures.filter(({ kind }) => kind === 'lost').map(({ payment }) => payment)
  const quietForMs = Math.min(world.recoverWithinMs, Math.max(world.effectMs * 4, LEAST_RECOVERY_MS))
  const { effects, wrong } = await settle(lost, { ...world, recoverWithinMs: quietForMs })
  return failures.map((failure) => {
    const { payment, story } = failure
    if (failure.kind !== 'lost') return failure
    const now = describe(effects.get(payment.id) ?? [])
    const isRecovered = !wrong.has(payment)
    // What was missing only after the redelivery is not delivered once more.
    const later = failure.isAfterRedelivery ? '' : `; delivered again: ${now}`
    return { ...failure, isRecovered, story: `${story}${later}` }
  })
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
    const end = isLost ? `, and nothing changed for ${(quietMs / 1000).toFixed(1)} s (--recover-within)` : ''
    return failureOf(isLost ? 'lost' : 'doubled', payment, found, times, end)
  })
}

/** How many payments were acknowledged, by any of their events. */
function acknowledgedAmong(payments: readonly Payment[]): number {
  return payments.filter((payment) =>
    [COMPLETED, REFUND].some((event) => acknowledgmentOf(payment, event) !== undefined),
  ).length
}

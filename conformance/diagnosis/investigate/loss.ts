import { setTimeout as pause } from 'node:timers/promises'
import type { Effect } from '../../../schemas/types.ts'
import type { Delivery } from '../../contracts/webhook/delivery.ts'
import type { Kit, OddEvent } from '../../contracts/webhook/kit.ts'
import type { Observation, Verdict } from '../../contracts/webhook/model.ts'
import { forged } from '../../contracts/webhook/mutate.ts'
import type { ShownHandling } from '../../contracts/webhook/observation.ts'
import { type Exchange, isAcknowledged } from '../../engine/exchange.ts'
import type { Observer } from '../../engine/observe/observe.ts'
import type { Sender } from '../../engine/wire/sender.ts'
import { type FoundAfterwards, isOpen, type ProbedCode, showsAny } from '../symptoms.ts'

/** By what more deliveries are sent. */
export interface Means {
  readonly sender: Sender
  readonly kit: Kit
  readonly observer: Observer<Effect | ShownHandling> | undefined
  /** How long effects that are missing may take, in milliseconds. */
  readonly waitMs: number
}

/** Some payments of a few that arrive together, and of many. */
const AT_ONCE = { few: 10, rounds: 6, many: 120 }
/** Payments that are sent one after another, and must all be fulfilled. */
const IN_TURN = 8
/** A loss is no accident once it has been seen so often. */
const TIMES = 2
/** Long enough for a receiver that waits for later events of a payment, in milliseconds. */
const APART_MS = 1_000
const PAYMENTS = 5

const LOSSES: readonly (Observation | undefined)[] = [
  'not-fulfilled',
  'not-reversed',
  'fulfilled-after-refund',
  'not-handled',
]

/** Whether a case shows that an event was acknowledged and lost. */
export function showsLoss(verdict: Verdict): boolean {
  return isOpen(verdict) && verdict.problems.some(({ observed }) => LOSSES.includes(observed))
}

/** Finds out when acknowledged events are lost; nothing unless several cases show it, and effects can be observed. */
export async function whenLost(
  verdicts: readonly Verdict[],
  by: Means,
): Promise<Pick<FoundAfterwards, 'lostBeside'> & { readonly probed: readonly ProbedCode[] }> {
  const nothing = { probed: [] }
  const lossy = verdicts.filter(showsLoss)
  if (by.observer === undefined || lossy.length < TIMES || !verdicts.some(showsAny)) return nothing
  const lostRefunds = lossy.filter(({ problems }) =>
    problems.some(({ observed }) => observed !== 'not-fulfilled' && observed !== 'not-handled'),
  )
  if (lostRefunds.length >= TIMES && (await onlyLastHandled(by))) return { probed: ['events_debounced'] }
  const lostInTurn = await lostOf(IN_TURN, 1, by)
  if (lostInTurn === IN_TURN) return { probed: ['work_stopped'] }
  // One that is lost now and then may be among them.
  if (lostInTurn > 0 && (await lostOf(IN_TURN, 1, by)) > 0) return nothing
  if (await losesAFew(by)) {
    // As many are lost that arrive one after another: their number is the reason, not that they arrive together.
    if (await losesInTurn(AT_ONCE.few * AT_ONCE.rounds, by)) return { probed: ['lost_now_and_then'] }
    return { probed: [(await handlesForged(by)) ? 'requests_mixed_up' : 'lost_when_concurrent'] }
  }
  const lostBeside = await besideWhat(by)
  if (lostBeside !== undefined) return { probed: ['lost_beside_another'], lostBeside }
  const isBurst =
    (await lostOf(AT_ONCE.many, AT_ONCE.many, by)) >= TIMES &&
    (await lostOf(AT_ONCE.many, AT_ONCE.many, by)) >= TIMES
  if (!isBurst) return nothing
  if (await losesInTurn(AT_ONCE.many, by)) return { probed: ['lost_now_and_then'] }
  return { probed: [(await handlesForged(by)) ? 'requests_mixed_up' : 'lost_in_burst'] }
}

/** How many of the payments are acknowledged and never fulfilled, when so many arrive together. */
async function lostOf(count: number, together: number, by: Means): Promise<number> {
  const all = Array.from({ length: count }, () => by.kit.valid())
  const acknowledged: Delivery[] = []
  for (let at = 0; at < count; at += together) {
    acknowledged.push(...(await sendTogether(all.slice(at, at + together), by)))
  }
  return unfulfilled(acknowledged, by)
}

/** Whether payments are lost of so many that arrive one after another, a few of which are handled before more arrive. */
async function losesInTurn(count: number, by: Means): Promise<boolean> {
  for (let sent = 0; sent < count; sent += IN_TURN) if ((await lostOf(IN_TURN, 1, by)) > 0) return true
  return false
}

const isAcknowledgedBy = (exchange: Exchange | undefined) =>
  exchange !== undefined && isAcknowledged(exchange)

/** Sends deliveries at the same time. @returns those that were acknowledged */
async function sendTogether(deliveries: readonly Delivery[], { sender }: Means): Promise<Delivery[]> {
  const exchanges = await Promise.all(deliveries.map((delivery) => sender.send(delivery)))
  return deliveries.filter((_, index) => isAcknowledgedBy(exchanges[index]))
}

/** Whether payments are lost of which only a few arrive together, while nothing else waits. */
async function losesAFew(by: Means): Promise<boolean> {
  let times = 0
  for (let round = 0; round < AT_ONCE.rounds && times < TIMES; round += 1) {
    if ((await lostOf(AT_ONCE.few, AT_ONCE.few, by)) > 0) times += 1
  }
  return times === TIMES
}

async function unfulfilled(payments: readonly Delivery[], by: Means): Promise<number> {
  const seen = await settled(payments, by, (effects) => effects.length > 0)
  return seen.filter((effects) => effects.length === 0).length
}

/** The effects of payments once all are done, or nothing has changed for the waiting time. */
async function settled(
  payments: readonly Delivery[],
  { observer, waitMs }: Means,
  isDone: (effects: readonly (Effect | ShownHandling)[]) => boolean,
): Promise<(readonly (Effect | ShownHandling)[])[]> {
  const known = payments.map((): readonly (Effect | ShownHandling)[] => [])
  let movedAt = performance.now()
  for (;;) {
    const lookedAt = performance.now()
    for (const [index, { key: paymentId = '' }] of payments.entries()) {
      const before = known[index] ?? []
      if (isDone(before)) continue
      const effects = (await observer?.effects(paymentId).catch(() => [])) ?? []
      if (effects.length !== before.length) movedAt = performance.now()
      known[index] = effects
    }
    if (known.every(isDone) || lookedAt - movedAt >= waitMs) return known
    await pause(observer?.intervalMs ?? 0)
  }
}

/** Whether a forged payment is fulfilled that arrives together with a valid one. */
async function handlesForged(by: Means): Promise<boolean> {
  const { kit } = by
  const bad: Delivery[] = []
  for (let round = 0; round < AT_ONCE.rounds; round += 1) {
    const pairs = Array.from({ length: AT_ONCE.few }, () => [kit.valid(), kit.valid()])
    bad.push(...pairs.flatMap(([, one]) => one ?? []))
    await sendTogether(
      pairs.flatMap(([valid, one]) => (valid && one ? [valid, forged(one, kit)] : [])),
      by,
    )
  }
  return (await unfulfilled(bad, by)) < bad.length
}

/** An event that payments are lost beside. */
async function besideWhat(by: Means): Promise<OddEvent | undefined> {
  const { kit } = by
  for (const [what, make] of kit.related?.odd ?? []) {
    let times = 0
    while (times < TIMES && (await isLostBeside(make(), by))) times += 1
    if (times === TIMES) return what
  }
  return undefined
}

async function isLostBeside(odd: Delivery, by: Means): Promise<boolean> {
  const own = () => by.kit.valid()
  const [one, two, three, four] = [own(), own(), own(), own()]
  const acknowledged = await sendTogether([one, two, odd, three, four], by)
  return (
    (await unfulfilled(
      acknowledged.filter((delivery) => delivery !== odd),
      by,
    )) > 0
  )
}

/** Whether of events of one payment that follow one another at once, only the last has an effect. */
async function onlyLastHandled(by: Means): Promise<boolean> {
  const { kit, sender } = by
  if (kit.related === undefined) return false
  const { refundOf, failureOf } = kit.related
  const make = () => Array.from({ length: PAYMENTS }, () => kit.valid())
  const [refunded, failed, refundedLater, failedLater] = [make(), make(), make(), make()]
  const send = async (deliveries: readonly Delivery[]) => {
    for (const one of deliveries) await sender.send(one)
  }
  await send(refunded.flatMap((paid) => [refundOf(paid), paid]))
  await send(failed.flatMap((paid) => [paid, failureOf(paid)]))
  await send([...refundedLater.map(refundOf), ...failedLater])
  await pause(APART_MS)
  await send([...refundedLater, ...failedLater.map(failureOf)])
  const all = await settled([...refunded, ...failed, ...refundedLater, ...failedLater], by, () => false)
  const shown = all.map((effects) => effects.flatMap((one) => ('effect' in one ? one.effect : [])).join())
  const part = (index: number) => shown.slice(index * PAYMENTS, (index + 1) * PAYMENTS)
  const isLate = part(2).every((effects) => effects === '' || effects === 'reversed')
  return (
    isLate &&
    part(3).every((effects) => effects === 'fulfilled') &&
    // A machine that is busy sends some of them too far apart.
    part(0).filter((effects) => effects === 'fulfilled').length >= TIMES &&
    part(1).filter((effects) => effects === '').length >= TIMES
  )
}

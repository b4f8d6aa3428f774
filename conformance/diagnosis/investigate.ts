import type { Delivery } from '../contracts/payment-service/delivery.ts'
import { createKit, type Kit, type KitOptions } from '../contracts/payment-service/kit.ts'
import type { Verdict } from '../contracts/payment-service/model.ts'
import type { Observer } from '../engine/observe/observe.ts'
import type { Traffic } from '../engine/pace/traffic.ts'
import { pauseAwake } from '../engine/time/awake.ts'
import type { Sender } from '../engine/wire/sender.ts'
import { type Alternative, alternatives, clockOff } from './alternatives.ts'
import { MOST } from './causes/entire/run.ts'
import { evidenceOf, lacksEffects } from './evidence.ts'
import { type Findings, NO_FINDINGS } from './findings.ts'
import { whenLost } from './probes/loss.ts'
import { probe } from './probes/probes.ts'
import type { Statement } from './statement.ts'

/** Something of a delivery is kept for the next one on its connection. */
export const NOT_RESET: Statement = {
  code: 'connection_not_reset',
  sentence: 'Only the first delivery on a connection is accepted.',
  fix: 'Start every request with an empty buffer: data from one delivery is kept for the next one on its connection.',
}

/** How many deliveries or observations are in flight at once. */
const AT_ONCE = 8
/** How long to wait at most before that, in milliseconds. */
const MOST_WAIT_MS = 5_000
/** How often a difference must repeat. */
const TIMES = 2
/** What a receiver answers that has no time to verify. */
const OVERLOADED = [429, 503]
/** How many payments are looked at again. */
const LOOKED_AT = 40

/**
 * Looks for the cause when nearly every valid delivery was refused, by deliveries that each give one mistake away, or
 * when effects are missing, by looking once more. A run without such failures sends nothing and does not wait.
 *
 * @param traffic sends the deliveries, at the rate of the run
 * @param waitMs how long the receiver gets for effects that are missing, in milliseconds
 */
export async function investigate(
  verdicts: readonly Verdict[],
  traffic: Pick<Traffic, 'aside'>,
  kit: KitOptions,
  observer: Observer | undefined,
  waitMs: number,
): Promise<Findings> {
  const sender = traffic.aside()
  const probing = {
    sender,
    kit: createKit('probes', kit),
    observer,
    waitMs: Math.min(waitMs, MOST_WAIT_MS),
  }
  const given = await givenAway(verdicts, traffic, kit)
  const probed = await probe(verdicts, probing)
  // Payments that are lost for one of those reasons need no other one.
  const lost = probed.length === 0 ? await whenLost(verdicts, probing) : { probed: [] }
  sender.close()
  return {
    ...given,
    ...lost,
    probed: [...probed, ...lost.probed],
    lateEffects: observer === undefined ? new Set() : await appearedLate(verdicts, observer, waitMs),
  }
}

async function givenAway(
  verdicts: readonly Verdict[],
  traffic: Pick<Traffic, 'aside'>,
  options: KitOptions,
): Promise<Pick<Findings, 'given' | 'acceptsAgain'>> {
  const nothing = { given: [], acceptsAgain: false }
  const { valid, open } = evidenceOf(verdicts, NO_FINDINGS)
  const refused = valid.filter(({ status }) => status !== undefined && status >= 400 && status !== 429)
  if (open.length === 0 || refused.length === 0 || refused.length < valid.length * MOST) return nothing
  const kit = createKit('investigation', options)
  const sender: Sender = traffic.aside()
  try {
    const statusOf = async (delivery: Delivery) => (await sender.send(delivery)).answer?.status ?? 0
    const isAccepted = async ({ delivery }: Pick<Alternative, 'delivery'>) => {
      const status = await statusOf(delivery)
      return status >= 200 && status < 300
    }
    const first = await sender.send(kit.delivery('completed'))
    if (await acceptsOnePerConnection(sender, kit)) return { given: [NOT_RESET], acceptsAgain: true }
    if (first.answer?.status === 200 && (await acceptsAll(sender, kit))) {
      return { given: [], acceptsAgain: true }
    }
    const all = alternatives(kit)
    const tried = all.filter(({ isUnreadable }) => isUnreadable !== true)
    const accepted = await inChunks(tried, isAccepted)
    const given: Alternative[] = []
    for (const one of tried.filter((_, index) => accepted[index])) {
      if (one.contrast === undefined || !(await isAccepted({ delivery: one.contrast }))) given.push(one)
    }
    for (const one of given.length === 0 ? all.filter(({ isUnreadable }) => isUnreadable === true) : []) {
      if (await isVerified(one, first.answer?.status, statusOf)) given.push(one)
    }
    // It must still refuse a valid delivery, or the others prove nothing.
    if (given.length === 0 || (await isAccepted({ delivery: kit.delivery('completed') }))) return nothing
    return { given: statementsOf(given), acceptsAgain: false }
  } finally {
    sender.close()
  }
}

/** Whether valid deliveries of different events are accepted, each by a connection of its own. */
async function acceptsAll(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < AT_ONCE; n += 1) {
    const connection = sender.onOneConnection()
    const { answer } = await connection.send(kit.delivery('completed'))
    connection.close()
    if (answer?.status !== 200) return false
  }
  return true
}

/** Whether the first delivery on a connection is accepted, and the same one is refused when it follows on that connection. */
async function acceptsOnePerConnection(sender: Sender, kit: Kit): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    // One event: a receiver may accept some events only.
    const delivery = kit.delivery('completed')
    for (let connections = 0; connections < TIMES; connections += 1) {
      const one = sender.onOneConnection()
      const first = await one.send(kit.redelivery(delivery))
      const second = await one.send(kit.redelivery(delivery))
      one.close()
      if (first.answer?.status !== 200 || second.answer === undefined || second.answer.status < 400)
        return false
    }
  }
  return true
}

/**
 * Whether a receiver refuses a delivery for another reason than its signature: it answers each valid delivery, and each with
 * a wrong signature, with one status, and this one with another.
 */
async function isVerified(
  { delivery, contrast }: Alternative,
  usual: number | undefined,
  statusOf: (delivery: Delivery) => Promise<number>,
): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) {
    const status = await statusOf(delivery)
    if (contrast === undefined || (await statusOf(contrast)) !== usual) return false
    if (status === usual || status < 400 || OVERLOADED.includes(status)) return false
  }
  return true
}

/** Several shifts of `t` are one statement about the clock. */
function statementsOf(given: readonly Alternative[]): Statement[] {
  const shifts = given.flatMap(({ shiftSeconds }) => shiftSeconds ?? [])
  const mean = Math.round(shifts.reduce((sum, shift) => sum + shift, 0) / Math.max(1, shifts.length))
  return [
    ...given.filter(({ shiftSeconds }) => shiftSeconds === undefined).map(({ statement }) => statement),
    ...(shifts.length === 0 ? [] : [clockOff(mean)]),
  ]
}

/** The payments whose effects are there now, if the receiver is merely slow. */
async function appearedLate(
  verdicts: readonly Verdict[],
  observer: Observer,
  waitMs: number,
): Promise<Set<string>> {
  const missing = verdicts.filter(lacksEffects).flatMap(({ exchanges, effects }) =>
    exchanges.flatMap(({ delivery: { event, paymentId }, answer }) => {
      const paid = event === 'payment.completed' && answer?.status === 200 && paymentId !== undefined
      return paid && (effects?.get(paymentId)?.length ?? 0) === 0 ? paymentId : []
    }),
  )
  const late = new Set<string>()
  if (missing.length > 0) await pauseAwake(Math.min(waitMs, MOST_WAIT_MS))
  const looked = [...new Set(missing)].slice(0, LOOKED_AT)
  await inChunks(looked, async (id) => {
    // An observation that fails explains nothing here; its case says why.
    const effects = await observer.effects(id).catch(() => [])
    if (effects.length > 0) late.add(id)
  })
  // A single one may have come with a redelivery; if the receiver is slow, nearly all come.
  return late.size >= looked.length * MOST ? late : new Set()
}

async function inChunks<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let at = 0; at < items.length; at += AT_ONCE) {
    results.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(run))))
  }
  return results
}

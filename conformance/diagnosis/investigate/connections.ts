import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../../contracts/webhook/delivery.ts'
import type { Kit } from '../../contracts/webhook/kit.ts'
import type { Verdict } from '../../contracts/webhook/model.ts'
import { forged, sentAs } from '../../contracts/webhook/mutate.ts'
import { type Exchange, isAcknowledged } from '../../engine/exchange.ts'
import { LONGEST_WAIT_SECONDS } from '../../engine/renewal.ts'
import type { Sender } from '../../engine/wire/sender.ts'
import { isClaimedTwice } from '../causes/concurrency.ts'
import {
  fulfilledTwice,
  NOTHING_FOUND,
  type ProbedCode,
  type Symptoms,
  symptomsOf,
  type Trial,
  timesIn,
} from '../symptoms.ts'
import type { Means } from './loss.ts'

/** A probe is repeated: it proves nothing unless it ends in the same way each time. */
const TIMES = 2
/** Redeliveries by other connections may happen to reach the same process. */
const PAYMENTS = 3
const COPIES = 6
/** When the effects of copies have appeared, if those of all payments have, in milliseconds. */
const SOON_MS = 500
/**
 * For how long bodies stay unfinished in each round, in milliseconds: a response that waits for them takes as long each
 * time, and that of a receiver which is slow for another reason does not.
 */
const UNFINISHED_MS = [800, 2_000, 1_200, 400]
/** How much longer or shorter it may take, in milliseconds. */
const TOLERANCE_MS = 250
/** How long after the bodies the valid delivery is sent, in milliseconds. */
const LATER_MS = 40
/** How many unfinished bodies block what one does not. */
const MANY_BODIES = 20

/** Sends deliveries that tell causes apart which the cases cannot; none unless a failure suggests one of them. */
export async function suspicionsOf(
  run: Pick<Symptoms, 'service' | 'verdicts'>,
  by: Means,
): Promise<ProbedCode[]> {
  const { trials, open } = symptomsOf(run, NOTHING_FOUND)
  const found: ProbedCode[] = []
  const isLetIn = trials.some(
    ({ correct, shouldAccept, accepted }) =>
      correct === 'forged' && shouldAccept === false && accepted === true,
  )
  if (isLetIn && (await every(() => trustsConnection(by)))) found.push('connection_trusted')
  const again = open.filter(fulfilledTwice).map((verdict) => verdict.case)
  const isApart = again.some(({ role }) => role === 'copies-apart')
  // Copies that arrive together may reach several processes, also if those that are sent apart happen to reach one.
  if (isApart || again.some(({ role }) => role === 'copies-together')) {
    // A pooled connection may reach another process too, so these cases rule out only that something was forgotten: neither
    // time nor other payments are why a payment is handled again that was delivered twice in turn, or only once.
    const mayForget =
      isApart &&
      !isClaimedTwice(run.verdicts) &&
      !again.some(({ role, late }) => role === 'copies-in-turn' || late !== undefined)
    const code = await whereHandledAgain(by, mayForget)
    if (code !== undefined) found.push(code)
  }
  const isSilent = open.some(({ exchanges }) => exchanges.some(({ error }) => error?.code === 'timeout'))
  const accepts = trials.some(
    ({ shouldAccept, exchange }) => shouldAccept === true && isAcknowledged(exchange),
  )
  if (accepts && (await failsWhenConcurrent(trials, by))) found.push('fails_when_concurrent')
  if (isSilent && accepts) found.push(...(await whatHoldsUp(by)))
  if (accepts && (await losesPlaces(trials, open, by))) found.push('places_not_released')
  return found
}

const isAccepted = ({ answer }: Exchange) =>
  answer !== undefined && answer.status >= 200 && answer.status < 300
const isRefused = ({ answer }: Exchange) => answer !== undefined && answer.status >= 400

async function every(probe: () => Promise<boolean>): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) if (!(await probe())) return false
  return true
}

/** Whether a connection needs no signature after one valid delivery, while another connection does. */
async function trustsConnection({ sender, kit }: Means): Promise<boolean> {
  const bad = () => forged(kit.valid(), kit)
  const one = sender.onOneConnection()
  const other = sender.onOneConnection()
  try {
    return (
      isRefused(await one.send(bad())) &&
      isAccepted(await one.send(kit.valid())) &&
      isAccepted(await one.send(bad())) &&
      isRefused(await other.send(bad()))
    )
  } finally {
    one.close()
    other.close()
  }
}

/**
 * Sends redeliveries by one connection and by several, and looks at which payments are fulfilled again. It does so once
 * more if only some were by one connection: the receiver may have closed it, and the next one reached another process.
 * @param mayForget whether a receiver that handles each once may be one that forgets
 */
async function whereHandledAgain(by: Means, mayForget: boolean): Promise<ProbedCode | undefined> {
  for (let n = 0; n < TIMES; n += 1) {
    const found = await compareConnections(by, mayForget)
    if (found !== 'unclear') return found
  }
  return undefined
}

async function compareConnections(
  { sender, kit, observer, waitMs }: Means,
  mayForget: boolean,
): Promise<ProbedCode | 'unclear' | undefined> {
  if (observer === undefined) return undefined
  const payments = () => Array.from({ length: PAYMENTS }, () => kit.valid())
  const [together, apart] = [payments(), payments()]
  for (const delivery of together) await deliver(delivery, kit, sender, 1)
  for (const delivery of apart) await deliver(delivery, kit, sender, COPIES)
  const count = async ({ key: paymentId = '' }: Delivery) => {
    const effects = await observer.effects(paymentId).catch(() => [])
    return timesIn(effects)
  }
  const begin = performance.now()
  const isOver = (ms: number) => performance.now() >= begin + Math.min(ms, waitMs)
  for (;;) {
    const [isLast, isSoon] = [isOver(waitMs), isOver(SOON_MS)]
    const ofOne = await Promise.all(together.map(count))
    const ofSeveral = await Promise.all(apart.map(count))
    const again = ofOne.filter((times) => times > 1).length
    if (again > 0) return again < PAYMENTS ? 'unclear' : undefined
    const isOnce = ofOne.every((times) => times === 1)
    if (isOnce && ofSeveral.filter((times) => times > 1).length > 1) return 'deduplicated_per_process'
    const areAllOnce = isOnce && ofSeveral.every((times) => times === 1)
    if (isLast) return mayForget && areAllOnce ? 'deduplication_forgotten' : undefined
    if (isSoon && areAllOnce && !mayForget) return undefined
    await pause(observer.intervalMs)
  }
}

/** Sends copies in turn, by as many new connections. */
async function deliver(delivery: Delivery, kit: Kit, sender: Sender, connections: number): Promise<void> {
  const senders = Array.from({ length: connections }, () => sender.onOneConnection())
  for (let n = 0; n < COPIES; n += 1) await senders[n % connections]?.send(kit.redelivery(delivery))
  for (const own of senders) own.close()
}

/** Whether nothing is answered any more, or a valid delivery waits until the bodies of others are complete. */
async function whatHoldsUp(by: Means): Promise<ProbedCode[]> {
  const { sender, kit } = by
  const isSilent = async () => (await sender.send(kit.valid())).error?.code === 'timeout'
  if (await every(isSilent)) return ['stopped_answering']
  const isBlocked = (await waitsFor(1, by)) || (await waitsFor(MANY_BODIES, by))
  return isBlocked ? ['blocked_by_unfinished_body'] : []
}

async function waitsFor(bodies: number, { sender, kit }: Means): Promise<boolean> {
  for (const gapMs of UNFINISHED_MS) {
    const slowly = sentAs('an unfinished body', () => ({ kind: 'drip', pieces: 2, gapMs }))
    const unfinished = Array.from({ length: bodies }, () => sender.send(slowly(kit.valid(), kit)))
    await pause(LATER_MS)
    const exchange = await sender.send(kit.valid())
    await Promise.all(unfinished)
    const waitedMs = LATER_MS + (exchange.answer?.ms ?? 0)
    if (!isAcknowledged(exchange) || Math.abs(waitedMs - gapMs) > TOLERANCE_MS) return false
  }
  return true
}

/** Deliveries that are sent one after another, and must all be accepted. */
const IN_TURN = 8
/** Deliveries that arrive together, in at most so many rounds. */
const AT_THE_SAME_TIME = { deliveries: 10, rounds: 6 }

const failed = ({ answer }: Pick<Exchange, 'answer'>) => answer !== undefined && answer.status >= 500

/** Whether a valid delivery got an error of the server. */
export const isFailedByServer = ({ shouldAccept, exchange }: Trial): boolean =>
  shouldAccept === true && failed(exchange)

/** The deliveries of a case whose senders broke off. */
export const brokenOffIn = ({ exchanges }: Verdict): Verdict['exchanges'] =>
  exchanges.filter(({ unanswered, delivery }) => unanswered && delivery.transport?.kind === 'truncated')

/** Whether valid deliveries fail since senders broke off, and still do so when they come alone. */
async function losesPlaces(
  trials: readonly Trial[],
  open: readonly Verdict[],
  { sender, kit }: Means,
): Promise<boolean> {
  // Senders break off late in a run: what fails most of it has another reason.
  const valid = trials.filter(({ shouldAccept }) => shouldAccept === true)
  if (valid.filter(({ exchange }) => isAcknowledged(exchange)).length <= valid.length / 2) return false
  const failing = trials.filter(isFailedByServer)
  const brokenOff = open
    .filter((verdict) => failing.some((trial) => trial.verdict === verdict))
    .flatMap(brokenOffIn)
  // What is sent may have been made earlier by as much as it may wait.
  const since = Math.min(...brokenOff.map(({ delivery: { madeAt = 0 } }) => madeAt)) - LONGEST_WAIT_SECONDS
  // What failed before them has another reason.
  if (failing.length === 0 || failing.some(({ delivery: { madeAt = 0 } }) => madeAt < since)) return false
  return every(async () => failed(await sender.send(kit.valid())))
}

/** Whether valid deliveries fail that arrive together, although each is accepted when it comes alone. */
async function failsWhenConcurrent(trials: readonly Trial[], by: Means): Promise<boolean> {
  if (trials.filter(isFailedByServer).length < TIMES) return false
  const { kit, sender } = by
  const next = () => sender.send(kit.valid())
  for (let n = 0; n < IN_TURN; n += 1) if (!isAcknowledged(await next())) return false
  let times = 0
  for (let round = 0; round < AT_THE_SAME_TIME.rounds && times < TIMES; round += 1) {
    const exchanges = await Promise.all(Array.from({ length: AT_THE_SAME_TIME.deliveries }, next))
    if (exchanges.some(failed)) times += 1
  }
  return times === TIMES
}

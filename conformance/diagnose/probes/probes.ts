import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery } from '../../case/delivery.ts'
import type { Kit } from '../../case/kit.ts'
import type { Exchange, Verdict } from '../../case/model.ts'
import { forged, sentAs } from '../../case/mutate.ts'
import type { Sender } from '../../deliver/http.ts'
import type { Observer } from '../../observe/observe.ts'
import { evidenceOf, fulfilledTwice } from '../evidence.ts'
import { NO_FINDINGS, type ProbedCode } from '../findings.ts'
import { failsWhenConcurrent } from './concurrent.ts'

/** What a probe sends by. */
export interface Probing {
  readonly sender: Sender
  readonly kit: Kit
  readonly observer: Observer | undefined
  /** How long effects that are missing may take, in milliseconds. */
  readonly waitMs: number
}

/** A probe is repeated: it proves nothing unless it ends in the same way each time. */
const TIMES = 2
/** Redeliveries by other connections may happen to reach the same process. */
const PAYMENTS = 3
const COPIES = 6
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
export async function probe(verdicts: readonly Verdict[], probing: Probing): Promise<ProbedCode[]> {
  const { trials, open } = evidenceOf(verdicts, NO_FINDINGS)
  const found: ProbedCode[] = []
  const isLetIn = trials.some(
    ({ correct, shouldAccept, accepted }) =>
      correct === 'forged' && shouldAccept === false && accepted === true,
  )
  if (isLetIn && (await every(() => trustsConnection(probing)))) found.push('connection_trusted')
  const again = open.filter(fulfilledTwice).map(({ case: { id } }) => id)
  if (again.some((id) => LATER.has(id))) {
    // A pooled connection may reach another process too, so only what is forgotten is ruled out by these cases.
    const isForgotten = !again.some((id) => AT_ONCE.has(id))
    const codes = await whereHandledAgain(probing)
    found.push(...codes.filter((code) => isForgotten || code === 'deduplicated_per_process'))
  }
  const isSilent = open.some(({ exchanges }) => exchanges.some(({ error }) => error?.code === 'timeout'))
  const accepts = trials.some(({ shouldAccept, status }) => shouldAccept === true && status === 200)
  if (accepts && (await failsWhenConcurrent(trials, probing))) found.push('fails_when_concurrent')
  if (isSilent && accepts) found.push(...(await whatHoldsUp(probing)))
  return found
}

/** Cases in which a redelivery comes by another connection, after other payments or after some time. */
const LATER = new Set([
  'duplicates/delivered-on-separate-connections',
  'duplicates/after-a-thousand-payments',
  'duplicates/after-a-second',
])
/** Cases in which the time or other payments cannot be why a payment is handled again. */
const AT_ONCE = new Set([
  'duplicates/delivered-twice-in-turn',
  'duplicates/with-a-new-timestamp',
  'duplicates/nothing-happens-twice-later',
])

const isAccepted = ({ answer }: Exchange) =>
  answer !== undefined && answer.status >= 200 && answer.status < 300
const isRefused = ({ answer }: Exchange) => answer !== undefined && answer.status >= 400

async function every(probe: () => Promise<boolean>): Promise<boolean> {
  for (let n = 0; n < TIMES; n += 1) if (!(await probe())) return false
  return true
}

/** Whether a connection needs no signature after one valid delivery, while another connection does. */
async function trustsConnection({ sender, kit }: Probing): Promise<boolean> {
  const bad = () => forged(kit.delivery('completed'), kit)
  const one = sender.onOneConnection()
  const other = sender.onOneConnection()
  try {
    return (
      isRefused(await one.send(bad())) &&
      isAccepted(await one.send(kit.delivery('completed'))) &&
      isAccepted(await one.send(bad())) &&
      isRefused(await other.send(bad()))
    )
  } finally {
    one.close()
    other.close()
  }
}

/** Sends redeliveries by one connection and by several, and looks at which payments are fulfilled again. */
async function whereHandledAgain({ sender, kit, observer, waitMs }: Probing): Promise<ProbedCode[]> {
  if (observer === undefined) return []
  const payments = () => Array.from({ length: PAYMENTS }, () => kit.delivery('completed'))
  const [together, apart] = [payments(), payments()]
  for (const delivery of together) await deliver(delivery, kit, sender, 1)
  for (const delivery of apart) await deliver(delivery, kit, sender, COPIES)
  const count = async ({ paymentId = '' }: Delivery) => {
    const effects = await observer.effects(paymentId).catch(() => [])
    return effects.filter(({ effect }) => effect === 'fulfilled').length
  }
  const until = performance.now() + waitMs
  for (;;) {
    const isDone = performance.now() >= until
    const ofOne = await Promise.all(together.map(count))
    const ofSeveral = await Promise.all(apart.map(count))
    if (ofOne.some((times) => times > 1)) return []
    const isOnce = ofOne.every((times) => times === 1)
    if (isOnce && ofSeveral.filter((times) => times > 1).length > 1) return ['deduplicated_per_process']
    if (isDone) return isOnce && ofSeveral.every((times) => times === 1) ? ['deduplication_forgotten'] : []
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
async function whatHoldsUp(probing: Probing): Promise<ProbedCode[]> {
  const { sender, kit } = probing
  const isSilent = async () => (await sender.send(kit.delivery('completed'))).error?.code === 'timeout'
  if (await every(isSilent)) return ['stopped_answering']
  const isBlocked = (await waitsFor(1, probing)) || (await waitsFor(MANY_BODIES, probing))
  return isBlocked ? ['blocked_by_unfinished_body'] : []
}

async function waitsFor(bodies: number, { sender, kit }: Probing): Promise<boolean> {
  for (const gapMs of UNFINISHED_MS) {
    const slowly = sentAs('an unfinished body', () => ({ kind: 'drip', pieces: 2, gapMs }))
    const unfinished = Array.from({ length: bodies }, () =>
      sender.send(slowly(kit.delivery('completed'), kit)),
    )
    await pause(LATER_MS)
    const { answer } = await sender.send(kit.delivery('completed'))
    await Promise.all(unfinished)
    const waitedMs = LATER_MS + (answer?.ms ?? 0)
    if (answer?.status !== 200 || Math.abs(waitedMs - gapMs) > TOLERANCE_MS) return false
  }
  return true
}

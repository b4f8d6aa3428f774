import type { Kit } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import { EngineError, type EngineFailure } from '../errors.ts'
import { type Answer, isAcknowledged, type WireError } from '../exchange.ts'
import type { Observer } from '../observe/observe.ts'
import type { Target } from '../target.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import { createSender, type Sender } from '../wire/sender.ts'

/** What is known about the receiver before the first case. */
export interface Preflight {
  /** Receiver's clock minus this machine's in whole seconds; undefined when its responses do not show it. */
  readonly skewSeconds: number | undefined
  /** The first answer, to a valid delivery. */
  readonly answer: Answer
}

/** What a gateway answers while the receiver behind it still starts. */
const STARTING: readonly (number | undefined)[] = [502, 504]
/** How long it may still start, in milliseconds. */
const STARTS_WITHIN_MS = 10_000
const ASK_AGAIN_MS = 250

/** Errors of a connection that was never made: they do not depend on what was to be sent. */
const NO_CONNECTION: readonly (WireError['code'] | undefined)[] = ['refused', 'dns', 'unreachable', 'tls']

/**
 * Sends one valid delivery to find out whether there is a receiver at all, and how far its clock differs. Nothing that
 * could have an effect is sent before an observation has worked. A gateway may be there some seconds before its receiver.
 *
 * @param seed for the error: a receiver that shows effects already has seen it
 * @throws EngineError `unreachable`, `no_endpoint`, `observation_failed` or `seed_used`.
 */
export async function preflight(
  target: Target,
  kit: Kit,
  seed: string,
  observer: Observer | undefined,
  sender: Sender = createSender(target),
): Promise<Preflight> {
  const delivery = kit.valid()
  const observed = await onceStarted(() => failureOf(observer, delivery.key ?? '', seed), isGateways)
  if (observed !== undefined) {
    // A receiver that is down often takes its observe URL with it, so the receiver is named first.
    const { error } = await sender.send(kit.visit())
    throw NO_CONNECTION.includes(error?.code) ? unreachable(target, error) : observed
  }
  let sentAt = Date.now()
  const { answer, error } = await onceStarted(
    () => {
      sentAt = Date.now()
      return sender.send(delivery)
    },
    (first) => STARTING.includes(first.answer?.status),
  )
  if (answer === undefined) {
    throw unreachable(target, error, await isOneAtATime({ error, sender, observer, delivery }))
  }
  if ([404, 405, 501].includes(answer.status)) {
    throw new EngineError({ code: 'no_endpoint', url: target.url.href, answer })
  }
  const send: SendTimed = async (next) => {
    const at = Date.now()
    const exchange = await sender.send(next)
    return exchange.answer && { delivery: next, answer: exchange.answer, sentAt: at }
  }
  return { skewSeconds: await skewOf({ delivery, answer, sentAt }, kit, send), answer }
}

/** Asks until something else than the gateway answers. */
async function onceStarted<T>(ask: () => Promise<T>, isStarting: (result: T) => boolean): Promise<T> {
  const deadline = awakeNow() + STARTS_WITHIN_MS
  let result = await ask()
  while (isStarting(result) && awakeNow() < deadline) {
    await pauseAwake(ASK_AGAIN_MS)
    result = await ask()
  }
  return result
}

const isGateways = (error: EngineError | undefined): boolean =>
  error?.failure.code === 'observation_failed' &&
  error.failure.why.code === 'other_status' &&
  STARTING.includes(error.failure.why.status)

/** Why effects cannot be observed, or must not be graded. */
async function failureOf(
  observer: Observer | undefined,
  key: string,
  seed: string,
): Promise<EngineError | undefined> {
  try {
    const before = await observer?.effects(key)
    if (before === undefined || before.length === 0) return undefined
  } catch (error) {
    if (error instanceof EngineError) return error
    throw error
  }
  return new EngineError({ code: 'seed_used', seed })
}

const unreachable = ({ url }: Target, error: WireError | undefined, isOneAtATime = false) =>
  new EngineError({ code: 'unreachable', of: 'receiver', address: url.href, error, isOneAtATime })

/**
 * Whether a receiver was silent because the observer's connection was open: it answers once that is closed, and cannot be
 * observed while the connection of that answer is open. A receiver that only started slowly can.
 */
async function isOneAtATime({
  error,
  sender,
  observer,
  delivery,
}: {
  readonly error: WireError | undefined
  readonly sender: Sender
  readonly observer: Observer | undefined
  readonly delivery: Delivery
}): Promise<boolean> {
  if (error?.code !== 'timeout' || observer?.close === undefined) return false
  observer.close()
  if ((await sender.send(delivery)).answer === undefined) return false
  try {
    await observer.effects(delivery.key ?? '')
    return false
  } catch (failure) {
    return failure instanceof EngineError && isTimeout(failure.failure)
  }
}

const isTimeout = (failure: EngineFailure): boolean =>
  failure.code === 'unreachable' && failure.error?.code === 'timeout'

/** A Date header has whole seconds, and clocks are set to about one: a smaller difference means nothing. */
const SLACK_MS = 1_000
/** How far inside the window, at most, the deliveries are that show which clock the receiver has. */
const INSIDE_SECONDS = 150
/** A response that took longer is not used, if a quicker one can be had. */
const QUICK_MS = 1_000

/** A response with the time at which its delivery was sent, in milliseconds of Unix time. */
export interface Timed {
  readonly delivery: Delivery
  readonly answer: Answer
  readonly sentAt: number
}

/** Sends a delivery; undefined when there was no response. */
export type SendTimed = (delivery: Delivery) => Promise<Timed | undefined>

/**
 * Finds out how far the receiver's clock is from this machine's. The Date header alone does not show it: a proxy or a
 * front server may write it. So the receiver's clock is assumed to be another one only if the receiver accepts what is
 * inside the window by that clock alone, and not what is inside by this machine's alone.
 *
 * @param first a response to a valid delivery that was signed by this machine's clock
 * @returns receiver's clock minus this machine's, in whole seconds; undefined when the responses do not show it
 */
export async function skewOf(first: Timed, kit: Kit, send: SendTimed): Promise<number | undefined> {
  let skew = dateSkewOf(first)
  if (skew !== undefined && skew !== 0 && wallMsOf(first) > QUICK_MS) {
    const second = await send(kit.valid())
    if (second !== undefined && wallMsOf(second) < wallMsOf(first)) skew = dateSkewOf(second)
  }
  if (skew === undefined || skew === 0) return skew
  const inside = Math.min(Math.abs(skew) / 2, INSIDE_SECONDS)
  const edge = Math.sign(skew) * Math.floor(kit.windowSeconds - inside)
  const accepts = async (t: number): Promise<boolean> => {
    const delivery = kit.validAt(kit.now() + t)
    const once = await send(delivery)
    // It may have been checked so late that it was on the other side of the edge.
    const late = once === undefined || wallMsOf(once) > inside * 1000
    const timed = (late ? await send(kit.validAt(kit.now() + t)) : once) ?? once
    return isAcknowledged({ delivery, answer: timed?.answer })
  }
  const byOwn = await accepts(-edge)
  const byDate = await accepts(skew + edge)
  if (byOwn !== byDate) return byDate ? skew : undefined
  // Neither is accepted by a window that is too narrow, but a delivery with the right time is.
  const isRefused = !isAcknowledged({ delivery: first.delivery, answer: first.answer })
  return !byOwn && isRefused && (await accepts(skew)) ? skew : undefined
}

/** How long the receiver had, whether or not this process saw the response at once. */
const wallMsOf = ({ answer: { ms, wallMs = ms } }: Timed): number => wallMs

/** The difference that the Date header shows: 0 when the time that the response took can explain it. */
function dateSkewOf(timed: Timed): number | undefined {
  const { answer, sentAt } = timed
  const text = answer.headers.find(([name]) => name.toLowerCase() === 'date')?.[1]
  const date = text === undefined ? Number.NaN : Date.parse(text)
  if (Number.isNaN(date)) return undefined
  // It was written at some moment between the delivery and the response, and the rest of its second is cut off.
  const least = date - (sentAt + wallMsOf(timed))
  const most = date + 1000 - sentAt
  if (least <= SLACK_MS && most >= -SLACK_MS) return 0
  return Math.round((least + most) / 2000)
}

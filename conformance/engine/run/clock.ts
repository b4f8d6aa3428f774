import type { Kit } from '../case.ts'
import type { Delivery } from '../delivery.ts'
import type { Answer } from '../exchange.ts'

/** A Date header has whole seconds, and clocks are set to about one: a smaller difference means nothing. */
const SLACK_MS = 1_000
/** How far inside the window, at most, the deliveries are that show which clock the receiver has. */
const INSIDE_SECONDS = 150
/** A response that took longer is not used, if a quicker one can be had. */
const QUICK_MS = 1_000

/** A response with the time at which its delivery was sent, in milliseconds of Unix time. */
export interface Timed {
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
  const accepts = async (t: number): Promise<boolean | undefined> => {
    const made = () => kit.validAt(kit.now() + t)
    const once = await send(made())
    // It may have been checked so late that it was on the other side of the edge.
    const late = once === undefined || wallMsOf(once) > inside * 1000
    return ((late ? await send(made()) : once) ?? once)?.answer.status === 200
  }
  const byOwn = await accepts(-edge)
  const byDate = await accepts(skew + edge)
  if (byOwn !== byDate) return byDate ? skew : undefined
  // Neither is accepted by a window that is too narrow, but a delivery with the right time is.
  return !byOwn && first.answer.status !== 200 && (await accepts(skew)) ? skew : undefined
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

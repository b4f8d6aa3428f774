import type { Kit } from '../case.ts'
import { HarnessError } from '../errors.ts'
import type { WireError } from '../exchange.ts'
import type { Observer } from '../observe/observe.ts'
import type { Target } from '../target.ts'
import { unreachable } from '../unreachable.ts'
import { createSender, type Sender } from '../wire/http.ts'
import { type SendTimed, skewOf } from './clock.ts'

/** What is known about the receiver before the first case. */
export interface Preflight {
  /** Receiver's clock minus this machine's in whole seconds; undefined when its responses do not show it. */
  readonly skewSeconds: number | undefined
  /** How long the first answer took, in milliseconds. */
  readonly answerMs: number
}

/** Errors of a connection that was never made: they do not depend on what was to be sent. */
const NO_CONNECTION: readonly (WireError['code'] | undefined)[] = ['refused', 'dns', 'unreachable', 'tls']

/**
 * Sends one valid delivery to find out whether there is a receiver at all, and how far its clock differs. Nothing that
 * could have an effect is sent before an observation has worked.
 *
 * @param seed for the error: a receiver that shows effects already has seen it
 * @throws HarnessError `unreachable`, `no_endpoint`, `observation_failed` or `seed_used`.
 */
export async function preflight(
  target: Target,
  kit: Kit,
  seed: string,
  observer: Observer | undefined,
  sender: Sender = createSender(target),
): Promise<Preflight> {
  const delivery = kit.valid()
  const observed = await failureOf(observer, delivery.paymentId ?? '', seed)
  if (observed !== undefined) {
    // A receiver that is down often takes its observe URL with it, so the receiver is named first.
    const { error } = await sender.send(kit.visit())
    throw NO_CONNECTION.includes(error?.code) ? unreachable(target.url.href, error) : observed
  }
  const sentAt = Date.now()
  const { answer, error } = await sender.send(delivery)
  if (answer === undefined) throw unreachable(target.url.href, error)
  if ([404, 405, 501].includes(answer.status)) {
    throw new HarnessError(
      'no_endpoint',
      `${target.url.href} answered ${answer.status} to a valid delivery: check the path of the webhook endpoint`,
    )
  }
  const send: SendTimed = async (next) => {
    const at = Date.now()
    const exchange = await sender.send(next)
    return exchange.answer && { answer: exchange.answer, sentAt: at }
  }
  return { skewSeconds: await skewOf({ answer, sentAt }, kit, send), answerMs: answer.ms }
}

/** Why effects cannot be observed, or must not be graded. */
async function failureOf(
  observer: Observer | undefined,
  paymentId: string,
  seed: string,
): Promise<HarnessError | undefined> {
  try {
    const before = await observer?.effects(paymentId)
    if (before === undefined || before.length === 0) return undefined
  } catch (error) {
    if (error instanceof HarnessError) return error
    throw error
  }
  return new HarnessError(
    'seed_used',
    `the receiver already shows effects of a run with "seed" ${seed}: use another "seed", or check that the observer filters effects by payment id`,
    { names: ['seed'] },
  )
}

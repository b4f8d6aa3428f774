import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { Target } from '../target.ts'
import { pauseAwake } from '../time/awake.ts'
import { createSender, type Sender } from '../wire/http.ts'
import type { Rate } from './rate.ts'
import type { SilenceWatch } from './silence.ts'

/** When valid deliveries are sent to a receiver that may have stopped answering, as shares of the time that it gets. */
const PROBED_AT = [0, 0.01, 0.25, 0.5, 0.75]
/** A receiver that answers after all does so before this, as a rule, in milliseconds. */
const NOTICE_AFTER_MS = 1_000

interface Probing {
  readonly target: Target
  /** Makes a valid delivery of a new payment. */
  readonly plain: () => Delivery
  readonly rate: Rate
  /** A sender with the connections of the run. */
  readonly pooled: Sender
  readonly watch: SilenceWatch
  readonly onNotice?: ((notice: string) => void) | undefined
}

/**
 * Finds out whether a receiver answers anything, now or later and by any connection.
 *
 * @returns the valid deliveries that it left without an answer; undefined if it answered one, or refuses connections
 */
export async function unansweredProbes(probing: Probing): Promise<readonly Exchange[] | undefined> {
  const { target, rate, pooled, watch, onNotice } = probing
  const patienceMs = watch.patienceMs()
  const notice = setTimeout(() => onNotice?.(noticeOf(patienceMs)), NOTICE_AFTER_MS)
  let isOver = false
  const probes = PROBED_AT.map(async (share): Promise<Exchange | undefined> => {
    const laterMs = share * patienceMs
    await pauseAwake(laterMs)
    await rate.take()
    if (isOver) return undefined
    if (share === 0) return sendProbe(pooled, probing)
    // A connection may belong to a process that hangs, beside others that do not.
    const own = createSender({ ...target, timeoutMs: patienceMs - laterMs })
    return sendProbe(own, probing).finally(own.close)
  })
  const isAnswered = new Promise<undefined>((resolve) => {
    void watch.nextAnswer().then(() => resolve(undefined))
    for (const probe of probes) {
      void probe.then((exchange) => (exchange?.error?.code === 'timeout' ? undefined : resolve(undefined)))
    }
  })
  const unanswered = await Promise.race([isAnswered, Promise.all(probes)])
  isOver = true
  clearTimeout(notice)
  return unanswered?.filter((exchange) => exchange !== undefined)
}

async function sendProbe(sender: Sender, { plain, watch }: Probing): Promise<Exchange> {
  const delivery = plain()
  const number = watch.sending(delivery)
  const exchange = await sender.send(delivery)
  watch.saw(number, exchange)
  return exchange
}

const noticeOf = (ms: number) =>
  `the receiver answers nothing any more; the run ends unless it answers a valid delivery within ${Math.ceil(ms / 1000)} s`

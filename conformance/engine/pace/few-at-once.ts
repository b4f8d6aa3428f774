import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { Sender } from '../wire/sender.ts'

const FEW = 6
/** For a receiver that takes its time over each response, so that a case with many deliveries does not take minutes. */
const MORE = 30
const SLOW_MS = 500

/**
 * Sends deliveries, a few at a time.
 *
 * @param isEnough asked before each delivery; the rest is not sent once it returns true
 */
export type SendFewAtOnce = (
  deliveries: readonly Delivery[],
  isEnough?: (sent: readonly Exchange[]) => boolean,
) => Promise<Exchange[]>

/** Makes a function that sends a few deliveries at a time, and remembers whether the receiver answers slowly. */
export function fewAtOnceBy(sender: Sender): SendFewAtOnce {
  const pace = { isSlow: false }
  return (deliveries, isEnough = () => false) => sendFewAtOnce(deliveries, sender, isEnough, pace)
}

async function sendFewAtOnce(
  deliveries: readonly Delivery[],
  sender: Sender,
  isEnough: (sent: readonly Exchange[]) => boolean,
  pace: { isSlow: boolean },
): Promise<Exchange[]> {
  const sent: (Exchange | undefined)[] = []
  const done: Exchange[] = []
  let next = 0
  const lanes: Promise<void>[] = []
  const open = (count: number) => {
    while (lanes.length < count) {
      const one = lane()
      // After one rejection nobody awaits the others.
      one.catch(() => undefined)
      lanes.push(one)
    }
  }
  async function lane(): Promise<void> {
    while (next < deliveries.length && !isEnough(done)) {
      const place = next++
      const delivery = deliveries[place]
      if (delivery === undefined) return
      const exchange = await sender.send(delivery)
      sent[place] = exchange
      done.push(exchange)
      if ((exchange.answer?.ms ?? Number.POSITIVE_INFINITY) > SLOW_MS) pace.isSlow = true
      if (pace.isSlow) open(MORE)
    }
  }
  open(pace.isSlow ? MORE : FEW)
  // A lane may open others while these are awaited.
  for (const one of lanes) await one
  return sent.filter((exchange) => exchange !== undefined)
}

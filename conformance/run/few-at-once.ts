import type { Delivery } from '../case/delivery.ts'
import type { Exchange } from '../case/model.ts'
import type { Sender } from '../deliver/http.ts'

const FEW = 6
/** For a receiver that takes its time over each response, so that a case with many deliveries does not take minutes. */
const MORE = 30
const SLOW_MS = 500
const slow = new WeakSet<Sender>()

/**
 * Sends deliveries, a few at a time.
 *
 * @param isEnough asked before each delivery; the rest is not sent once it returns true
 */
export async function sendFewAtOnce(
  deliveries: readonly Delivery[],
  sender: Sender,
  isEnough: (sent: readonly Exchange[]) => boolean = () => false,
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
      if ((exchange.answer?.ms ?? Number.POSITIVE_INFINITY) > SLOW_MS) slow.add(sender)
      if (slow.has(sender)) open(MORE)
    }
  }
  open(slow.has(sender) ? MORE : FEW)
  // A lane may open others while these are awaited.
  for (const one of lanes) await one
  return sent.filter((exchange) => exchange !== undefined)
}

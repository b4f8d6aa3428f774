import type { Delivery } from '../delivery.ts'
import type { Exchange } from '../exchange.ts'
import type { Sender } from '../wire/sender.ts'

const FEW = 6
/** For a receiver that takes its time over each response, so that a case with many deliveries does not take minutes. */
const MORE = 30
const SLOW_MS = 500
/** An answer that takes so much longer than with half as many at a time has waited for the others. */
const WAITED = 1.25

/**
 * Sends deliveries, a few at a time.
 *
 * @param isEnough asked before each delivery; the rest is not sent once it returns true
 */
export type SendFewAtOnce = (
  deliveries: readonly Delivery[],
  isEnough?: (sent: readonly Exchange[]) => boolean,
) => Promise<Exchange[]>

/** Makes a function that sends a few deliveries at a time, and remembers how many the receiver can take. */
export function fewAtOnceBy(sender: Sender): SendFewAtOnce {
  const pace = createPace()
  return (deliveries, isEnough = () => false) => sendFewAtOnce(deliveries, sender, isEnough, pace)
}

type Pace = ReturnType<typeof createPace>

/**
 * Finds out how many deliveries to send at a time: more to a receiver that answers slowly, as long as its answers do not take
 * longer then. One that answers in turn would only queue them, until they time out.
 */
function createPace() {
  let lanes = FEW
  let before = Number.POSITIVE_INFINITY
  /** How long the answers took to what was sent with so many lanes, in milliseconds. */
  let round: number[] = []
  return {
    lanes: () => lanes,
    /** @param sentWith how many lanes there were when the delivery was sent */
    saw(ms: number, sentWith: number) {
      if (sentWith === lanes) round.push(ms)
      if (round.length < lanes) return
      const longest = Math.max(...round)
      round = []
      if (longest > WAITED * before) {
        lanes = FEW
        // However long it takes from now on, more do not help.
        before = 0
      } else if (longest > SLOW_MS) {
        lanes = lanes === FEW ? 2 * FEW : MORE
        before = longest
      }
    },
  }
}

async function sendFewAtOnce(
  deliveries: readonly Delivery[],
  sender: Sender,
  isEnough: (sent: readonly Exchange[]) => boolean,
  pace: Pace,
): Promise<Exchange[]> {
  const sent: (Exchange | undefined)[] = []
  const done: Exchange[] = []
  let next = 0
  const lanes: Promise<void>[] = []
  const open = () => {
    while (lanes.length < pace.lanes()) {
      const one = lane(lanes.length)
      lanes.push(one)
      // After one rejection nobody awaits the others.
      one.catch(() => undefined)
    }
  }
  async function lane(index: number): Promise<void> {
    while (next < deliveries.length && index < pace.lanes() && !isEnough(done)) {
      const place = next++
      const delivery = deliveries[place]
      if (delivery === undefined) return
      const sentWith = pace.lanes()
      const exchange = await sender.send(delivery)
      sent[place] = exchange
      done.push(exchange)
      pace.saw(exchange.answer?.ms ?? Number.POSITIVE_INFINITY, sentWith)
      open()
    }
  }
  open()
  // A lane may open others while these are awaited.
  for (const one of lanes) await one
  return sent.filter((exchange) => exchange !== undefined)
}

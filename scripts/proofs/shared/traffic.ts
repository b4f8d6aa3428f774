import { createGenerator, type Scenario, serialise, sign } from '../../../fixtures/index.ts'
import { choose, type Random } from './random.ts'
import { SECRET } from './receiver.ts'
import { postOf } from './wire.ts'

/** An event that was sent at least once. No other has the same payment and name. */
export interface Sent {
  readonly paymentId: string
  readonly event: string
  readonly amount: string
  readonly currency: string
  readonly body: Buffer
  /** Whether a delivery of it was answered with 200. */
  acknowledged: boolean
}

/** What there is to send, and what has been sent. */
export interface Traffic {
  /** Every event that `next` gave out. */
  readonly sent: readonly Sent[]
  /** How many of the deliveries repeated an event. */
  repeated(): number
  /** The event of the next delivery: a new one, what follows an earlier one, or for a tenth a repetition. */
  next(): Sent
  /** To be told when a delivery was acknowledged or given up: only then comes what follows it. */
  settled(sent: Sent): void
}

const SHARE_OF_REPETITIONS = 0.1

/** How a payment goes, with its share: the refund that arrives before its completion is there as well. */
const STORIES: readonly (readonly [share: number, story: readonly Scenario[]])[] = [
  [8, ['completed']],
  [3, ['completed', 'refund']],
  [3, ['refund', 'completed']],
  [1, ['completed', 'chargeback']],
  [1, ['partial-crypto', 'completed']],
  [1, ['failed-card_declined']],
  [1, ['expired-gift-card']],
]
const DRAWN_STORIES = STORIES.flatMap(([share, story]) => Array.from({ length: share }, () => story))

/** @param seed of the events themselves; another traffic of the same seed sends the same payments. */
export function createTraffic(random: Random, seed: string): Traffic {
  const generator = createGenerator(seed)
  const sent: Sent[] = []
  const following: Sent[] = []
  const successors = new Map<Sent, Sent>()
  let repeated = 0

  function newPayment(): Sent {
    const [first, second] = choose(random, DRAWN_STORIES)
    if (first === undefined) throw new RangeError('a story has no event')
    const event = generator.event(first)
    const beginning = sentOf(event)
    // A refund is of what was paid.
    const { id, amount, currency } = event
    if (second !== undefined) {
      successors.set(beginning, sentOf(generator.event(second, { id, amount, currency })))
    }
    return beginning
  }

  return {
    sent,
    repeated: () => repeated,
    next() {
      if (sent.length > 0 && random() < SHARE_OF_REPETITIONS) {
        repeated += 1
        return choose(random, sent)
      }
      const next = (random() < 0.6 && following.shift()) || newPayment()
      sent.push(next)
      return next
    },
    settled(event) {
      const successor = successors.get(event)
      if (successor === undefined) return
      successors.delete(event)
      following.push(successor)
    },
  }
}

function sentOf(event: ReturnType<ReturnType<typeof createGenerator>['event']>): Sent {
  const { id, amount, currency } = event
  const name = event.event ?? ''
  return { paymentId: id, event: name, amount, currency, body: serialise(event), acknowledged: false }
}

/** The bytes of one delivery. @param t Unix seconds */
export function requestOf({ body }: Sent, t = Math.floor(Date.now() / 1000)): Buffer {
  return postOf(body, [
    ['Content-Type', 'application/json'],
    ['X-Service-Signature', sign({ secret: SECRET, t, body }).header],
  ])
}

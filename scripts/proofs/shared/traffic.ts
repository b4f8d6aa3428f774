import { createGenerator, type Scenario, serialize, sign } from '../../../fixtures/index.ts'
import { choose, type Random } from './random.ts'
import { postOf } from './raw-connection.ts'
import { SECRET } from './receiver.ts'

/** An event that was sent at least once. Payment id and event name identify it. */
export interface SentEvent {
  readonly paymentId: string
  readonly event: string
  readonly amount: string
  readonly currency: string
  readonly body: Buffer
  /** Whether the receiver answered a delivery of it with 200. */
  acknowledged: boolean
}

/** Chooses what to send, and remembers what was sent. */
export type Traffic = ReturnType<typeof createTraffic>

const SHARE_OF_DUPLICATES = 0.1

/** The sequences of events of one payment, with their weights; in one of them the refund precedes the completion. */
const SEQUENCES: readonly (readonly [weight: number, sequence: readonly Scenario[]])[] = [
  [8, ['completed']],
  [3, ['completed', 'refund']],
  [3, ['refund', 'completed']],
  [1, ['completed', 'chargeback']],
  [1, ['partial-crypto', 'completed']],
  [1, ['failed-card_declined']],
  [1, ['expired-gift-card']],
]
const WEIGHTED_SEQUENCES = SEQUENCES.flatMap(([weight, sequence]) =>
  Array.from({ length: weight }, () => sequence),
)

/** @param seed determines the events: two traffics with the same seed send the same payments */
export function createTraffic(random: Random, seed: string) {
  const generator = createGenerator(seed)
  const sent: SentEvent[] = []
  const ready: SentEvent[] = []
  const successors = new Map<SentEvent, SentEvent>()
  let duplicates = 0

  function newPayment(): SentEvent {
    const [first, second] = choose(random, WEIGHTED_SEQUENCES)
    if (first === undefined) throw new RangeError('a sequence has no event')
    const event = generator.event(first)
    const start = sentEvent(event)
    // A refund is of the amount that was paid.
    const { id, amount, currency } = event
    if (second !== undefined) {
      successors.set(start, sentEvent(generator.event(second, { id, amount, currency })))
    }
    return start
  }

  function nextNew(): SentEvent {
    const next = (random() < 0.6 && ready.shift()) || newPayment()
    sent.push(next)
    return next
  }

  return {
    /** Every event that `next` has returned. */
    sent: sent as readonly SentEvent[],
    /** How many deliveries were duplicates. */
    duplicates: () => duplicates,
    /** The event of the next delivery: a new one, the successor of an earlier one, or (a tenth of the time) a duplicate. */
    next(): SentEvent {
      if (sent.length > 0 && random() < SHARE_OF_DUPLICATES) {
        duplicates += 1
        return choose(random, sent)
      }
      return nextNew()
    },
    /** The event of the next delivery, never a duplicate: a receiver may acknowledge a duplicate while it cannot store. */
    nextNew,
    /** Reports that an event was acknowledged or given up; only then `next` returns its successor. */
    finished(event: SentEvent): void {
      const successor = successors.get(event)
      if (successor === undefined) return
      successors.delete(event)
      ready.push(successor)
    },
  }
}

function sentEvent(event: ReturnType<ReturnType<typeof createGenerator>['event']>): SentEvent {
  const { id, amount, currency } = event
  const name = event.event ?? ''
  return { paymentId: id, event: name, amount, currency, body: serialize(event), acknowledged: false }
}

/** The bytes of one signed delivery. @param t the signing time in Unix seconds */
export function requestOf({ body }: Pick<SentEvent, 'body'>, t = Math.floor(Date.now() / 1000)): Buffer {
  return postOf(body, [
    ['Content-Type', 'application/json'],
    ['X-Service-Signature', sign({ secret: SECRET, t, body }).header],
  ])
}

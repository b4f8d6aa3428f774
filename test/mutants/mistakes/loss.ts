import type { IncomingMessage } from 'node:http'
import { CORRECT, type Event, idOf, nameOf, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** Acknowledges an event and then fails to store it. */
const losing = (isLost: (event: Event) => boolean): Mutant['does'] => ({
  effectOf: (event, before) => (isLost(event) ? undefined : CORRECT.effectOf(event, before)),
})
const refusing = (status: number, is: (event: Event) => boolean): Mutant['does'] => ({
  rejects: (event) => (is(event) ? status : undefined),
})
const inMetadata = (is: (value: string) => boolean) => (event: Event) =>
  Object.values((event['metadata'] ?? {}) as Event).some((value) => is(text(value)))
const hasNul = inMetadata((value) => value.includes('\u0000'))
const hasLoneSurrogate = inMetadata((value) => /\p{Surrogate}/u.test(value))
const hasEmoji = inMetadata((value) => /\p{Extended_Pictographic}/u.test(value))

/** Mistakes that lose a payment which was acknowledged, or handle one twice (SPEC.md 6 and 7). */
export const OF_LOSS: Readonly<Record<string, Mutant>> = {
  // What a store cannot keep
  'loses a payment with U+0000, which jsonb cannot store': {
    cause: 'character_lost',
    does: losing(hasNul),
    fails: ['acknowledgement/nul-in-metadata-not-lost'],
  },
  'loses a payment with half a surrogate pair': {
    cause: 'character_lost',
    does: losing(hasLoneSurrogate),
    fails: ['acknowledgement/lone-surrogate-in-metadata-not-lost'],
  },
  'loses a payment with emoji, which a column of three-byte UTF-8 cannot store': {
    cause: 'character_lost',
    does: losing(hasEmoji),
    fails: ['acknowledgement/emoji-in-metadata-not-lost'],
  },
  'loses a payment that exceeds a column of 64 KiB': {
    does: losing((event) => JSON.stringify(event['metadata']).length > 65_000),
    fails: ['acknowledgement/body-of-66-kb-not-lost'],
  },
  'loses a payment with metadata that exceeds 1,024 characters': {
    does: losing(inMetadata((value) => value.length > 1_024)),
    fails: ['acknowledgement/long-metadata-not-lost'],
  },
  'loses a payment with a method that exceeds 255 characters': {
    does: losing((event) => text(event['payment_method']).length > 255),
    fails: ['acknowledgement/long-payment-method-not-lost'],
  },
  'answers 500 when jsonb cannot store a payment': {
    does: refusing(500, hasNul),
    fails: ['acknowledgement/nul-in-metadata-accepted'],
  },
  'refuses half a surrogate pair': {
    does: refusing(400, hasLoneSurrogate),
    fails: ['acknowledgement/lone-surrogate-in-metadata-accepted'],
  },
  'refuses long payment methods': {
    does: refusing(422, (event) => text(event['payment_method']).length > 64),
    fails: ['acknowledgement/long-payment-method-accepted'],
  },
  'fails within a letter where it cuts a reason after 80 bytes': {
    does: refusing(500, (event) =>
      Buffer.from(text(event['failure_reason'])).subarray(0, 80).toString().includes('\uFFFD'),
    ),
    fails: ['robustness/long-reasons-in-other-alphabets'],
  },
  'refuses emoji': { does: refusing(422, hasEmoji), fails: ['robustness/emoji-in-metadata'] },
  'refuses metadata of more than 500 characters': {
    does: refusing(
      422,
      inMetadata((value) => value.length > 500),
    ),
    cause: 'body_limit',
    fails: ['robustness/long-metadata'],
  },

  // One event that throws
  'abandons a batch when one event throws': {
    timed: true,
    does: () => ({ schedule: inBatches(), effectOf: throwingAt((event) => event['type'] === 'goodwill') }),
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'stops working permanently when one event throws': {
    timed: true,
    does: () => {
      let stopped = false
      return {
        schedule(work) {
          if (stopped) return
          try {
            work()
          } catch {
            stopped = true
          }
        },
        effectOf: throwingAt((event) => nameOf(event) === 'payment.disputed'),
      }
    },
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },

  // Memory
  'remembers only the last 1,000 payments': {
    does: () => ({ remembers: 1_000, effectOf: amongTheLast(1_000) }),
    timed: true,
    fails: ['duplicates/after-a-thousand-payments', 'effects/refund-after-a-thousand-payments'],
  },

  'ignores the case of payment ids': {
    does: {
      keyOf: (event, body, header) =>
        CORRECT.keyOf({ ...event, payment_id: idOf(event).toLowerCase() }, body, header),
    },
    fails: ['duplicates/payment-ids-that-differ-in-case'],
  },
  'keeps 22 characters of a payment id': {
    does: { keyOf: (event) => `${idOf(event).slice(0, 22)} ${nameOf(event)}` },
    cause: 'payment_ids_merged',
    fails: ['duplicates/similar-payments'],
  },

  // Several workers
  'remembers deliveries in each of two workers': {
    does: () => ({ workerOf: oneOf(2) }),
    timed: true,
    cause: 'deduplicated_per_process',
    fails: ['duplicates/delivered-on-separate-connections'],
  },
  'remembers deliveries for each connection': {
    does: () => ({ workerOf: oneOf(Number.POSITIVE_INFINITY) }),
    timed: true,
    cause: 'deduplicated_per_process',
    fails: ['duplicates/delivered-on-separate-connections', 'duplicates/delivered-twice-at-once'],
  },
}

/** Handles what arrives within a moment together, and gives up at the first error. */
function inBatches(): typeof CORRECT.schedule {
  let batch: (() => void)[] = []
  return (work) => {
    batch.push(work)
    if (batch.length > 1) return
    setTimeout(() => {
      const works = batch
      batch = []
      try {
        for (const each of works) each()
      } catch {
        // The rest of the batch is lost.
      }
    }, 50)
  }
}

/** Finds the payment of a refund only if it is among the last ones. */
function amongTheLast(payments: number): typeof CORRECT.effectOf {
  const known = new Set<string>()
  return (event, before) => {
    const isForgotten = before.length > 0 && !known.has(idOf(event))
    known.add(idOf(event))
    if (known.size > payments) for (const oldest of [...known].slice(0, 1)) known.delete(oldest)
    return isForgotten && nameOf(event) === 'payment.refunded' ? undefined : CORRECT.effectOf(event, before)
  }
}

function throwingAt(isUnexpected: (event: Event) => boolean): typeof CORRECT.effectOf {
  return (event, before) => {
    if (isUnexpected(event)) throw new Error('unexpected event')
    return CORRECT.effectOf(event, before)
  }
}

/** Assigns each new connection to the next worker in turn. */
function oneOf(workers: number): typeof CORRECT.workerOf {
  const assigned = new WeakMap<object, number>()
  let next = 0
  return ({ socket }: IncomingMessage) => {
    const worker = assigned.get(socket) ?? next++ % workers
    assigned.set(socket, worker)
    return `${worker} `
  }
}

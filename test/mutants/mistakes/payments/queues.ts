import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Behavior, CORRECT, type Event, idOf, nameOf, text } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

const FAILURE_CODES = new Set([
  'card_declined',
  'insufficient_funds',
  'card_unsupported',
  'authentication_failed',
  'invoice_expired',
  'underpayment',
  'currency_unsupported',
  'cancelled_by_customer',
  'provider_unavailable',
  'provider_error',
])
const named = (event: Event, name: string) => nameOf(event) === `payment.${name}`

/** Answers a moment later, so that other requests arrive meanwhile. */
const later: Behavior['acknowledge'] = async (_, response) => {
  await pause(5)
  response.writeHead(200).end()
}
async function workOff(before: Promise<unknown>, work: () => void): Promise<void> {
  await before
  await pause(5)
  work()
}
/** Makes one object of all events. */
const shared = () => {
  const event: Record<string, unknown> = {}
  return (body: Buffer) => {
    const read: unknown = JSON.parse(body.toString())
    for (const name of Object.keys(event)) delete event[name]
    return Object.assign(event, read)
  }
}

/** Handles what arrives within a moment in one transaction, which an event that fails ends. */
const losingBatches = (fails: (event: Event) => boolean) => (): Partial<Behavior> => {
  let batch: (() => void)[] | undefined
  const flush = () => {
    const works = batch ?? []
    batch = undefined
    try {
      for (const work of works) work()
    } catch {
      // The others of the batch are gone.
    }
  }
  return {
    schedule(work) {
      if (batch === undefined) setTimeout(flush, 50)
      batch = [...(batch ?? []), work]
    },
    effectOf(event, before) {
      if (fails(event)) throw new Error('an event that cannot be handled')
      return CORRECT.effectOf(event, before)
    },
  }
}
/** The same with a transaction that a second delivery of the same event ends. */
const losingRepeated = (): Partial<Behavior> => {
  const known = new Map<string, number>()
  const keyOf = (event: Event) => CORRECT.keyOf(event, Buffer.alloc(0), '')
  return {
    ...losingBatches(() => false)(),
    keyOf: () => randomUUID(),
    effectOf(event, before) {
      const at = known.get(keyOf(event))
      // A copy of an earlier batch is found when it is looked up.
      if (at !== undefined && Date.now() - at < 25) throw new Error('a unique key')
      if (at !== undefined) return undefined
      known.set(keyOf(event), Date.now())
      return CORRECT.effectOf(event, before)
    },
  }
}

/** Mistakes with the work that waits, and with requests that arrive together (SPEC.md 6.5 and 9.1). */
export const OF_QUEUES: Readonly<Record<string, Mutant>> = {
  'drops what exceeds its queue, after the acknowledgment': {
    does: () => {
      let waiting = 0
      let last: Promise<unknown> = Promise.resolve()
      return {
        keeps: () => waiting < 12,
        schedule(work) {
          waiting += 1
          last = workOff(last, () => {
            waiting -= 1
            work()
          })
        },
      }
    },
    cause: 'lost_in_burst',
    timed: true,
    fails: ['acknowledgement/burst-carried-out'],
  },
  'has a worker that ends with its first error': {
    does: () => {
      let ended = false
      return {
        schedule(work) {
          if (ended) return
          try {
            work()
          } catch {
            ended = true
          }
        },
        effectOf(event, before) {
          if (named(event, 'failed') && !FAILURE_CODES.has(text(event['failure_code'])))
            throw new Error('unknown failure code')
          return CORRECT.effectOf(event, before)
        },
      }
    },
    cause: 'work_stopped',
    timed: true,
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'handles nothing of a payment after an event of it that failed': {
    does: () => {
      const rejected = new Set<string>()
      return {
        effectOf(event, before) {
          if (named(event, 'failed') && typeof event['failure_code'] !== 'string') rejected.add(idOf(event))
          return rejected.has(idOf(event)) ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'keeps its lock when it divides by a requested amount of zero': {
    does: () => {
      let isLocked = false
      return {
        schedule(work) {
          if (!isLocked) work()
        },
        effectOf(event, before) {
          isLocked ||= Number(event['amount_requested'] ?? 1) === 0
          return isLocked ? undefined : CORRECT.effectOf(event, before)
        },
      }
    },
    cause: 'work_stopped',
    timed: true,
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'loses the rest of a batch in which an event fails': {
    does: losingBatches((event) => named(event, 'failed') && !FAILURE_CODES.has(text(event['failure_code']))),
    cause: 'lost_beside_another',
    timed: true,
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'loses the rest of a batch in which a currency is unknown': {
    does: losingBatches((event) => text(event['currency']).startsWith('Q')),
    cause: 'lost_beside_another',
    timed: true,
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'loses the rest of a batch in which a delivery is repeated': {
    does: losingRepeated,
    timed: true,
    fails: ['acknowledgement/payments-behind-unexpected-events'],
  },
  'handles only the last of several events of a payment': {
    does: () => {
      const last = new Map<string, Event>()
      return {
        keeps(event) {
          last.set(idOf(event), event)
          return true
        },
        schedule: (work) => void setTimeout(work, 300),
        effectOf: (event, before) =>
          last.get(idOf(event)) === event ? CORRECT.effectOf(event, before) : undefined,
      }
    },
    cause: 'events_debounced',
    timed: true,
    fails: ['effects/refund-before-completion'],
  },
  'keeps the event of a request in a variable of the module': {
    does: () => {
      const read = shared()
      return {
        peek(body) {
          try {
            read(body)
          } catch {
            // Refused when it is parsed.
          }
        },
        parse: read,
        acknowledge: later,
      }
    },
    cause: 'requests_mixed_up',
    timed: true,
    fails: ['acknowledgement/burst-carried-out', 'refusals/forged-among-valid-ones-has-no-effect'],
  },
  'keeps the amount of an event in a field of a service': {
    does: () => {
      let current: Event = {}
      return {
        parse(body) {
          const event = CORRECT.parse(body)
          if (CORRECT.isEvent(event)) current = event
          return event
        },
        schedule: (work) => void setTimeout(work, 15),
        effectOf(event, before) {
          const done = CORRECT.effectOf(event, before)
          return done && { ...done, amount: text(current['amount']), currency: text(current['currency']) }
        },
      }
    },
    cause: 'requests_mixed_up',
    timed: true,
    fails: ['acknowledgement/burst-carried-out'],
  },
  'takes a long batch from its store once more before it is done': {
    does: () => {
      let waiting: (() => void)[] = []
      return {
        schedule(work) {
          waiting.push(work)
          setTimeout(() => {
            const batch = waiting
            waiting = []
            for (const one of batch.length > 5 ? [...batch, ...batch] : batch) one()
          }, 40)
        },
      }
    },
    cause: 'claimed_twice',
    timed: true,
    fails: ['acknowledgement/burst-carried-out'],
  },
  'locks its store while it writes, and does not wait for the lock': {
    does: () => {
      let isLocked = false
      return {
        rejects: () => (isLocked ? 500 : undefined),
        async acknowledge(_, response) {
          isLocked = true
          await pause(5)
          isLocked = false
          response.writeHead(200).end()
        },
      }
    },
    cause: 'fails_when_concurrent',
    timed: true,
    fails: ['acknowledgement/burst-of-50'],
  },
  'reads all verified events into one object': {
    does: () => ({ parse: shared(), acknowledge: later }),
    cause: 'lost_when_concurrent',
    timed: true,
    fails: ['acknowledgement/burst-carried-out'],
  },
}

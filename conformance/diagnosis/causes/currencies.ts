import type { Candidate, Recognize } from '../cause.ts'
import { type Event, eventIn, nameOf, text } from '../handling.ts'
import { refusing, testAll } from '../hypothesis.ts'
import { handling, testHandling } from '../mishandling.ts'
import type { Said } from '../statement.ts'
import { isOpen, type Symptoms } from '../symptoms.ts'

/** Fewer currencies may have something else in common. */
const FEWEST = 2
/** What most amounts look like: more decimals or digits may be why a payment is not taken. */
const PLAIN_AMOUNT = /^\d{1,5}(?:\.\d{1,2})?$/
/** So many of the currencies are named. */
const NAMED = 3

/** An event, and whether the receiver took it as required. */
interface Seen {
  readonly event: Event
  readonly isTaken: boolean
}

const currencyOf = ({ event }: Seen) => text(event['currency'])

/**
 * The currencies of which nothing was taken. None if what the events have in common may as well be their amounts or
 * their payment methods.
 */
function notTaken(all: readonly Seen[]): readonly string[] {
  const seen = all.filter((one) => currencyOf(one) !== '')
  const taken = seen.filter(({ isTaken }) => isTaken)
  const currencies = new Set(taken.map(currencyOf))
  const methods = new Set(taken.map(({ event }) => event['payment_method']))
  const left = seen.filter((one) => !one.isTaken && !currencies.has(currencyOf(one)))
  const usual = left.filter(
    ({ event }) => PLAIN_AMOUNT.test(text(event['amount'])) && methods.has(event['payment_method']),
  )
  if (new Set(usual.map(currencyOf)).size < FEWEST) return []
  return [...new Set([...usual, ...left].map(currencyOf))]
}

const said = (isRefused: boolean, currencies: readonly string[]): Said => ({
  code: 'currency_not_listed',
  data: { isRefused, currencies: currencies.slice(0, NAMED) },
})

function refused(symptoms: Symptoms): Candidate[] {
  const currencies = notTaken(
    symptoms.valid.flatMap(({ delivery, accepted }) => {
      const event = eventIn(delivery)
      return event === undefined || accepted === undefined ? [] : { event, isTaken: accepted }
    }),
  )
  if (currencies.length === 0) return []
  const hypothesis = refusing(said(true, currencies), ({ delivery }) =>
    currencies.includes(text(eventIn(delivery)?.['currency'])),
  )
  return testAll([hypothesis], symptoms)
}

function notFulfilled(symptoms: Symptoms): Candidate[] {
  const currencies = notTaken(
    symptoms.valid.flatMap(({ verdict, delivery, accepted }) => {
      const event = eventIn(delivery)
      const effects = verdict.effects?.get(delivery.key ?? '')
      if (event === undefined || accepted !== true || nameOf(event) !== 'payment.completed') return []
      const isTaken = effects?.some(({ effect }) => effect === 'fulfilled') === true
      return isTaken || (effects !== undefined && isOpen(verdict)) ? { event, isTaken } : []
    }),
  )
  if (currencies.length === 0) return []
  const hypothesis = handling(said(false, currencies), {
    effectOf: (event, before, otherwise) =>
      currencies.includes(text(event['currency'])) ? undefined : otherwise(event, before),
  })
  return testHandling([hypothesis], symptoms)
}

/** Payments in some currencies are refused, or have no effect (SPEC.md 8 and 9.13). */
export const currencyCauses: Recognize = (symptoms) => [...refused(symptoms), ...notFulfilled(symptoms)]

import { describe, expect, it } from 'vitest'
import {
  effectsOfSequences,
  type Happening,
  isFulfilledAfter,
  sequencesFrom,
  shownAfter,
} from '../../../../conformance/contracts/payment-service/expectations/sequences.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { evidence, exchange, worded } from '../../report/evidence.ts'

const FIRST: readonly Happening[] = ['completed', 'failed', 'partial', 'refunded', 'expired']
const inWords = (outcome: readonly string[]) => outcome.join(', then ') || 'nothing'
const ALL = FIRST.flatMap((first) => sequencesFrom(first))

describe('the sequences', () => {
  it('are every ordered pair and triple of the five events', () => {
    const names = new Set(ALL.map((sequence) => sequence.join()))
    expect(names.size).toBe(5 ** 2 + 5 ** 3)
  })

  it.each<[Happening[], string]>([
    [['failed', 'partial'], 'nothing'],
    [['partial', 'partial', 'partial'], 'nothing'],
    [['completed', 'failed', 'completed'], 'fulfilled'],
    [['failed', 'completed', 'expired'], 'fulfilled'],
    [['completed', 'failed', 'refunded'], 'fulfilled, then reversed'],
    [['completed', 'refunded', 'completed'], 'fulfilled, then reversed'],
    [['refunded', 'failed'], 'nothing or reversed'],
    [['refunded', 'completed'], 'nothing or reversed or fulfilled, then reversed'],
    [['expired', 'completed'], 'fulfilled or nothing'],
    [['expired', 'completed', 'refunded'], 'nothing or reversed or fulfilled, then reversed'],
  ])('%s allow %s', (sequence, allowed) => {
    expect(shownAfter(sequence).map(inWords).join(' or ')).toBe(allowed)
  })
})

/** Correct receivers: what each shows for the events of a payment, in the order in which it processes them. */
const CORRECT: Readonly<Record<string, (events: readonly Happening[]) => string[]>> = {
  'records a reversal': (events) => {
    const shown: string[] = []
    for (const event of events) {
      if (event === 'refunded' && !shown.includes('reversed')) shown.push('reversed')
      if (event === 'completed' && shown.length === 0) shown.push('fulfilled')
    }
    return shown
  },
  'records nothing for an early refund': (events) => {
    const [first] = events.filter((event) => event === 'completed' || event === 'refunded')
    if (first !== 'completed') return []
    return events.includes('refunded') ? ['fulfilled', 'reversed'] : ['fulfilled']
  },
  'books an early refund after its completion': (events) => {
    if (!events.includes('completed')) return []
    return events.includes('refunded') ? ['fulfilled', 'reversed'] : ['fulfilled']
  },
  'closes an expired payment': (events) => {
    const [first] = events.filter((event) => ['completed', 'refunded', 'expired'].includes(event))
    if (first !== 'completed') return []
    return events.includes('refunded') ? ['fulfilled', 'reversed'] : ['fulfilled']
  },
}

/** Every order in which a receiver may process a sequence, when each event is sent after the fulfillment was seen. */
function* ordersOf(sequence: readonly Happening[], done: readonly number[] = []): Generator<Happening[]> {
  if (done.length === sequence.length) yield done.flatMap((index) => sequence[index] ?? [])
  for (const index of sequence.keys()) {
    const isAwaited = [...sequence.keys()].some(
      (at) => at <= index && isFulfilledAfter(sequence.slice(0, at)),
    )
    const isSent = !isAwaited || done.includes(sequence.indexOf('completed'))
    if (!done.includes(index) && isSent) yield* ordersOf(sequence, [...done, index])
  }
}

describe.each(Object.entries(CORRECT))('a receiver that %s', (_, shownBy) => {
  it('shows what is allowed, whatever order it processes events in', () => {
    for (const sequence of ALL)
      for (const order of ordersOf(sequence)) {
        const shown = inWords(shownBy(order))
        expect(shownAfter(sequence).map(inWords), `${sequence.join()} as ${order.join()}`).toContain(shown)
      }
  })
})

describe('effectsOfSequences', () => {
  const of = (event: Happening, about: Partial<Delivery> = {}) =>
    exchange(200, { event: `payment.${event}`, key: 'tx_1', amount: '1.80', currency: 'USD', ...about })
  const fulfilled: Partial<Effect> = { effect: 'fulfilled', amount: '1.8' }
  const reversed: Partial<Effect> = { effect: 'reversed', amount: '0' }
  const found = (sequence: readonly Happening[], ...effects: Partial<Effect>[]) =>
    worded(
      effectsOfSequences.check(
        evidence(
          sequence.map((event) => of(event)),
          { tx_1: effects },
        ),
      ),
    )

  it('holds for an allowed outcome', () => {
    expect(found(['completed', 'failed'], fulfilled)).toBeUndefined()
    expect(found(['completed', 'failed', 'refunded'], fulfilled, reversed)).toBeUndefined()
    expect(found(['refunded', 'completed'])).toBeUndefined()
  })

  it('names the sequence, the payment and what was expected', () => {
    expect(found(['completed', 'failed'], fulfilled, reversed)).toEqual({
      problem: 'after completed, failed (tx_1): fulfilled and then reversed; allowed: fulfilled',
      observed: 'reversed-not-due',
      severity: 'money',
      decisive: true,
    })
  })

  it('is not decided while the rest may still follow', () => {
    expect(found(['completed', 'refunded'])).not.toHaveProperty('decisive')
    expect(found(['completed', 'refunded'], fulfilled)).not.toHaveProperty('decisive')
    expect(found(['completed', 'refunded'], reversed)).toHaveProperty('decisive', true)
  })

  it('compares the amount with that of the completion', () => {
    expect(found(['partial', 'completed'], { ...fulfilled, amount: '0.60' })).toMatchObject({
      problem: 'after partial, completed (tx_1): fulfilled for 0.60, but amount is 1.80',
    })
  })

  it('reports a decided problem before one that may still be solved', () => {
    const other = { key: 'tx_2' }
    const exchanges = [of('completed'), of('partial', other), of('failed', other)]
    expect(worded(effectsOfSequences.check(evidence(exchanges, { tx_2: [fulfilled] })))).toMatchObject({
      problem: 'after partial, failed (tx_2): fulfilled; allowed: no effect',
    })
  })
})

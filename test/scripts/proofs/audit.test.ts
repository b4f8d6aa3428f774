import { describe, expect, it, test } from 'vitest'
import { audit, type StoredState } from '../../../scripts/proofs/shared/audit.ts'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import { createTraffic, type SentEvent } from '../../../scripts/proofs/shared/traffic.ts'

const sent = (paymentId: string, event: string, acknowledged = true): SentEvent => ({
  paymentId,
  event,
  amount: '25.00',
  currency: 'USD',
  body: Buffer.alloc(0),
  acknowledged,
})
const COMPLETED = sent('tx_1', 'payment.completed')
const REFUNDED = sent('tx_1', 'payment.refunded')
const stored = ({ paymentId, event }: SentEvent, state: 'open' | 'done' | 'dead' = 'done') => ({
  paymentId,
  event,
  state,
})
const entry = (effect: string, amount = '25.00') => ({ paymentId: 'tx_1', effect, amount, currency: 'USD' })

const violationsOf = (all: SentEvent[], found: StoredState): string => audit(all, found).violations.join('; ')

describe('the audit after a crash', () => {
  it('finds no violation if each event took effect once', () => {
    const all = [COMPLETED, REFUNDED, sent('tx_2', 'payment.completed', false)]
    const events = [stored(COMPLETED), stored(REFUNDED)]
    expect(violationsOf(all, { events, entries: [entry('fulfilled'), entry('reversed')] })).toBe('')
    // The refund arrived first, so nothing was fulfilled.
    expect(violationsOf(all, { events, entries: [entry('reversed')] })).toBe('')
  })

  it.each<[string, SentEvent[], StoredState]>([
    ['not in the inbox', [COMPLETED], { events: [], entries: [] }],
    [
      'in the inbox 2 times',
      [COMPLETED],
      { events: [stored(COMPLETED), stored(COMPLETED)], entries: [entry('fulfilled')] },
    ],
    ['not processed (open)', [COMPLETED], { events: [stored(COMPLETED, 'open')], entries: [] }],
    [
      'not processed (dead)',
      [COMPLETED],
      { events: [stored(COMPLETED, 'dead')], entries: [entry('fulfilled')] },
    ],
    ['was not fulfilled', [COMPLETED], { events: [stored(COMPLETED)], entries: [] }],
    [
      'fulfilled 2 times',
      [COMPLETED],
      { events: [stored(COMPLETED)], entries: [entry('fulfilled'), entry('fulfilled')] },
    ],
    ['a wrong amount', [COMPLETED], { events: [stored(COMPLETED)], entries: [entry('fulfilled', '26.00')] }],
    ['was not reversed', [REFUNDED], { events: [stored(REFUNDED)], entries: [] }],
    [
      'fulfilled without an event',
      [REFUNDED],
      { events: [stored(REFUNDED)], entries: [entry('fulfilled'), entry('reversed')] },
    ],
    [
      'reversed without an event',
      [COMPLETED],
      { events: [stored(COMPLETED)], entries: [entry('fulfilled'), entry('reversed')] },
    ],
    [
      'fulfilled after it was reversed',
      [COMPLETED, REFUNDED],
      { events: [stored(COMPLETED), stored(REFUNDED)], entries: [entry('reversed'), entry('fulfilled')] },
    ],
    ['never sent', [], { events: [stored(COMPLETED)], entries: [] }],
    ['which was never sent', [], { events: [], entries: [entry('fulfilled')] }],
  ])('reports: %s', (what, all, found) => {
    expect(violationsOf(all, found)).toContain(what)
  })
})

const DELIVERIES = 300

test('a tenth of the deliveries are duplicates, but a new delivery never is', () => {
  const traffic = createTraffic(randomFrom('traffic'), 'traffic')
  for (let count = 0; count < DELIVERIES; count += 1) traffic.next()
  expect(traffic.duplicates()).toBeGreaterThan(DELIVERIES / 20)

  const before = new Set(traffic.sent)
  const fresh = Array.from({ length: DELIVERIES }, () => traffic.nextNew())
  expect(fresh.filter((event) => before.has(event))).toEqual([])
  expect(new Set(fresh).size).toBe(DELIVERIES)
})

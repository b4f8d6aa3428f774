import { describe, expect, it } from 'vitest'
import { audit, type Stored } from '../../../scripts/proofs/shared/audit.ts'
import type { Sent } from '../../../scripts/proofs/shared/traffic.ts'

const sent = (paymentId: string, event: string, acknowledged = true): Sent => ({
  paymentId,
  event,
  amount: '25.00',
  currency: 'USD',
  body: Buffer.alloc(0),
  acknowledged,
})
const COMPLETED = sent('tx_1', 'payment.completed')
const REFUNDED = sent('tx_1', 'payment.refunded')
const stored = ({ paymentId, event }: Sent, state: 'open' | 'done' | 'dead' = 'done') => ({
  paymentId,
  event,
  state,
})
const line = (effect: string, amount = '25.00') => ({ paymentId: 'tx_1', effect, amount, currency: 'USD' })

const brokenBy = (all: Sent[], found: Stored): string => audit(all, found).broken.join('; ')

describe('the audit after a crash', () => {
  it('finds nothing amiss where each event has its effect once', () => {
    const all = [COMPLETED, REFUNDED, sent('tx_2', 'payment.completed', false)]
    const events = [stored(COMPLETED), stored(REFUNDED)]
    expect(brokenBy(all, { events, lines: [line('fulfilled'), line('reversed')] })).toBe('')
    // The refund came first, so nothing was handed out.
    expect(brokenBy(all, { events, lines: [line('reversed')] })).toBe('')
  })

  it.each<[string, Sent[], Stored]>([
    ['not in the inbox', [COMPLETED], { events: [], lines: [] }],
    [
      'in the inbox 2 times',
      [COMPLETED],
      { events: [stored(COMPLETED), stored(COMPLETED)], lines: [line('fulfilled')] },
    ],
    ['not handled (open)', [COMPLETED], { events: [stored(COMPLETED, 'open')], lines: [] }],
    ['not handled (dead)', [COMPLETED], { events: [stored(COMPLETED, 'dead')], lines: [line('fulfilled')] }],
    ['was not fulfilled', [COMPLETED], { events: [stored(COMPLETED)], lines: [] }],
    [
      'fulfilled 2 times',
      [COMPLETED],
      { events: [stored(COMPLETED)], lines: [line('fulfilled'), line('fulfilled')] },
    ],
    ['another amount', [COMPLETED], { events: [stored(COMPLETED)], lines: [line('fulfilled', '26.00')] }],
    ['was not reversed', [REFUNDED], { events: [stored(REFUNDED)], lines: [] }],
    [
      'fulfilled for no event',
      [REFUNDED],
      { events: [stored(REFUNDED)], lines: [line('fulfilled'), line('reversed')] },
    ],
    [
      'reversed for no event',
      [COMPLETED],
      { events: [stored(COMPLETED)], lines: [line('fulfilled'), line('reversed')] },
    ],
    [
      'fulfilled after it was reversed',
      [COMPLETED, REFUNDED],
      { events: [stored(COMPLETED), stored(REFUNDED)], lines: [line('reversed'), line('fulfilled')] },
    ],
    ['never sent', [], { events: [stored(COMPLETED)], lines: [] }],
    ['which was never sent', [], { events: [], lines: [line('fulfilled')] }],
  ])('tells: %s', (what, all, found) => {
    expect(brokenBy(all, found)).toContain(what)
  })
})

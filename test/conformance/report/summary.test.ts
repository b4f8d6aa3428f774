import { expect, it } from 'vitest'
import { cardsOf } from '../../../conformance/report/failures.ts'
import { sent } from '../../../conformance/report/summary.ts'
import { madeExchange, madeFailure, madeReport } from './made.ts'

const control = madeExchange({ role: 'control', label: 'valid delivery' })
const refused = { answer: null, error: 'the connection was refused (ECONNREFUSED)', errorCode: 'refused' }
const of = (...exchanges: ReturnType<typeof madeExchange>[]) =>
  sent(madeFailure('robustness/x', 'security', { exchanges }))

it('says what a case sent, without its controls', () => {
  expect(of(madeExchange(), madeExchange(), control)).toBe('POST payment.completed, another secret (2 times)')
})

it('says that a case sent valid deliveries only', () => {
  expect(of(control, control)).toBe('POST payment.completed, valid delivery (2 times)')
})

it('says why nothing arrived: an earlier case ended the receiver', () => {
  const nothing =
    'nothing that arrived: the receiver refused every connection, most likely since an earlier case'
  expect(of(madeExchange(refused), madeExchange({ ...control, ...refused }))).toBe(nothing)
  expect(of(madeExchange(refused), madeExchange())).toMatch(/^POST/)
})

it('says that a case judges what the others sent', () => {
  expect(of()).toBe('nothing by itself: it judges the deliveries of the other cases')
})

it('shows the case that ended the receiver, not one that only found it ended', () => {
  const found = madeFailure('robustness/alive-at-the-end', 'security', { exchanges: [madeExchange(refused)] })
  const ending = madeFailure('robustness/good-after-odd-hosts', 'security', {
    exchanges: [
      madeExchange({ answer: null, error: 'the connection was closed (ECONNRESET)' }),
      madeExchange(refused),
    ],
  })
  const cases = [found, ending].map(({ case: id }) => id)
  const causes = [{ code: 'crashed', sentence: 'It ended.', fix: 'Look.', cases }]
  const { cards } = cardsOf(madeReport([found, ending], { causes }), 3)
  expect(cards.map(({ first }) => first?.case)).toEqual(['robustness/good-after-odd-hosts'])
})

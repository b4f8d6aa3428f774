import { expect, it } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { toReportCauses } from '../../../conformance/report/causes.ts'
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
  const explains = new Set([found, ending].map(({ case: id }) => ({ case: { id } }) as Verdict))
  const causes = toReportCauses([{ code: 'crashed', data: {}, explains }], paymentService, [found, ending])
  const { cards } = cardsOf(madeReport([found, ending], { causes }), 3)
  expect(cards.map(({ first }) => first?.case)).toEqual(['robustness/good-after-odd-hosts'])
})

import { describe, expect, it } from 'vitest'
import {
  fulfilledOnce,
  fulfilledOnceApart,
  fulfilledThenReversed,
  livemodeShown,
  notAsLiveBesideTests,
  notFulfilledAsLive,
  nothingHandled,
  nothingHandledNow,
  nothingLeftFulfilled,
} from '../../../../conformance/contracts/payment-service/expectations/effects.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import {
  nothingDoneLater,
  nothingLost,
} from '../../../../conformance/contracts/webhook/expectations/entire-run.ts'
import type { Observation, RunEvidence } from '../../../../conformance/contracts/webhook/model.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { evidence, exchange, worded } from '../../report/evidence.ts'
import { caseOf } from '../../support.ts'

const PAID: Partial<Delivery> = { key: 'tx_1', amount: '25.00', currency: 'USD', livemode: false }
const fulfilled: Partial<Effect> = { effect: 'fulfilled', livemode: false }
const reversed: Partial<Effect> = { effect: 'reversed', event: 'payment.refunded', livemode: false }

const found = (
  expectation: typeof fulfilledOnce,
  effects: readonly Partial<Effect>[],
  about: Partial<Delivery> = {},
) => worded(expectation.check(evidence([exchange(200, { ...PAID, ...about })], { tx_1: effects })))

describe('fulfilledOnce', () => {
  it.each<[string, Partial<Effect>[]]>([
    ['once, for the amount', [fulfilled]],
    ['with fewer zeros', [{ ...fulfilled, amount: '25.0' }]],
    ['with no decimals', [{ ...fulfilled, amount: '25' }]],
    ['with more zeros', [{ ...fulfilled, amount: '25.000' }]],
  ])('holds: %s', (_, effects) => {
    expect(found(fulfilledOnce, effects)).toBeUndefined()
  })

  it.each<[string, Partial<Effect>[], string, Observation]>([
    ['not at all', [], 'tx_1: not fulfilled', 'not-fulfilled'],
    ['only reversed', [reversed], 'tx_1: not fulfilled', 'not-fulfilled'],
  ])('does not hold yet: %s', (_, effects, problem, observed) => {
    expect(found(fulfilledOnce, effects)).toEqual({ problem, observed, severity: 'money' })
  })

  it.each<[string, Partial<Effect>[], string, Observation]>([
    ['twice', [fulfilled, fulfilled], 'tx_1: fulfilled 2 times', 'fulfilled-again'],
    [
      'reversed without a refund',
      [fulfilled, reversed],
      'tx_1: fulfilled, but reversed without a refund',
      'reversed-not-due',
    ],
    [
      'for another amount',
      [{ ...fulfilled, amount: '25.01' }],
      'tx_1: fulfilled for 25.01, but amount is 25.00',
      'fulfilled-wrongly',
    ],
    [
      'for ten times as much',
      [{ ...fulfilled, amount: '250' }],
      'tx_1: fulfilled for 250, but amount is 25.00',
      'fulfilled-wrongly',
    ],
    [
      'for a hundredth',
      [{ ...fulfilled, amount: '0.2500' }],
      'tx_1: fulfilled for 0.2500, but amount is 25.00',
      'fulfilled-wrongly',
    ],
    [
      'in another currency',
      [{ ...fulfilled, currency: 'EUR' }],
      'tx_1: fulfilled in EUR, but currency is USD',
      'fulfilled-wrongly',
    ],
  ])('does not hold, whatever follows: %s', (_, effects, problem, observed) => {
    expect(found(fulfilledOnce, effects)).toEqual({ problem, observed, severity: 'money', decisive: true })
  })

  it('names what stays wrong before what may still come', () => {
    const sent = ['tx_1', 'tx_2'].map((paymentId) => exchange(200, { ...PAID, key: paymentId }))
    expect(worded(fulfilledOnce.check(evidence(sent, { tx_2: [fulfilled, fulfilled] })))).toMatchObject({
      problem: 'tx_2: fulfilled 2 times',
      decisive: true,
    })
  })

  it('compares amounts that exceed floating-point precision', () => {
    const amount = '123456789012345678901234567890.12'
    expect(found(fulfilledOnce, [{ ...fulfilled, amount }], { amount })).toBeUndefined()
    const rounded = '123456789012345678901234567890.10'
    expect(found(fulfilledOnce, [{ ...fulfilled, amount: rounded }], { amount })).toMatchObject({
      severity: 'money',
    })
  })

  it('takes the amount from the completion when other events of the payment were sent too', () => {
    const partial = exchange(200, { ...PAID, event: 'payment.partial', amount: '99.00' })
    const shown = { tx_1: [fulfilled] }
    expect(worded(fulfilledOnce.check(evidence([partial, exchange(200, PAID)], shown)))).toBeUndefined()
    expect(worded(fulfilledOnce.check(evidence([exchange(200, PAID), partial], shown)))).toBeUndefined()
  })

  it('checks every payment of the probes, and no other', () => {
    const other = { ...PAID, key: 'tx_2' }
    const shown = { tx_1: [fulfilled] }
    const sent = exchange(200, PAID)
    expect(worded(fulfilledOnce.check(evidence([sent, exchange(200, other)], shown)))).toMatchObject({
      problem: 'tx_2: not fulfilled',
    })
    expect(
      worded(fulfilledOnce.check(evidence([sent, exchange(200, { ...other, role: 'control' })], shown))),
    ).toBeUndefined()
  })
})

describe('nothingHandled', () => {
  it('holds when no effect is shown', () => {
    expect(found(nothingHandled, [])).toBeUndefined()
  })

  it.each<[string, Partial<Effect>[], string, Observation]>([
    ['a fulfillment', [fulfilled], 'tx_1: fulfilled for 25.00', 'fulfilled-not-due'],
    ['a reversal', [reversed], 'tx_1: reversed for 25.00', 'reversed-not-due'],
    ['both', [fulfilled, reversed], 'tx_1: fulfilled for 25.00, reversed for 25.00', 'fulfilled-not-due'],
  ])('does not hold: %s', (_, effects, problem, observed) => {
    expect(found(nothingHandled, effects)).toEqual({ problem, observed, severity: 'money', decisive: true })
  })

  it('allows the effect of the control', () => {
    const control = exchange(200, { ...PAID, key: 'tx_2', role: 'control' })
    expect(
      worded(nothingHandled.check(evidence([exchange(401, PAID), control], { tx_2: [fulfilled] }))),
    ).toBeUndefined()
  })
})

describe('nothingHandledNow', () => {
  it.each<[string, Partial<Effect>]>([
    ['of another amount', { amount: '26.00' }],
    ['in another currency', { currency: 'EUR' }],
    ['that was reversed', reversed],
  ])('allows an effect of an earlier run: %s', (_, effect) => {
    expect(found(nothingHandledNow, [{ ...fulfilled, ...effect }])).toBeUndefined()
  })

  it('does not hold when the amount of the event was credited', () => {
    expect(found(nothingHandledNow, [{ ...fulfilled, amount: '26.00' }, fulfilled])).toMatchObject({
      problem: 'tx_1: fulfilled for 25.00',
      observed: 'fulfilled-not-due',
    })
  })
})

describe('fulfilledOnceApart', () => {
  const both = [exchange(200, PAID), exchange(200, { ...PAID, key: 'tx_2', amount: '26.00' })]
  const shown = (amount: string) => ({ tx_1: [fulfilled], tx_2: [{ ...fulfilled, amount }] })

  it('says that a payment was taken for another one if it has the amount of that one', () => {
    expect(worded(fulfilledOnceApart.check(evidence(both, shown('25.00'))))).toMatchObject({
      problem: 'tx_2: not fulfilled for its amount of 26.00, but for 25.00, which is that of another payment',
      observed: 'not-fulfilled',
    })
  })

  it('says that an amount is wrong if no other payment has it', () => {
    expect(worded(fulfilledOnceApart.check(evidence(both, shown('2600'))))).toMatchObject({
      problem: 'tx_2: fulfilled for 2600, but amount is 26.00',
      observed: 'fulfilled-wrongly',
    })
  })
})

describe('fulfilledThenReversed', () => {
  it('holds for one fulfillment and one reversal, in that order', () => {
    expect(found(fulfilledThenReversed, [fulfilled, reversed])).toBeUndefined()
  })

  it.each<[Partial<Effect>[], string, Observation]>([
    [[], 'tx_1: no effect', 'not-fulfilled'],
    [[fulfilled], 'tx_1: fulfilled', 'not-reversed'],
  ])('does not hold yet: %j', (effects, problem, observed) => {
    expect(found(fulfilledThenReversed, effects)).toEqual({ problem, observed, severity: 'money' })
  })

  it.each<[Partial<Effect>[], string, Observation]>([
    [[reversed], 'tx_1: reversed', 'not-fulfilled'],
    [[reversed, fulfilled], 'tx_1: reversed, then fulfilled', 'fulfilled-after-refund'],
    [[fulfilled, reversed, reversed], 'tx_1: fulfilled, then reversed, then reversed', 'reversed-again'],
    [[fulfilled, fulfilled, reversed], 'tx_1: fulfilled, then fulfilled, then reversed', 'fulfilled-again'],
  ])('does not hold, whatever follows: %j', (effects, problem, observed) => {
    expect(found(fulfilledThenReversed, effects)).toEqual({
      problem,
      observed,
      severity: 'money',
      decisive: true,
    })
  })
})

describe('nothingLeftFulfilled', () => {
  it.each<[string, Partial<Effect>[]]>([
    ['nothing at all', []],
    ['a reversal without a fulfillment', [reversed]],
    ['a fulfillment and its reversal', [fulfilled, reversed]],
  ])('holds: %s', (_, effects) => {
    expect(found(nothingLeftFulfilled, effects)).toBeUndefined()
  })

  it('does not hold yet when the reversal of a fulfillment may follow', () => {
    expect(found(nothingLeftFulfilled, [fulfilled])).toEqual({
      problem: 'tx_1: fulfilled',
      observed: 'not-reversed',
      severity: 'money',
    })
  })

  it.each<[string, Partial<Effect>[]]>([
    ['a fulfillment after the reversal', [reversed, fulfilled]],
    ['one of two', [fulfilled, fulfilled, reversed]],
    ['reversed twice', [fulfilled, reversed, reversed]],
  ])('does not hold, whatever follows: %s', (_, effects) => {
    expect(found(nothingLeftFulfilled, effects)).toMatchObject({ severity: 'money', decisive: true })
  })
})

describe('livemodeShown', () => {
  it('holds when it equals the livemode of the event', () => {
    expect(found(livemodeShown, [fulfilled])).toBeUndefined()
    expect(found(livemodeShown, [{ ...fulfilled, livemode: true }], { livemode: true })).toBeUndefined()
  })

  it('does not hold when it differs', () => {
    expect(found(livemodeShown, [{ ...fulfilled, livemode: true }])).toEqual({
      problem: 'livemode is true, but false in the event',
      severity: 'money',
      decisive: true,
    })
  })

  it('is not tested when it is not shown, nor when nothing is shown yet', () => {
    expect(found(livemodeShown, [{ effect: 'fulfilled' }])).toEqual({
      untested: 'the receiver showed an effect without livemode',
      decisive: true,
    })
    expect(found(livemodeShown, [])).toEqual({ untested: 'the receiver showed no effect of the payment' })
  })
})

describe('what holds for the whole run', () => {
  type OfRun = Pick<RunEvidence, 'lost' | 'wrongLater'>
  const of = (expectation: typeof fulfilledOnce, run: Partial<OfRun>) =>
    worded(expectation.check({ ...evidence([]), run: { wrongLater: [], lost: [], ...run } }))
  const testCase = caseOf('effects/completed-is-fulfilled')
  const lostPayment = (paymentId: string) => ({ testCase, key: paymentId })
  const wrong = (payment: string) => ({
    testCase,
    evaluation: {
      standing: 'wrong' as const,
      hasProblems: true,
      found: [
        {
          kind: 'effects' as const,
          expected: { code: 'nothing_lost' as const },
          finding: {
            wrong: { code: 'shown_as_live' as const },
            payments: [payment],
            severity: 'money' as const,
          },
        },
      ],
    },
  })

  it('holds when no payment changed later and none was lost', () => {
    expect(of(nothingDoneLater, { lost: [lostPayment('tx_1')] })).toBeUndefined()
    expect(of(nothingLost, { wrongLater: [wrong('tx_1')] })).toBeUndefined()
  })

  it('names the first payments and counts the others', () => {
    const ids = ['tx_1', 'tx_2', 'tx_3']
    const named = ids.map((id) => `${id} (${testCase.id})`).join(', ')
    const again = ids
      .map((id) => `${id}: an effect with livemode true, but false in the event (${testCase.id})`)
      .join(', ')
    const problem = (text: string) => ({ problem: text, severity: 'money', decisive: true })
    expect(of(nothingLost, { lost: ids.map(lostPayment) })).toEqual(
      problem(`acknowledged, but not fulfilled: ${named}`),
    )
    expect(of(nothingDoneLater, { wrongLater: [...ids, 'tx_4', 'tx_5'].map(wrong) })).toEqual(
      problem(`${again}, and 2 more`),
    )
  })
})

describe('notFulfilledAsLive', () => {
  const live: Partial<Effect> = { effect: 'fulfilled', livemode: true }

  it('holds without an effect, and for an effect that is shown as a test', () => {
    expect(found(notFulfilledAsLive, [])).toBeUndefined()
    expect(found(notFulfilledAsLive, [fulfilled])).toBeUndefined()
  })

  it('does not hold for an effect that is shown as live', () => {
    expect(found(notFulfilledAsLive, [fulfilled, live])).toEqual({
      problem: 'tx_1: an effect with livemode true, but false in the event',
      severity: 'money',
      decisive: true,
    })
  })

  it('cannot judge an effect that does not show whether it is live', () => {
    for (const expectation of [notFulfilledAsLive, notAsLiveBesideTests])
      expect(found(expectation, [{ effect: 'fulfilled' }])).toMatchObject({
        untested: expect.stringContaining('without livemode'),
      })
  })

  it('holds for a receiver of tests alone that shows each payment as live, but not beside one that it shows as a test', () => {
    expect(found(notAsLiveBesideTests, [])).toBeUndefined()
    expect(found(notAsLiveBesideTests, [fulfilled])).toBeUndefined()
    expect(found(notAsLiveBesideTests, [live, live])).toBeUndefined()
    expect(found(notAsLiveBesideTests, [fulfilled, live])).toMatchObject({
      severity: 'money',
      decisive: true,
    })
  })
})

it('names the delivery that had an effect', () => {
  expect(found(nothingHandled, [fulfilled], { change: 'the method PUT, forged' })).toMatchObject({
    problem: 'tx_1: fulfilled for 25.00 (the method PUT, forged)',
  })
})

import { fewAtOnce, inTurn } from '../../../../engine/plan.ts'
import { accepted } from '../../../webhook/expectations/expect.ts'
import type { Guidance, Plan } from '../../../webhook/model.ts'
import { fulfilledExactlyIfAtAll } from '../../expectations/conditional.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import type { Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'

/** An amount in decimal text, and its currency. */
type Money = readonly [amount: string, currency: string]

/** Every class of ISO 4217 by its number of decimals, and two crypto assets: the interface lists no currencies. */
const WITHOUT_DECIMALS: readonly Money[] = [
  ['1500', 'JPY'],
  ['50000', 'KRW'],
  ['25', 'USD'],
]
/** Currencies with two decimals in ISO 4217 that shops seldom show: some lists of currencies without decimals contain them. */
const WITH_UNUSUAL_DECIMALS: readonly Money[] = [
  ['150000.50', 'IDR'],
  ['1999.90', 'HUF'],
  ['250.75', 'TWD'],
]
const WITH_THREE_OR_FOUR_DECIMALS: readonly Money[] = [
  ['1.234', 'KWD'],
  ['0.005', 'BHD'],
  ['12.3456', 'CLF'],
]
const WITH_EIGHT_DECIMALS: readonly Money[] = [
  ['0.12345678', 'BTC'],
  ['21.00000001', 'BTC'],
  ['25.123456', 'USDT'],
]
const WITH_EIGHTEEN_DECIMALS: readonly Money[] = [
  ['1.123456789012345678', 'ETH'],
  ['0.000000000000000001', 'ETH'],
  ['9.000000000000000001', 'ETH'],
]
/** Tokens with 18 decimals and a large supply: more digits than the 28 that decimal types often keep. */
const LONGER_THAN_DECIMAL_TYPES: readonly Money[] = [
  ['12345678901.123456789012345678', 'PEPE'],
  ['123456789012.123456789012345671', 'SHIB'],
  ['9876543210987.000000000000000001', 'SHIB'],
]
/** As doubles, all but the last give less than their cents when multiplied by 100; no double equals the last one. */
const INEXACT_AS_DOUBLE: readonly Money[] = [
  ['19.99', 'USD'],
  ['4.35', 'EUR'],
  ['0.29', 'USD'],
  ['1.15', 'USD'],
  ['8.2', 'EUR'],
  ['90071992547409.93', 'USD'],
]

/** Amounts of which the first is less than the second, but not as text, nor by its digits without the point. */
const LESS = [
  ...[1, 2, 3].map((digits) => [`${'9'.repeat(digits)}.50`, `1${'0'.repeat(digits)}.00`] as const),
  ['9.10', '9.5'],
] as const

const paid =
  (amounts: readonly Money[]) =>
  (kit: Kit): Plan =>
    fewAtOnce(...amounts.map(([amount, currency]) => kit.delivery('completed', { amount, currency })))

export const short = (kit: Kit, amount: string, amount_requested: string, currency: string) =>
  kit.delivery('completed-short', { amount, amount_requested, currency })
/** A payment of 25.00 USD that another rail settled. */
const settled = (kit: Kit, amount: string, currency: string) =>
  kit.delivery('completed-mixed-checkout', {
    amount: '25.00',
    currency: 'USD',
    settled_via: { rail: 'LOCAL', amount, currency },
  })

const wrongAmount = {
  impact: 'The merchant credits more than was paid, or in another currency.',
  fix: 'Credit `amount` in `currency`, and ignore the other amounts of the event.',
  about: ['fulfilled-wrongly'],
} satisfies Guidance

/** SPEC.md 9.2. */
export const shortPayments = requirement(
  'A receiver MUST fulfill a short payment for `amount`, never for `amount_requested`.',
  wrongAmount,
  {
    'short-payment-for-amount': {
      needs: 'effects',
      send: (kit) =>
        inTurn(
          short(kit, '20.50', '25.00', 'USD'),
          short(kit, '24.99', '25.00', 'EUR'),
          short(kit, '20.123456', '25.000000', 'USDT'),
          ...LESS.map(([amount, requested]) => short(kit, amount, requested, 'USD')),
        ),
      expect: [accepted, fulfilledOnce],
    },
    'short-gift-card-for-amount': {
      needs: 'effects',
      send: (kit) => inTurn(kit.delivery('completed-gift-card-short')),
      expect: [accepted, fulfilledOnce],
    },
    'short-payment-with-other-decimals': {
      needs: 'effects',
      send: (kit) =>
        inTurn(
          short(kit, '1200', '1500', 'JPY'),
          short(kit, '1.229', '1.234', 'KWD'),
          short(kit, '0.12345670', '0.12345678', 'BTC'),
        ),
      expect: [accepted, fulfilledOnce],
    },
  },
)

/** SPEC.md 9.3. */
export const mixedCheckouts = requirement(
  "A receiver MUST fulfill a mixed checkout for the payment's own `amount` and `currency`, not for those of `settled_via`.",
  wrongAmount,
  {
    'mixed-checkout-in-own-currency': {
      needs: 'effects',
      send: (kit) =>
        inTurn(
          settled(kit, '135.40', 'BRL'),
          settled(kit, '405000', 'IDR'),
          settled(kit, '0.00041205', 'BTC'),
        ),
      expect: [accepted, fulfilledOnce],
    },
    'mixed-checkout-settled-in-the-same-currency': {
      needs: 'effects',
      send: (kit) => inTurn(settled(kit, '24.35', 'USD'), settled(kit, '25.65', 'USD')),
      expect: [accepted, fulfilledOnce],
    },
  },
)

/** SPEC.md 9.13. */
export const exactAmounts = requirement(
  'A receiver MUST credit exactly the amount of the event, whatever its size and its number of decimals.',
  {
    impact: 'A payment is credited with another amount than was paid.',
    fix: 'Keep amounts as decimal strings or exact decimals; assume no number of decimals, and never use floating-point numbers.',
    about: ['fulfilled-wrongly'],
  },
  {
    'amounts-without-decimals': {
      needs: 'effects',
      send: paid(WITHOUT_DECIMALS),
      expect: [accepted, fulfilledOnce],
      impact:
        'A payment in a currency without cents is credited with a hundredth or a hundred times the amount.',
    },
    'amounts-with-decimals-that-are-seldom-used': {
      needs: 'effects',
      send: paid(WITH_UNUSUAL_DECIMALS),
      expect: [accepted, fulfilledOnce],
    },
    'amounts-with-three-or-four-decimals': {
      needs: 'effects',
      send: paid(WITH_THREE_OR_FOUR_DECIMALS),
      expect: [accepted, fulfilledOnce],
    },
    'amounts-with-eight-decimals': {
      needs: 'effects',
      send: paid(WITH_EIGHT_DECIMALS),
      expect: [accepted, fulfilledOnce],
    },
    'amounts-with-eighteen-decimals': {
      needs: 'effects',
      send: paid(WITH_EIGHTEEN_DECIMALS),
      expect: [accepted, fulfilledOnce],
    },
    'amounts-of-more-than-28-digits': {
      needs: 'effects',
      send: paid(LONGER_THAN_DECIMAL_TYPES),
      expect: [fulfilledExactlyIfAtAll],
      open: 'A receiver may set such an amount aside or refuse it (10.15), but must not credit another one.',
      fix: 'Keep the amount as text. Where it must be a number, use a decimal type with enough digits, and set aside what does not fit: decimal in C#, Rust and Python by default rounds after 28 digits.',
    },
    'amounts-inexact-in-floating-point': {
      needs: 'effects',
      send: paid(INEXACT_AS_DOUBLE),
      expect: [accepted, fulfilledOnce],
    },
  },
)

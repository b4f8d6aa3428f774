import { CORRECT, type Event, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

/** The currencies that a shop thinks it is paid in. */
const LISTED: ReadonlySet<string> = new Set(['USD', 'EUR', 'GBP'])

/** Credits another amount than that of the event. */
const crediting = (amountOf: (event: Event) => string): Mutant['does'] => ({
  effectOf: (event, before) => CORRECT.effectOf({ ...event, amount: amountOf(event) }, before),
})
const settledOf = (event: Event) => (event['settled_via'] ?? {}) as Event
const minorUnits = (event: Event) => Number(event['amount']) * 100

/** Mistakes with amounts and currencies (SPEC.md 9.2, 9.3 and 9.13). */
export const OF_MONEY: Readonly<Record<string, Mutant>> = {
  'rounds amounts to two decimals': {
    does: crediting(({ amount }) =>
      text(amount).replace(/^(\d+)\.(\d{2})\d+$/, (_, whole, cents) => `${whole}.${cents}`),
    ),
    fails: ['effects/amounts-with-three-or-four-decimals', 'effects/amounts-with-eight-decimals'],
  },
  'takes the rupiah for a currency without decimals': {
    does: crediting(({ amount, currency }) =>
      currency === 'IDR' ? text(amount).replace(/\.\d+$/, '') : text(amount),
    ),
    fails: ['effects/amounts-with-decimals-that-are-seldom-used'],
  },
  'keeps six decimals': {
    does: crediting(({ amount }) => text(amount).replace(/(\.\d{6})\d+$/, '$1')),
    fails: ['effects/amounts-with-eight-decimals'],
  },
  'keeps 28 digits of an amount, as a decimal of .NET does': {
    does: crediting(({ amount }) => {
      const [whole = '', fraction] = text(amount).split('.')
      return fraction === undefined ? whole : `${whole}.${fraction.slice(0, Math.max(0, 28 - whole.length))}`
    }),
    fails: ['effects/amounts-of-more-than-28-digits'],
  },
  'takes an amount without a decimal point for cents': {
    does: crediting(({ amount }) =>
      text(amount).includes('.') ? text(amount) : (Number(amount) / 100).toFixed(2),
    ),
    fails: ['effects/amounts-without-decimals'],
    source: 'https://github.com/Paymenter/Paymenter/issues/1258',
  },
  'drops the zeros at the end of an amount': {
    does: crediting(({ amount }) => text(amount).replace(/\.?0+$/, '')),
    fails: ['effects/amounts-without-decimals'],
  },
  'credits every payment in dollars': {
    does: {
      effectOf: (event, before) => CORRECT.effectOf({ ...event, currency: 'USD' }, before),
    },
    fails: ['effects/completed-is-fulfilled'],
  },
  'credits yen in cents': {
    does: crediting((event) =>
      event['currency'] === 'JPY' ? String(minorUnits(event)) : text(event['amount']),
    ),
    fails: ['effects/amounts-without-decimals'],
    source: 'https://github.com/calcom/cal.diy/pull/30039',
  },
  'keeps amounts as single-precision numbers': {
    does: crediting(({ amount }) => Math.fround(Number(amount)).toFixed(8)),
    fails: ['effects/amounts-inexact-in-floating-point', 'effects/amounts-with-eight-decimals'],
  },
  'keeps amounts as doubles with two decimals for dollars': {
    does: crediting(({ amount, currency }) =>
      currency === 'USD' ? Number(amount).toFixed(2) : text(amount),
    ),
    fails: ['effects/amounts-inexact-in-floating-point'],
  },
  'credits the settled amount when the currency is the same': {
    does: crediting((event) =>
      text(settledOf(event)['currency'] === event['currency'] ? settledOf(event)['amount'] : event['amount']),
    ),
    fails: ['effects/mixed-checkout-settled-in-the-same-currency'],
  },
  'credits the settled amount in its own currency': {
    does: crediting((event) => text(settledOf(event)['amount'] ?? event['amount'])),
    cause: 'settled_via_credited',
    fails: ['effects/mixed-checkout-in-own-currency', 'effects/mixed-checkout-settled-in-the-same-currency'],
  },
  'credits amount_requested when it is nearly paid': {
    does: crediting(({ amount, amount_requested }) => {
      const requested = Number(amount_requested ?? amount)
      return requested - Number(amount) < 0.02 ? text(amount_requested ?? amount) : text(amount)
    }),
    fails: ['effects/short-payment-for-amount', 'effects/short-payment-with-other-decimals'],
  },
  'credits the smaller of amount and amount_requested as texts': {
    does: crediting(({ amount, amount_requested }) =>
      amount_requested !== undefined && text(amount_requested) < text(amount)
        ? text(amount_requested)
        : text(amount),
    ),
    fails: ['effects/short-payment-for-amount'],
  },
  'credits the smaller of amount and amount_requested without their points': {
    does: crediting(({ amount, amount_requested }) => {
      const digits = (money: unknown) => Number(text(money).replace('.', ''))
      return amount_requested !== undefined && digits(amount_requested) < digits(amount)
        ? text(amount_requested)
        : text(amount)
    }),
    fails: ['effects/short-payment-for-amount'],
  },
  'credits amount_requested in currencies other than dollars': {
    does: crediting(({ amount, amount_requested, currency }) =>
      text(currency === 'USD' ? amount : (amount_requested ?? amount)),
    ),
    fails: ['effects/short-payment-for-amount', 'effects/short-payment-with-other-decimals'],
  },
  'holds amounts in 32 bits': {
    does: crediting(({ amount }) => (Number(amount) > 21_474_836.47 ? '21474836.47' : text(amount))),
    cause: 'amount_limited',
    fails: ['effects/large-amount-to-the-last-digit', 'effects/amounts-inexact-in-floating-point'],
  },
  'lets hundredths overflow 32 bits': {
    does: crediting(({ amount }) =>
      /^\d+(\.\d{1,2})?$/.test(text(amount))
        ? ((Math.round(Number(amount) * 100) | 0) / 100).toFixed(2)
        : text(amount),
    ),
    cause: 'amount_limited',
    fails: ['effects/large-amount-to-the-last-digit', 'effects/amounts-inexact-in-floating-point'],
  },
  'cuts the currency to three letters': {
    does: {
      effectOf: (event, before) =>
        CORRECT.effectOf({ ...event, currency: text(event['currency']).slice(0, 3) }, before),
    },
    cause: 'currency_rewritten',
    fails: ['effects/amounts-with-eight-decimals'],
  },
  'credits the currencies on its list': {
    does: {
      effectOf: (event, before) =>
        LISTED.has(text(event['currency'])) ? CORRECT.effectOf(event, before) : undefined,
    },
    cause: 'currency_not_listed',
    fails: ['effects/amounts-without-decimals', 'effects/amounts-with-three-or-four-decimals'],
  },
  'refuses the currencies that are not on its list': {
    does: {
      rejects: ({ currency }) => (currency === undefined || LISTED.has(text(currency)) ? undefined : 400),
    },
    cause: 'currency_not_listed',
    fails: ['effects/amounts-without-decimals', 'effects/amounts-with-three-or-four-decimals'],
  },
  'lets the metadata overwrite the event': {
    does: {
      parse(body) {
        const event = JSON.parse(body.toString()) as Event
        return typeof event === 'object' && event !== null
          ? { ...event, ...Object(event['metadata']) }
          : event
      },
    },
    cause: 'metadata_merged',
    fails: ['bypass/metadata-named-like-amounts', 'bypass/metadata-named-like-a-completion'],
  },
}

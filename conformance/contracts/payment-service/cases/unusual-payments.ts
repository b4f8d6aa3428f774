import { inOrder, inTurn, together } from '../../../engine/plan.ts'
import type { Delivery } from '../delivery.ts'
import { fulfilledIfAcknowledged, fulfilledOnce } from '../expectations/effects.ts'
import { accepted } from '../expectations/expect.ts'
import type { Kit } from '../kit.ts'
import type { CaseOfRequirement } from '../model.ts'
import { requirement } from './section.ts'

type Fields = Readonly<Record<string, unknown>>

const NUL: Fields = { metadata: { order: 'SO-10001', note: 'first\u0000second' } }
const LONE_SURROGATE: Fields = { metadata: { order: 'SO-10001', note: 'cut off: \ud83c' } }
const EMOJI: Fields = {
  metadata: { order: 'SO-10001', item: 'Gift \u{1f381}', customer: '\u{1f469}\u200d\u{1f680}' },
}
/** What ends a text, or begins something else, where texts are put together: SQL, shells, URLs, HTML, formats. */
const QUOTES: Fields = {
  metadata: {
    order: 'SO-10001',
    customer: "Niamh O'Brien",
    item: 'pipe 3" \\ 5% off, <small> & {round}; `x` $1 %s :id ?',
    note: 'first line\r\nsecond\tline\u2028third',
  },
}
/** Longer than 255, 1,024 and 4,000 characters: common limits of a text column. */
const LONG_METADATA: Fields = {
  metadata: { order: 'O'.repeat(300), item: 'i'.repeat(1_100), note: 'n'.repeat(5_000) },
}
const LONG_METHOD: Fields = { payment_method: `m${'e'.repeat(299)}`, processor: `p${'r'.repeat(299)}` }
/** With the other fields, 66,000 bytes: more than a column of 64 KiB holds. */
const LARGE: Fields = {
  metadata: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`part_${n}`, 'x'.repeat(1_980)])),
}

/** Document stores reserve these characters in the names of fields. */
const PUNCTUATED_KEYS: Fields = { metadata: { 'order.id': 'SO-10001', $ref: 'cart', 'a b/c': 'd' } }

const payment = (kit: Kit, change: string, fields: Fields): Delivery => ({
  ...kit.delivery('completed', fields),
  change,
})
const keptIfAcknowledged = (change: string, fields: Fields): CaseOfRequirement => ({
  needs: 'effects',
  send: (kit) => inTurn(payment(kit, change, fields)),
  expect: [fulfilledIfAcknowledged],
  fix: 'Store the raw bytes of the body in a binary column, and answer 200 only when they are stored.',
})
const RAW =
  'Store the raw bytes of the body, in a binary column, and read from them only the fields that you need.'
/** Some parsers have no value for it. */
const UNPARSED =
  'Some parsers fail on a lone surrogate: json_decode of PHP returns null (JSON_ERROR_UTF16), and JSON.parse of Ruby raises JSON::ParserError. There, parse a copy in which each one is replaced by \\ufffd.'

const isAccepted = (change: string, fields: Fields): CaseOfRequirement => ({
  send: (kit) => inTurn(payment(kit, change, fields)),
  expect: [accepted],
})

/** SPEC.md 6.5, for bodies that a store may be unable to keep. */
export const UNUSUAL_PAYMENTS = {
  'nul-in-metadata-not-lost': keptIfAcknowledged('U+0000 in the metadata', NUL),
  'lone-surrogate-in-metadata-not-lost': keptIfAcknowledged(
    'a lone surrogate in the metadata',
    LONE_SURROGATE,
  ),
  'emoji-in-metadata-not-lost': keptIfAcknowledged('emoji in the metadata', EMOJI),
  'quotes-in-metadata-not-lost': keptIfAcknowledged('quotes and other punctuation in the metadata', QUOTES),
  'long-metadata-not-lost': keptIfAcknowledged('long values in the metadata', LONG_METADATA),
  'long-payment-method-not-lost': keptIfAcknowledged('a payment method of 300 characters', LONG_METHOD),
  'punctuated-metadata-keys-not-lost': keptIfAcknowledged('dots and dollar signs in keys', PUNCTUATED_KEYS),
  'body-of-66-kb-not-lost': keptIfAcknowledged('a body of 66 KB', LARGE),
}

/** SPEC.md 6.9. */
export const unusualText = requirement(
  'A receiver SHOULD accept a payment whose text its store cannot keep as it is.',
  {
    impact: 'A customer has paid and gets nothing, because the merchant chose unusual metadata.',
    fix: RAW,
  },
  {
    'nul-in-metadata-accepted': isAccepted('U+0000 in the metadata', NUL),
    'lone-surrogate-in-metadata-accepted': {
      ...isAccepted('a lone surrogate in the metadata', LONE_SURROGATE),
      fix: `${RAW} ${UNPARSED}`,
    },
    'punctuated-metadata-keys-accepted': isAccepted('dots and dollar signs in keys', PUNCTUATED_KEYS),
    'long-payment-method-accepted': isAccepted('a payment method of 300 characters', LONG_METHOD),
  },
)

/** SPEC.md 10.8. */
export const UNUSUAL_VALUES = {
  'emoji-in-metadata': isAccepted('emoji in the metadata', EMOJI),
  'quotes-in-metadata': isAccepted('quotes and other punctuation in the metadata', QUOTES),
  'long-metadata': isAccepted('long values in the metadata', LONG_METADATA),
}

/** Events that the interface allows and that a handler may not expect. */
const unexpected = (kit: Kit): Delivery[] =>
  [
    { ...kit.delivery('refund', { type: 'goodwill' }), change: 'an unknown type of refund' },
    { ...kit.delivery('completed', { event: 'payment.disputed' }), change: 'an unknown event' },
    {
      ...kit.delivery('failed-provider_error', { failure_code: 'new_code' }),
      change: 'an unknown failure code',
    },
    payment(kit, 'an amount of 30 digits', { amount: '123456789012345678901234567890.12' }),
    payment(kit, 'metadata that is empty', { metadata: {} }),
  ].map((delivery) => ({ ...delivery, role: 'context' }))

/** SPEC.md 6.10. */
export const notBlocked = requirement(
  'A delivery that a receiver cannot handle MUST NOT keep it from processing those that it acknowledges afterwards.',
  {
    impact: 'One unusual event stops the payments of other customers.',
    fix: 'Catch the error of each event separately, set that event aside, and continue with the next one.',
  },
  {
    'payments-behind-unexpected-events': {
      needs: 'effects',
      send: (kit) =>
        inOrder(
          ...[1, 2].map(() => together(...unexpected(kit), kit.delivery('completed'))),
          inTurn(...unexpected(kit).slice(0, 1), kit.delivery('completed')),
        ),
      expect: [accepted, fulfilledOnce],
    },
  },
)

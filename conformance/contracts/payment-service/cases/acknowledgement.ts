import { fewAtOnce, inOrder, inTurn, together } from '../../../engine/plan.ts'
import type { Delivery } from '../../webhook/delivery.ts'
import { nothingLost } from '../../webhook/expectations/entire-run.ts'
import { accepted, answeredInTime } from '../../webhook/expectations/expect.ts'
import type { Plan } from '../../webhook/model.ts'
import { fulfilledIfAcknowledged, fulfilledOnce } from '../expectations/effects.ts'
import type { Kit } from '../kit.ts'
import { deliver, senderGone } from '../payments.ts'
import { type CaseOfRequirement, requirement, section } from '../section.ts'

/** How long after the request its sender disappears, in milliseconds. */
const GONE_AFTER_MS = [0, 5, 20]

/** A delivery whose sender does not wait for the response, and its redelivery. */
const goneThenRedelivered = (delivery: Delivery, withinMs: number) =>
  inTurn(senderGone(delivery, withinMs), delivery)

type Fields = Readonly<Record<string, unknown>>

const NUL: Fields = { metadata: { order: 'SO-10001', note: 'first\u0000second' } }
const LONE_SURROGATE: Fields = { metadata: { order: 'SO-10001', note: 'cut off: \ud83c' } }
export const EMOJI: Fields = {
  metadata: { order: 'SO-10001', item: 'Gift \u{1f381}', customer: '\u{1f469}\u200d\u{1f680}' },
}
/** What ends a text, or begins something else, where texts are put together: SQL, shells, URLs, HTML, formats. */
export const QUOTES: Fields = {
  metadata: {
    order: 'SO-10001',
    customer: "Niamh O'Brien",
    item: 'pipe 3" \\ 5% off, <small> & {round}; `x` $1 %s :id ?',
    note: 'first line\r\nsecond\tline\u2028third',
  },
}
/** What a web application firewall takes for an attack. */
export const ATTACKS: Fields = {
  metadata: {
    order: "SO-10001' OR '1'='1' --",
    customer: '<script>alert(document.cookie)</script>',
    item: '../../../../etc/passwd',
    note: '${jndi:ldap://shop.example/a}; cat /etc/passwd | sh',
    union: '1 UNION SELECT password FROM users',
  },
}
/** Longer than 255, 1,024 and 4,000 characters: common limits of a text column. */
export const LONG_METADATA: Fields = {
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

export const unusualAccepted = (change: string, fields: Fields): CaseOfRequirement => ({
  send: (kit) => inTurn(payment(kit, change, fields)),
  expect: [accepted],
})

/** SPEC.md 6.9. */
const unusualText = requirement(
  'A receiver SHOULD accept a payment whose text its store cannot keep as it is.',
  {
    impact: 'A customer has paid and gets nothing, because the merchant chose unusual metadata.',
    fix: RAW,
  },
  {
    'nul-in-metadata-accepted': unusualAccepted('U+0000 in the metadata', NUL),
    'lone-surrogate-in-metadata-accepted': {
      ...unusualAccepted('a lone surrogate in the metadata', LONE_SURROGATE),
      fix: `${RAW} ${UNPARSED}`,
    },
    'punctuated-metadata-keys-accepted': unusualAccepted('dots and dollar signs in keys', PUNCTUATED_KEYS),
    'long-payment-method-accepted': unusualAccepted('a payment method of 300 characters', LONG_METHOD),
  },
)

/** The same payment twice at once: the second one violates a unique key. */
function repeated(kit: Kit): Delivery[] {
  const delivery = { ...kit.delivery('completed'), change: 'a copy that arrives at the same time' }
  return [delivery, delivery]
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
    payment(kit, 'an unknown currency', { currency: 'QQX' }),
    payment(kit, 'an amount of zero', { amount: '0.00' }),
    payment(kit, 'an amount that is no decimal', { amount: '12,50' }),
    ...repeated(kit),
  ].map((delivery) => ({ ...delivery, role: 'context' }))

/** Events with an amount that a handler may divide by: for the share that is missing, for a rate, for what is left. */
const zeros = (kit: Kit): Delivery[] =>
  [
    ...['0.00', '0', null].map((amount_requested) => ({
      ...kit.delivery('completed-short', { amount_requested }),
      change: `${amount_requested} as the requested amount`,
    })),
    {
      ...kit.delivery('completed-mixed-checkout', {
        settled_via: { rail: 'PIX', amount: '0.00', currency: 'BRL' },
      }),
      change: '0.00 as the settled amount',
    },
    {
      ...kit.delivery('partial-crypto', { amount: '0.00', amount_received: '0.00' }),
      change: '0.00 as the amount and the received amount',
    },
  ].map((delivery) => ({ ...delivery, role: 'context' }))

/** Nothing but what makes it an event (SPEC.md 10), and what events of a test checkout have. */
const FEW: Fields = Object.fromEntries(
  [
    'payment_id',
    'order_id',
    'payment_method',
    'processor',
    'timestamp',
    'failure_code',
    'failure_reason',
    'amount_received',
  ].map((name) => [name, undefined]),
)
/** Events that do not decide whether a completion of their payment is fulfilled, as a handler may not expect them. */
const UNDECIDED = [
  ['failed-provider_error', FEW, 'a failure with few fields'],
  ['failed-provider_error', { failure_code: 'new_code' }, 'an unknown failure code'],
  ['failed-provider_error', { failure_reason: '', metadata: {} }, 'a failure with empty fields'],
  ['partial-crypto', FEW, 'a partial payment with few fields'],
  ['partial-crypto', { amount: '0.00', amount_received: '0.00' }, 'a partial payment of zero'],
] as const

/** Payments that complete after such an event of their own. */
function afterTheirOwn(kit: Kit): Plan {
  const paid = UNDECIDED.map(() => kit.delivery('completed'))
  const before = UNDECIDED.map(
    ([scenario, fields, change], n): Delivery => ({
      ...kit.delivery(scenario, { id: paid[n]?.key, ...fields }),
      change,
      role: 'context',
    }),
  )
  return inOrder(fewAtOnce(...before), fewAtOnce(...paid))
}

/** SPEC.md 6.10. */
const notBlocked = requirement(
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
          inTurn(...zeros(kit), kit.delivery('completed')),
          afterTheirOwn(kit),
        ),
      expect: [accepted, fulfilledOnce],
    },
  },
)

/** A burst in which every fifth delivery is a completion, whose effect shows how far the receiver has come. */
const burstOf =
  (others: 'completed' | 'refund') =>
  (kit: Kit): Plan =>
    together(...Array.from({ length: 50 }, (_, n) => kit.delivery(n % 5 === 4 ? 'completed' : others)))

export const acknowledgement = section(
  'acknowledgement',
  'Acknowledgment',
  requirement(
    'A receiver MUST acknowledge a valid delivery with status 200 and no other status.',
    {
      impact: 'The service treats the delivery as lost and sends it again, or disables the endpoint.',
      fix: 'Answer 200 with a short body once the delivery is stored.',
    },
    { 'exactly-200': { send: deliver('completed', 'completed-short', 'refund'), expect: [accepted] } },
  ),
  requirement(
    'A receiver MUST acknowledge a valid delivery before the sender times out.',
    {
      impact:
        'The service times out and sends the delivery again; under load it sends every delivery several times.',
      fix: 'Store the delivery, answer 200, and do the work afterwards.',
      about: ['late'],
    },
    {
      'in-time': {
        alone: true,
        send: deliver('completed', 'refund'),
        expect: [accepted, answeredInTime],
      },
    },
  ),
  requirement(
    'A receiver MUST acknowledge every valid delivery of a burst, each before the sender times out.',
    {
      impact: 'Payments are lost at peak load.',
      fix: 'Keep the work out of the request, serve connections concurrently, and allow a long enough backlog (in Python, ThreadingHTTPServer with request_queue_size = 128).',
    },
    {
      'burst-of-50': {
        alone: true,
        send: burstOf('completed'),
        expect: [accepted, answeredInTime],
      },
      'burst-of-mostly-refunds': {
        alone: true,
        send: burstOf('refund'),
        expect: [accepted, answeredInTime],
        impact: 'Refunds that arrive together, as after a canceled event, are lost.',
        fix: 'Handle refunds after the answer too, from the store: give back money and write credit notes outside of the request.',
      },
    },
  ),
  requirement(
    'A receiver MUST acknowledge a valid delivery of an event that requires no action.',
    {
      impact: 'The service keeps resending events that require no action.',
      fix: 'Answer 200 to every valid delivery; decide afterwards whether there is work to do.',
    },
    {
      'nothing-to-do': {
        send: deliver('failed-cancelled_by_customer', 'partial-crypto', 'expired-gift-card'),
        expect: [accepted],
      },
    },
  ),
  requirement(
    'A receiver MUST process what it has acknowledged.',
    {
      impact: 'The customer never gets the goods, and the service does not send the payment again.',
      fix: 'Store the delivery before the 200, process it from the store, and retry what failed.',
    },
    {
      'burst-carried-out': {
        needs: 'effects',
        alone: true,
        send: (kit) => together(...Array.from({ length: 20 }, () => kit.delivery('completed'))),
        expect: [accepted, fulfilledOnce],
      },
      'nul-in-metadata-not-lost': keptIfAcknowledged('U+0000 in the metadata', NUL),
      'lone-surrogate-in-metadata-not-lost': keptIfAcknowledged(
        'a lone surrogate in the metadata',
        LONE_SURROGATE,
      ),
      'emoji-in-metadata-not-lost': keptIfAcknowledged('emoji in the metadata', EMOJI),
      'quotes-in-metadata-not-lost': keptIfAcknowledged(
        'quotes and other punctuation in the metadata',
        QUOTES,
      ),
      'long-metadata-not-lost': keptIfAcknowledged('long values in the metadata', LONG_METADATA),
      'long-payment-method-not-lost': keptIfAcknowledged('a payment method of 300 characters', LONG_METHOD),
      'punctuated-metadata-keys-not-lost': keptIfAcknowledged(
        'dots and dollar signs in keys',
        PUNCTUATED_KEYS,
      ),
      'body-of-66-kb-not-lost': keptIfAcknowledged('a body of 66 KB', LARGE),
      'sender-gone-before-the-response': {
        needs: 'effects',
        role: 'copies-overlapping',
        send: (kit) =>
          inOrder(
            ...GONE_AFTER_MS.map((withinMs) => goneThenRedelivered(kit.delivery('completed'), withinMs)),
          ),
        expect: [fulfilledIfAcknowledged],
        impact:
          'The customer never gets the goods when a connection breaks before the response: the receiver takes the redelivery for a duplicate of work that it has canceled.',
        fix: 'Mark an event as handled in the transaction that stores or does its work, and do not cancel that when the sender disconnects.',
      },
      'nothing-lost': {
        needs: 'effects',
        late: { afterMs: 0 },
        role: 'losses',
        send: deliver('completed'),
        expect: [accepted, nothingLost],
        impact: 'Some customers never get the goods, and the service does not send their payments again.',
      },
    },
  ),
  unusualText,
  notBlocked,
)

import { asControl, type Delivery } from '../../case/delivery.ts'
import { refused } from '../../case/expect.ts'
import type { Kit } from '../../case/kit.ts'
import { amountAltered, body, bodyText } from '../../case/mutate.ts'
import { inTurn, mutatedThenControl, type Plan } from '../../case/plan.ts'
import { cases } from '../section.ts'
import { type Event, escaped, pretty, withMetadata, written } from './common.ts'

/** The unusual body is signed, but a rewritten one is sent in its place. */
const rewritten =
  (make: (kit: Kit) => Delivery, change: string, rewrite: (text: string) => string) =>
  (kit: Kit): Plan => {
    const delivery = make(kit)
    return inTurn(
      body(change, (bytes) => Buffer.from(rewrite(bytes.toString())))(delivery, kit),
      asControl(delivery),
    )
  }

/** A piece of the metadata is written in another way after signing, and still means the same. */
const restatedAfterSigning =
  (change: string, metadata: Event, from: string, to: string) =>
  (kit: Kit): Plan => {
    const delivery = kit.delivery('completed', { metadata })
    return inTurn(bodyText(change, from, to)(delivery, kit), asControl(delivery))
  }

const reserialise = (text: string) => JSON.stringify(JSON.parse(text))

const tampered = {
  impact:
    'Accepted, anyone on the way can change an amount or an order number; refused with 400, it was parsed before its signature was checked.',
  fix: 'Compute the HMAC over `t`, a dot and the raw bytes, and compare it with v1.',
}
const loose = {
  impact: 'What is verified is not what was sent: a body that was changed on the way passes.',
  fix: 'Never sign a re-serialised body, and never decode before the signature is checked.',
}

/** Bodies that were changed after signing. */
export const altered = cases({
  'one-byte-of-the-amount-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: mutatedThenControl(amountAltered),
    expect: [refused(401)],
    ...tampered,
  },
  'one-byte-of-the-id-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: mutatedThenControl(
      bodyText('one letter of the payment id altered', '"payment_id":"tx_', '"payment_id":"ty_'),
    ),
    expect: [refused(401)],
    ...tampered,
  },
  'one-byte-of-the-event-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: mutatedThenControl(
      bodyText('one letter of the event altered', '"event":"payment.c', '"event":"payment.k'),
    ),
    expect: [refused(401)],
    ...tampered,
  },
  'one-byte-of-the-metadata-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: (kit) => {
      const delivery = kit.delivery('completed', { metadata: { order: 'A-1001' } })
      return inTurn(
        bodyText('one digit of the metadata altered', 'A-1001', 'A-1002')(delivery, kit),
        asControl(delivery),
      )
    },
    expect: [refused(401)],
    ...tampered,
  },
  'one-byte-beyond-ascii-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: (kit) => {
      const delivery = kit.delivery('completed', { metadata: { name: 'Zoë' } })
      return inTurn(
        bodyText('an accent exchanged for another', 'Zoë', 'Zoê')(delivery, kit),
        asControl(delivery),
      )
    },
    expect: [refused(401)],
    ...tampered,
  },
  'first-byte-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: mutatedThenControl(
      body('the first byte altered', (bytes) => Buffer.concat([Buffer.from(' '), bytes.subarray(1)])),
    ),
    expect: [refused(401)],
    ...tampered,
  },
  'last-byte-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: mutatedThenControl(
      body('the last byte altered', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from(' ')])),
    ),
    expect: [refused(401)],
    ...tampered,
  },
  'indentation-removed': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: rewritten(pretty, 'the indentation removed after signing', reserialise),
    expect: [refused(401)],
    ...loose,
  },
  'spaces-added': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: mutatedThenControl(
      body('indentation added after signing', (bytes) =>
        Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 2)),
      ),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'escapes-resolved': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: rewritten(escaped, 'the escapes resolved after signing', reserialise),
    expect: [refused(401)],
    ...loose,
  },
  'keys-reordered': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: mutatedThenControl(
      body('its keys in another order', (bytes) => {
        const event = JSON.parse(bytes.toString()) as Event
        return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())))
      }),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'integer-like-keys-reordered': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: restatedAfterSigning(
      'keys that look like integers put in another order',
      { 1: 'one', 9: 'nine' },
      '"1":"one","9":"nine"',
      '"9":"nine","1":"one"',
    ),
    expect: [refused(401)],
    ...loose,
  },
  'escapes-added': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: restatedAfterSigning('a letter written as an escape', { name: 'Zoë' }, 'Zoë', 'Zo\\u00eb'),
    expect: [refused(401)],
    ...loose,
  },
  'slashes-escaped': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: restatedAfterSigning(
      'slashes escaped',
      { page: 'https://shop.example/order' },
      'https://shop.example/',
      'https:\\/\\/shop.example\\/',
    ),
    expect: [refused(401)],
    ...loose,
  },
  'number-written-otherwise': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: rewritten(
      written('a number in the metadata', (event) => withMetadata(event, '{"weight":1.5}')),
      'a number written with one more zero',
      (text) => text.replace('1.5', '1.50'),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'key-repeated': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: restatedAfterSigning(
      'a key put in twice, of which the last one counts',
      { note: 'kept' },
      '"note":',
      '"note":"dropped","note":',
    ),
    expect: [refused(401)],
    ...loose,
  },
  'byte-order-mark-added': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: mutatedThenControl(
      body('a byte-order mark added', (bytes) => Buffer.concat([Buffer.from('\uFEFF'), bytes])),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'line-endings-changed': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: rewritten(pretty, 'CR and LF written for LF after signing', (text) =>
      text.replaceAll('\n', '\r\n'),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'characters-decomposed': {
    spec: 'A receiver MUST refuse a body that was rewritten after signing, though it means the same, with status 401.',
    send: restatedAfterSigning(
      'an accent written apart from its letter',
      { name: 'Zo\u00eb' },
      'Zo\u00eb',
      'Zoe\u0308',
    ),
    expect: [refused(401)],
    ...loose,
  },
  'cut-short': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: mutatedThenControl(body('its last ten bytes cut off', (bytes) => bytes.subarray(0, -10))),
    expect: [refused(401)],
    ...tampered,
  },
  'cut-to-nothing': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: mutatedThenControl(body('no body', () => Buffer.alloc(0))),
    expect: [refused(401)],
    ...tampered,
  },
  'line-break-added': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: mutatedThenControl(
      body('a line break added', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
    ),
    expect: [refused(401)],
    impact: 'The body is trimmed before it is verified, so what is verified is not what arrived.',
    fix: loose.fix,
  },
  'replacement-characters': {
    spec: 'A receiver MUST refuse a body in which U+FFFD and bytes that are not UTF-8 were exchanged after signing, with status 401.',
    send: (kit) => {
      const whole = kit.delivery('completed', { metadata: { note: 'caf\uFFFD' } })
      // A single byte, é in Latin-1, stands where the other body has the replacement character.
      const broken = Buffer.from(
        whole.body.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00e9'),
        'latin1',
      )
      const { signature } = kit.redelivery(whole, { body: broken })
      return inTurn(
        { ...whole, signature, change: 'bytes replaced by U+FFFD' },
        // Whoever decodes first takes this one for what was signed.
        { ...whole, body: broken, change: 'U+FFFD replaced by a byte that is not UTF-8' },
        asControl(whole),
      )
    },
    expect: [refused(401)],
    ...loose,
  },
})

import { inTurn } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { refused } from '../../../webhook/expectations/expect.ts'
import { notLetIn } from '../../../webhook/expectations/unverified.ts'
import type { Plan } from '../../../webhook/model.ts'
import { amountAltered, body, bodyText } from '../../../webhook/mutate.ts'
import { eachThenControl, mutatedThenControl } from '../../../webhook/plans.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { type Event, escaped, indented, serializedAs, withField } from './common.ts'

/** Signs the unusual body, but sends a rewritten one. */
const rewritten =
  (make: (kit: Kit) => Delivery, change: string, rewrite: (text: string) => string) =>
  (kit: Kit): Plan => {
    const delivery = make(kit)
    return inTurn(
      body(change, (bytes) => Buffer.from(rewrite(bytes.toString())))(delivery, kit),
      asControl(delivery),
    )
  }

/** Replaces a piece of the metadata after signing. */
const metadataReplaced =
  (change: string, metadata: Event, from: string, to: string) =>
  (kit: Kit): Plan => {
    const delivery = kit.delivery('completed', { metadata })
    return inTurn(bodyText(change, from, to)(delivery, kit), asControl(delivery))
  }

const reserialize = (text: string) => JSON.stringify(JSON.parse(text))

const tampered = {
  impact: 'An attacker can change an amount or an order number in transit.',
  fix: 'Compute the HMAC over `t`, a dot and the raw bytes, and compare it with v1.',
}
const lenient = {
  impact:
    'An attacker can change a body in transit, because the receiver verifies something other than the bytes it received.',
  fix: 'Verify the raw bytes: do not parse, re-serialize or decode the body before the signature is checked.',
}

/** Bytes that some decoders drop without a word, so that the signed text remains. */
const DROPPED: Readonly<Record<string, readonly number[]>> = {
  'a byte that is never UTF-8': [0xff],
  'the first byte of two': [0xc3],
  'a surrogate in UTF-8': [0xed, 0xa0, 0x80],
  NUL: [0],
  'a byte-order mark': [0xef, 0xbb, 0xbf],
}

const AFTER = Buffer.from('"payment_id":"')
const inserted = ([change, bytes]: readonly [string, readonly number[]]) =>
  body(`${change}, inserted into the payment id`, (whole) => {
    const at = whole.indexOf(AFTER) + AFTER.length
    return Buffer.concat([whole.subarray(0, at), Buffer.from(bytes), whole.subarray(at)])
  })

/** After how many bytes a receiver may stop reading, without a word. It has to accept 64 KiB. */
const LIMITS = [65_535, 64 * 1024, 100_000, 100 * 1024, 128 * 1024, 256 * 1024]
/** What follows the limit is not signed. */
const REST = Buffer.alloc(1024, ' ')
function beyondLimit(kit: Kit, limit: number): Delivery {
  const event = kit.event('completed')
  const json = Buffer.from(JSON.stringify(event))
  const signed = kit.body(Buffer.concat([json, Buffer.alloc(limit - json.length, ' ')]), aboutEvent(event))
  return body(`1 KiB after a signed body of ${limit} bytes`, (bytes) => Buffer.concat([bytes, REST]))(
    signed,
    kit,
  )
}

/** For a body that a JSON parser in front of the verifier may refuse first. */
const parserFirst = {
  expect: [refused(401, 400, 422)],
  open: 'A framework may parse the body before the receiver verifies it, and refuse what is not JSON.',
} as const

/** A body with U+FFFD, and the same one with a byte that is not UTF-8 in its place. */
function replaced(kit: Kit): { intact: Delivery; invalid: Buffer } {
  const intact = kit.delivery('completed', { metadata: { note: 'caf\uFFFD' } })
  // 0xFD is not UTF-8. It is also what remains of U+FFFD in a program that keeps the low byte of each character.
  const text = intact.body.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00fd')
  return { intact, invalid: Buffer.from(text, 'latin1') }
}

/** Bodies that were changed after signing. */
export const altered = [
  requirement(
    'A receiver MUST refuse a body in which one byte was altered after signing, with status 401, or with 400 or 422 if it is no longer JSON.',
    tampered,
    {
      'one-byte-of-the-amount-altered': {
        send: mutatedThenControl(amountAltered),
        expect: [refused(401)],
      },
      'one-byte-of-the-id-altered': {
        send: mutatedThenControl(
          bodyText('one letter of the payment id altered', '"payment_id":"tx_', '"payment_id":"ty_'),
        ),
        expect: [refused(401)],
      },
      'one-byte-of-the-event-altered': {
        send: mutatedThenControl(
          bodyText('one letter of the event name altered', '"event":"payment.c', '"event":"payment.k'),
        ),
        expect: [refused(401)],
      },
      'one-byte-of-the-metadata-altered': {
        send: metadataReplaced('one digit of the metadata altered', { order: 'A-1001' }, 'A-1001', 'A-1002'),
        expect: [refused(401)],
      },
      'one-byte-beyond-ascii-altered': {
        send: metadataReplaced('an accent replaced with another', { name: 'Zoë' }, 'Zoë', 'Zoê'),
        expect: [refused(401)],
      },
      'first-byte-altered': {
        send: mutatedThenControl(
          body('the first byte altered', (bytes) => Buffer.concat([Buffer.from(' '), bytes.subarray(1)])),
        ),
        ...parserFirst,
      },
      'last-byte-altered': {
        send: mutatedThenControl(
          body('the last byte altered', (bytes) => Buffer.concat([bytes.subarray(0, -1), Buffer.from(' ')])),
        ),
        ...parserFirst,
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a body that was re-serialized after signing, even if its meaning is unchanged, with status 401, or with 400 or 422 if a JSON parser may refuse it.',
    lenient,
    {
      'indentation-removed': {
        send: rewritten(indented, 'the indentation removed after signing', reserialize),
        expect: [refused(401)],
      },
      'spaces-added': {
        send: mutatedThenControl(
          body('indentation added after signing', (bytes) =>
            Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), null, 2)),
          ),
        ),
        expect: [refused(401)],
      },
      'escapes-resolved': {
        send: rewritten(escaped, 'escapes resolved after signing', reserialize),
        expect: [refused(401)],
      },
      'keys-reordered': {
        send: mutatedThenControl(
          body('keys reordered after signing', (bytes) => {
            const event = JSON.parse(bytes.toString()) as Event
            return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())))
          }),
        ),
        expect: [refused(401)],
      },
      'integer-like-keys-reordered': {
        send: metadataReplaced(
          'integer-like keys reordered after signing',
          { 1: 'one', 9: 'nine' },
          '"1":"one","9":"nine"',
          '"9":"nine","1":"one"',
        ),
        expect: [refused(401)],
      },
      'escapes-added': {
        send: metadataReplaced(
          'a letter replaced with its escape after signing',
          { name: 'Zoë' },
          'Zoë',
          'Zo\\u00eb',
        ),
        expect: [refused(401)],
      },
      'slashes-escaped': {
        send: metadataReplaced(
          'slashes escaped after signing',
          { page: 'https://shop.example/order' },
          'https://shop.example/',
          'https:\\/\\/shop.example\\/',
        ),
        expect: [refused(401)],
      },
      'number-reformatted': {
        send: rewritten(
          serializedAs('a number in an unknown field', (event) => withField(event, '"weight":1.5')),
          'a zero appended to a decimal number after signing',
          (text) => text.replace('"weight":1.5', '"weight":1.50'),
        ),
        expect: [refused(401)],
      },
      'key-repeated': {
        send: metadataReplaced(
          'a duplicate key inserted after signing',
          { note: 'kept' },
          '"note":',
          '"note":"dropped","note":',
        ),
        ...parserFirst,
      },
      'byte-order-mark-added': {
        send: mutatedThenControl(
          body('a byte-order mark added after signing', (bytes) =>
            Buffer.concat([Buffer.from('\uFEFF'), bytes]),
          ),
        ),
        ...parserFirst,
      },
      'line-endings-changed': {
        send: rewritten(indented, 'LF changed to CRLF after signing', (text) =>
          text.replaceAll('\n', '\r\n'),
        ),
        expect: [refused(401)],
      },
      'characters-decomposed': {
        send: metadataReplaced('a decomposed accent (NFD)', { name: 'Zo\u00eb' }, 'Zo\u00eb', 'Zoe\u0308'),
        expect: [refused(401)],
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a body that was truncated or extended after signing, with status 401, or with 400 or 422 if it is no longer JSON.',
    tampered,
    {
      'cut-short': {
        send: mutatedThenControl(body('the last ten bytes cut off', (bytes) => bytes.subarray(0, -10))),
        ...parserFirst,
      },
      'cut-to-nothing': {
        send: mutatedThenControl(body('no body', () => Buffer.alloc(0))),
        ...parserFirst,
      },
      'undecodable-bytes-inserted': {
        send: eachThenControl(...Object.entries(DROPPED).map(inserted)),
        ...parserFirst,
        impact:
          'An attacker can add bytes to a body in transit, because decoding it drops what is not UTF-8.',
        fix: lenient.fix,
      },
      'extended-beyond-a-limit': {
        send: (kit) =>
          inTurn(...LIMITS.map((limit) => beyondLimit(kit, limit)), asControl(kit.delivery('completed'))),
        expect: [notLetIn],
        open: 'A receiver may refuse a body of more than 64 KiB with 413, or close the connection.',
        impact:
          'An attacker can add bytes to a large body in transit, because the receiver verifies only its beginning.',
        fix: 'Refuse a body that exceeds your limit with 413; never verify a part of it.',
      },
      'line-break-added': {
        send: mutatedThenControl(
          body('a line break added', (bytes) => Buffer.concat([bytes, Buffer.from('\n')])),
        ),
        expect: [refused(401)],
        impact:
          'An attacker can add white space to a body in transit, because the receiver trims it before it verifies.',
        fix: lenient.fix,
      },
    },
  ),
  requirement(
    'A receiver MUST refuse a body in which invalid UTF-8 bytes were replaced by U+FFFD after signing, or the reverse, with status 401, or with 400 or 422 if it is no longer JSON.',
    lenient,
    {
      'replacement-characters': {
        send: (kit) => {
          const { intact, invalid } = replaced(kit)
          const { signature } = kit.redelivery(intact, { body: invalid })
          return inTurn(
            { ...intact, signature, change: 'invalid bytes replaced with U+FFFD' },
            asControl(intact),
          )
        },
        expect: [refused(401)],
      },
      'replacement-characters-reversed': {
        send: (kit) => {
          const { intact, invalid } = replaced(kit)
          // To a receiver that decodes first, this is the signed body.
          return inTurn(
            { ...intact, body: invalid, change: 'U+FFFD replaced with a byte that is not UTF-8' },
            asControl(intact),
          )
        },
        ...parserFirst,
      },
    },
  ),
] as const

/** Changes a note in the metadata after signing: each entry is a change, the signed text and the text that is sent. */
const noteChanged =
  (...changes: readonly (readonly [change: string, from: string, to: string])[]) =>
  (kit: Kit): Plan => {
    const probes = changes.map(([change, from, to]) =>
      bodyText(change, `"${from}"`, `"${to}"`)(kit.delivery('completed', { metadata: { note: from } }), kit),
    )
    return inTurn(...probes, asControl(kit.delivery('completed')))
  }

/** Bodies whose text was respelled after signing, in a way that a lenient comparison does not see. */
export const respelled = requirement(
  'A receiver MUST refuse a body in which letters changed case or spaces inside strings were changed after signing, with status 401.',
  {
    impact:
      'An attacker can change names, ids and codes in transit, because the receiver verifies a normalized text instead of the bytes it received.',
    fix: 'Verify the raw bytes: do not trim, collapse or convert the body before the signature is checked.',
  },
  {
    'letters-changed-case': {
      send: (kit) => {
        // To a receiver that converts the body first, this is the signed one.
        const delivery = kit.delivery('completed')
        const { signature } = kit.redelivery(delivery, {
          body: Buffer.from(delivery.body.toString().toLowerCase()),
        })
        return [
          ...inTurn({ ...delivery, signature, change: 'capital letters in a body signed in lowercase' }),
          ...noteChanged(['a capital letter in the metadata', 'gold', 'Gold'])(kit),
        ]
      },
      expect: [refused(401)],
    },
    'spaces-in-strings-changed': {
      send: noteChanged(
        ['a space doubled inside a string', 'two words', 'two  words'],
        ['a space added inside a string', 'halfway', 'half way'],
        ['a space added at the end of a string', 'order', 'order '],
      ),
      expect: [refused(401)],
    },
  },
)

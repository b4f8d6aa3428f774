import { asControl, type Delivery } from '../delivery.ts'
import { accepted, refused } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { aboutEvent } from '../kit.ts'
import { amountAltered, body, bodyText } from '../mutate.ts'
import type { Plan } from '../plan.ts'
import { inTurn, spoiled } from '../plan.ts'
import { section } from './section.ts'

type Event = Record<string, unknown>

/** A genuine delivery whose body is an event written in an unusual way. */
function written(change: string, write: (event: Event) => string | Buffer): (kit: Kit) => Delivery {
  return (kit) => {
    const event = kit.event('completed')
    return { ...kit.body(write(event), aboutEvent(event)), change }
  }
}

const unusual =
  (make: (kit: Kit) => Delivery) =>
  (kit: Kit): Plan =>
    inTurn(make(kit))

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

const reserialise = (text: string) => JSON.stringify(JSON.parse(text))
/** Puts a piece of JSON text in as the metadata, as it stands. */
const withMetadata = (event: Event, metadata: string) =>
  JSON.stringify({ ...event, metadata: {} }).replace('"metadata":{}', `"metadata":${metadata}`)

const pretty = written('an indented body', (event) => JSON.stringify(event, null, 2))
const spaced = written('spaces after colons and commas', (event) =>
  JSON.stringify(event, null, 1).replace(/\n\s*/g, ' '),
)
const integerKeys = written('metadata keys that look like integers, out of order', (event) =>
  withMetadata(event, '{"10":"ten","9":"nine","b":"b","1":"one"}'),
)
const escaped = written('characters written as \\u escapes', (event) =>
  withMetadata(event, '{"name":"Zo\\u00eb \\u2603"}'),
)
const slashes = written('slashes escaped as some libraries do', (event) =>
  withMetadata(event, '{"page":"https:\\/\\/shop.example\\/order"}'),
)
const numbers = written('numbers that no library writes', (event) =>
  withMetadata(event, '{"weight":1.50,"big":1e2}'),
)
const repeated = written('a key that stands twice', (event) =>
  withMetadata(event, '{"note":"first","note":"second"}'),
)
const proto = written('a key named __proto__', (event) =>
  withMetadata(event, '{"__proto__":{"paid":"yes"},"a":"b"}'),
)

const restated = {
  consequence:
    'Genuine payments are refused whenever the service writes its JSON in another way than your library does.',
  remedy: 'Keep the bytes as they arrived and verify those; parse the body only afterwards.',
}
const tampered = {
  consequence:
    'Accepted, anyone on the way can change an amount or an order number; refused with 400, it was parsed before its signature was checked.',
  remedy: 'Compute the HMAC over `t`, a dot and the raw bytes, and compare it with v1.',
}
const loose = {
  consequence: 'What is verified is not what was sent: a body that was changed on the way passes.',
  remedy: 'Never sign a re-serialised body, and never decode before the signature is checked.',
}

export const bodyBytes = section('body-bytes', 'Body bytes', {
  indented: {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(pretty),
    expect: [accepted],
    ...restated,
  },
  spaced: {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(spaced),
    expect: [accepted],
    ...restated,
  },
  'integer-like-keys': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(integerKeys),
    expect: [accepted],
    ...restated,
  },
  'escaped-characters': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(escaped),
    expect: [accepted],
    ...restated,
  },
  'escaped-slashes': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(slashes),
    expect: [accepted],
    ...restated,
  },
  'number-forms': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(numbers),
    expect: [accepted],
    ...restated,
  },
  'repeated-key': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(repeated),
    expect: [accepted],
    ...restated,
  },
  'key-named-proto': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(proto),
    expect: [accepted],
    ...restated,
  },
  'line-break-at-the-end': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(written('a line break after the JSON', (event) => `${JSON.stringify(event)}\r\n`)),
    expect: [accepted],
    ...restated,
  },
  'beyond-ascii': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: (kit) =>
      inTurn(
        kit.delivery('completed', {
          metadata: { composed: 'Zoë', decomposed: 'Zoe\u0308', astral: '🧾𝟙', rtl: 'שלום' },
        }),
      ),
    expect: [accepted],
    consequence: 'Payments of customers whose names have accents are refused.',
    remedy: 'Hash bytes; do not normalise or decode text first.',
  },
  'one-byte-of-the-amount-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: spoiled(amountAltered),
    expect: [refused(401)],
    ...tampered,
  },
  'one-byte-of-the-id-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: spoiled(bodyText('one letter of the payment id altered', '"payment_id":"tx_', '"payment_id":"ty_')),
    expect: [refused(401)],
    ...tampered,
  },
  'first-byte-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: spoiled(
      body('the first byte altered', (bytes) => Buffer.concat([Buffer.from(' '), bytes.subarray(1)])),
    ),
    expect: [refused(401)],
    ...tampered,
  },
  'last-byte-altered': {
    spec: 'A receiver MUST refuse a body of which one byte was altered after signing, with status 401.',
    send: spoiled(
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
    send: spoiled(
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
    send: spoiled(
      body('its keys in another order', (bytes) => {
        const event = JSON.parse(bytes.toString()) as Event
        return Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())))
      }),
    ),
    expect: [refused(401)],
    ...loose,
  },
  'cut-short': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: spoiled(body('its last ten bytes cut off', (bytes) => bytes.subarray(0, -10))),
    expect: [refused(401)],
    ...tampered,
  },
  'cut-to-nothing': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: spoiled(body('no body', () => Buffer.alloc(0))),
    expect: [refused(401)],
    ...tampered,
  },
  'line-break-added': {
    spec: 'A receiver MUST refuse a body that was cut short or added to after signing, with status 401.',
    send: spoiled(body('a line break added', (bytes) => Buffer.concat([bytes, Buffer.from('\n')]))),
    expect: [refused(401)],
    consequence: 'The body is trimmed before it is verified, so what is verified is not what arrived.',
    remedy: loose.remedy,
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
      const { signature } = kit.again(whole, { body: broken })
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
  'of-60-kib': {
    spec: 'A receiver MUST accept a genuine body of up to 64 KiB.',
    send: (kit) => inTurn(kit.delivery('completed', { metadata: { note: 'x'.repeat(60 * 1024) } })),
    expect: [accepted],
    consequence: 'Payments with much metadata are refused.',
    remedy: 'Raise the limit of the body reader; 1 MiB is a good value.',
  },
  'with-100-kib-of-metadata': {
    spec: 'A receiver SHOULD accept a genuine body with 100 KiB of metadata.',
    send: (kit) =>
      inTurn(
        kit.delivery('completed', {
          metadata: Object.fromEntries(
            Array.from({ length: 100 }, (_, n) => [`line_${n}`, 'x'.repeat(1024)]),
          ),
        }),
      ),
    expect: [accepted],
    consequence: 'Payments with much metadata are refused; the default limit of some body parsers is 100 kB.',
    remedy: 'Raise the limit of the body reader; 1 MiB is a good value.',
  },
})

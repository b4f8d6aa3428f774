import { asControl, type Delivery } from '../../case/delivery.ts'
import { accepted, acceptedOrRefused } from '../../case/expect.ts'
import type { Kit } from '../../case/kit.ts'
import { aboutEvent } from '../../case/kit.ts'
import { inTurn, type Plan } from '../../case/plan.ts'
import { cases } from '../section.ts'
import { escaped, pretty, withMetadata, written } from './common.ts'

const unusual =
  (make: (kit: Kit) => Delivery) =>
  (kit: Kit): Plan =>
    inTurn(make(kit))

const spaced = written('spaces after colons and commas', (event) =>
  JSON.stringify(event, null, 1).replace(/\n\s*/g, ' '),
)
const integerKeys = written('metadata keys that look like integers, out of order', (event) =>
  withMetadata(event, '{"10":"ten","9":"nine","b":"b","1":"one"}'),
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
  impact:
    'Genuine payments are refused whenever the service writes its JSON in another way than your library does.',
  fix: 'Keep the bytes as they arrived and verify those; parse the body only afterwards.',
}

/** Genuine bodies that a JSON library would write otherwise, or that are large. */
export const genuine = cases({
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
  'line-breaks-of-windows': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(
      written('lines that end in CR and LF', (event) =>
        JSON.stringify(event, null, 2).replaceAll('\n', '\r\n'),
      ),
    ),
    expect: [accepted],
    ...restated,
  },
  'keys-in-another-order': {
    spec: 'A receiver MUST verify the signature over the bytes as they arrived, and so accept a genuine body that a JSON library would write otherwise.',
    send: unusual(
      written('its keys in another order', (event) =>
        JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())),
      ),
    ),
    expect: [accepted],
    ...restated,
  },
  'byte-order-mark': {
    spec: 'A receiver MAY accept a genuine body that begins with a byte-order mark, or refuse it with status 400, 415 or 422.',
    send: (kit) => {
      const event = kit.event('completed')
      const marked = {
        ...kit.body(`\uFEFF${JSON.stringify(event)}`, aboutEvent(event)),
        change: 'a byte-order mark',
      }
      return inTurn(marked, asControl(kit.delivery('completed')))
    },
    expect: [acceptedOrRefused(400, 415, 422)],
    open: 'A JSON reader may skip the mark or refuse it; the signature is right in either case, so 401 is not.',
    impact: 'A signature that is right is called wrong: the text was decoded before it was verified.',
    fix: 'Hash the bytes as they arrived, the mark included.',
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
    impact: 'Payments of customers whose names have accents are refused.',
    fix: 'Hash bytes; do not normalise or decode text first.',
  },
  'of-60-kib': {
    spec: 'A receiver MUST accept a genuine body of up to 64 KiB.',
    send: (kit) => inTurn(kit.delivery('completed', { metadata: { note: 'x'.repeat(60 * 1024) } })),
    expect: [accepted],
    impact: 'Payments with much metadata are refused.',
    fix: 'Raise the limit of the body reader; 1 MiB is a good value.',
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
    impact: 'Payments with much metadata are refused; the default limit of some body parsers is 100 kB.',
    fix: 'Raise the limit of the body reader; 1 MiB is a good value.',
  },
})

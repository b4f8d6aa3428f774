import { inTurn } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import { accepted, acceptedOrRefused } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { escaped, escapedThroughout, indented, serializedAs, withField, withMetadata } from './common.ts'

/** Sends one delivery whose body is unusual but valid. */
const one =
  (make: (kit: Kit) => Delivery) =>
  (kit: Kit): Plan =>
    inTurn(make(kit))

const escapedNames = serializedAs('letters of all names and texts written as escapes', escapedThroughout)

/** Valid bodies that a JSON library would serialize differently. */
export const unusual = requirement(
  'A receiver MUST verify the signature over the bytes as received, and so accept a valid body that a JSON library would serialize differently.',
  {
    impact: 'Real payments are refused whenever the service serializes JSON differently from your library.',
    fix: 'Keep the bytes as received and verify those; parse the body only afterwards.',
  },
  {
    indented: { send: one(indented), expect: [accepted] },
    spaced: {
      send: one(
        serializedAs('spaces after colons and commas', (event) =>
          JSON.stringify(event, null, 1).replace(/\n\s*/g, ' '),
        ),
      ),
      expect: [accepted],
    },
    'integer-like-keys': {
      send: one(
        serializedAs('metadata keys that look like integers, out of order', (event) =>
          withMetadata(event, '{"10":"ten","9":"nine","b":"b","1":"one"}'),
        ),
      ),
      expect: [accepted],
    },
    'escaped-characters': { send: one(escaped), expect: [accepted] },
    'escaped-names-and-values': {
      send: one(escapedNames),
      expect: [accepted],
      fix: 'Parse the body before you look for the name of the event; do not search its text.',
    },
    'escaped-names-and-values-are-fulfilled': {
      needs: 'effects',
      send: one(escapedNames),
      expect: [accepted, fulfilledOnce],
      impact: 'A customer pays and gets nothing, because the service writes a letter as an escape.',
      fix: 'Parse the body before you look for the name of the event; do not search its text.',
    },
    'escaped-slashes': {
      send: one(
        serializedAs('escaped slashes, as some libraries write them', (event) =>
          withMetadata(event, '{"page":"https:\\/\\/shop.example\\/order"}'),
        ),
      ),
      expect: [accepted],
    },
    'number-forms': {
      send: one(
        serializedAs('numbers in a form that no library writes', (event) =>
          withField(event, '"weight":1.50,"big":1e2,"zero":-0'),
        ),
      ),
      expect: [accepted],
    },
    'line-break-at-the-end': {
      send: one(serializedAs('a line break after the JSON', (event) => `${JSON.stringify(event)}\r\n`)),
      expect: [accepted],
    },
    'windows-line-breaks': {
      send: one(
        serializedAs('CRLF line endings', (event) => JSON.stringify(event, null, 2).replaceAll('\n', '\r\n')),
      ),
      expect: [accepted],
    },
    'keys-in-another-order': {
      send: one(
        serializedAs('keys in another order', (event) =>
          JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())),
        ),
      ),
      expect: [accepted],
    },
    'spaces-and-capitals-in-strings': {
      send: (kit) =>
        inTurn(
          kit.delivery('completed', {
            metadata: { Note: ' Two  Words ', indented: '\tTab\u00a0and\u2003space\r\n', ORDER: 'a-B' },
          }),
        ),
      expect: [accepted],
      fix: 'Hash the bytes; do not trim, collapse or convert the text first.',
    },
    'beyond-ascii': {
      send: (kit) =>
        inTurn(
          kit.delivery('completed', {
            metadata: { composed: 'Zoë', decomposed: 'Zoe\u0308', astral: '🧾𝟙', rtl: 'שלום' },
          }),
        ),
      expect: [accepted],
      impact: 'Payments of customers with accented names are refused.',
      fix: 'Hash the bytes; do not normalize or decode the text first.',
    },
  },
)

const bodyTooSmall = {
  impact: 'Payments with a lot of metadata are refused.',
  fix: 'Raise the size limit of the body parser; 1 MiB is a good value.',
}

/** Valid bodies that are large. */
export const sizes = [
  requirement('A receiver MUST accept a valid body of up to 64 KiB.', bodyTooSmall, {
    'of-60-kib': {
      send: (kit) => inTurn(kit.delivery('completed', { metadata: { note: 'x'.repeat(60 * 1024) } })),
      expect: [accepted],
    },
    // Of three block boundaries in succession, at least one falls inside a character of three bytes.
    'of-60-kib-beyond-ascii': {
      send: (kit) => inTurn(kit.delivery('completed', { metadata: { note: '\u2603'.repeat(20 * 1024) } })),
      expect: [accepted],
      impact: 'Large payments with names beyond ASCII are refused, because each block is decoded by itself.',
      fix: 'Concatenate the blocks as bytes; decode only after the last one.',
    },
  }),
  requirement('A receiver SHOULD accept a valid body with 100 KiB of metadata.', bodyTooSmall, {
    'with-100-kib-of-metadata': {
      send: (kit) =>
        inTurn(
          kit.delivery('completed', {
            metadata: Object.fromEntries(
              Array.from({ length: 100 }, (_, n) => [`line_${n}`, 'x'.repeat(1024)]),
            ),
          }),
        ),
      expect: [accepted],
      impact:
        'Payments with a lot of metadata are refused; some body parsers have a default limit of 100 kB.',
    },
  }),
] as const

/** A valid body that JSON parsers treat differently. */
export const byteOrderMark = requirement(
  'A receiver MAY accept a valid body that begins with a byte-order mark, or refuse it with status 400, 415 or 422.',
  {
    impact: 'A real payment is refused as forged, because the text is decoded before it is verified.',
    fix: 'Hash the bytes as received, including the byte-order mark.',
  },
  {
    'byte-order-mark': {
      send: (kit) => {
        const event = kit.event('completed')
        const marked = {
          ...kit.body(`\uFEFF${JSON.stringify(event)}`, aboutEvent(event)),
          change: 'a byte-order mark',
        }
        return inTurn(marked, asControl(kit.delivery('completed')))
      },
      expect: [acceptedOrRefused(400, 415, 422)],
      about: ['rejected'],
      open: 'A JSON parser may skip the mark or refuse it; the signature is valid in either case, so 401 is wrong.',
    },
  },
)

/** Keys by which the parsers of Ruby, Java, .NET and Python create the class that is named. */
export const NAMED_TYPES = {
  json_class: 'String',
  $type: 'System.String',
  '@type': 'java.lang.String',
  '@class': 'java.lang.String',
  __type: 'String:#System',
  'py/object': 'builtins.str',
  _class: 'java.lang.String',
}
export const TYPES_CHANGE = 'metadata keys such as json_class and $type, which name types to some parsers'

/** Valid bodies that some JSON parsers refuse. */
export const refusedByParsers = [
  requirement(
    'A receiver MAY accept a valid body with a repeated key, or refuse it with status 400 or 422.',
    {
      impact: 'The sender sees a server error, or a valid signature counts as a forgery.',
      fix: 'Verify the raw bytes first; then accept the body, or answer 400.',
    },
    {
      'repeated-key': {
        send: (kit) =>
          inTurn(
            serializedAs('a duplicate key', (event) =>
              withMetadata(event, '{"note":"first","note":"second"}'),
            )(kit),
            asControl(kit.delivery('completed')),
          ),
        expect: [acceptedOrRefused(400, 422)],
        open: 'RFC 8259 leaves repeated keys to the parser, and the service sends none; the signature is valid, so 401 is wrong.',
      },
    },
  ),
  requirement(
    'A receiver SHOULD accept a valid body with a metadata key that looks like an attack, such as `__proto__`.',
    {
      impact: 'A payment is refused because of a key that the merchant chose at its creation.',
      fix: 'Parse with a function that keeps such keys as plain fields, as JSON.parse does, and do not merge metadata into other objects.',
    },
    {
      'key-named-proto': {
        send: one(
          serializedAs('a metadata key named __proto__', (event) =>
            withMetadata(event, '{"__proto__":"paid","a":"b"}'),
          ),
        ),
        expect: [accepted],
      },
      'keys-that-name-types': {
        send: (kit) =>
          inTurn({ ...kit.delivery('completed', { metadata: NAMED_TYPES }), change: TYPES_CHANGE }),
        expect: [accepted],
        fix: 'Parse with a function that creates no classes: JSON.parse instead of JSON.load in Ruby, without default typing in Jackson and .NET.',
      },
    },
  ),
] as const

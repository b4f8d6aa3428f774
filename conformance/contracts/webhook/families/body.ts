import { inTurn } from '../../../engine/plan.ts'
import { asControl } from '../delivery.ts'
import { answeredBelow500 } from '../expectations/expect.ts'
import { body, digitAltered } from '../mutate.ts'
import { mutatedThenControl } from '../plans.ts'
import { acknowledged, type Family, notAcceptedEach, type SharedKit } from './family.ts'

const SECTION = 'body'
const changed = (change: string, rewrite: (text: string) => string) =>
  mutatedThenControl(body(change, (bytes) => Buffer.from(rewrite(bytes.toString()))))

/** Bodies that mean something else after they were signed. */
export const altered: Family = {
  section: SECTION,
  impact: 'Anyone who saw one delivery can send another content under its signature.',
  fix: 'Compute the HMAC over the raw bytes of the body, before anything parses them.',
  cases: notAcceptedEach({
    'one-digit-altered': mutatedThenControl(digitAltered),
    'cut-short': mutatedThenControl(body('the last ten bytes cut off', (bytes) => bytes.subarray(0, -10))),
    'cut-to-nothing': mutatedThenControl(body('no body', () => Buffer.alloc(0))),
    'field-added': changed('a field added after signing', (text) => text.replace(/\}\s*$/, ',"admin":true}')),
  }),
}

/** Bodies that were only written differently after they were signed. */
export const respelled: Family = {
  section: SECTION,
  impact:
    'The receiver verifies something other than the bytes that it received, so an attacker can change them.',
  fix: 'Verify the raw bytes: do not parse, serialize, trim or decode the body before the signature is checked.',
  cases: notAcceptedEach({
    'indented-after-signing': changed('white space added after signing', (text) =>
      JSON.stringify(JSON.parse(text), null, 2),
    ),
    'line-break-added': changed('a line break added after signing', (text) => `${text}\n`),
  }),
}

/** A body that a receiver which decodes it before the check takes for the signed one. */
export const decoded: Family = {
  ...respelled,
  cases: notAcceptedEach({
    'invalid-bytes-for-a-replacement-character': (kit) => {
      const intact = kit.noted('caf\uFFFD')
      const text = intact.body.toString('latin1').replace('\u00ef\u00bf\u00bd', '\u00ff')
      const change = 'U+FFFD replaced with a byte that is not UTF-8'
      return inTurn({ ...intact, change, body: Buffer.from(text, 'latin1') }, asControl(intact))
    },
  }),
}

type Write = (event: Record<string, unknown>) => string
/** A valid delivery whose body is written as few libraries would. */
const written = (change: string, write: Write) => (kit: SharedKit) => {
  const { body: bytes, ...about } = kit.valid()
  return { ...kit.body(write(JSON.parse(bytes.toString()) as Record<string, unknown>), about), change }
}
const one = (change: string, write: Write) => ({
  send: (kit: SharedKit) => inTurn(written(change, write)(kit)),
  expect: [acknowledged],
})

/** Valid bodies that a JSON library would write differently. */
export const raw: Family = {
  section: SECTION,
  impact: 'Real events are refused whenever the service serializes JSON differently from your library.',
  fix: 'Keep the bytes as received and verify those; parse the body only afterwards.',
  cases: () => ({
    indented: one('an indented body', (event) => JSON.stringify(event, null, 2)),
    spaced: one('spaces after colons and commas', (event) =>
      JSON.stringify(event, null, 1).replace(/\n\s*/g, ' '),
    ),
    'escaped-slashes': one('escaped slashes', (event) => JSON.stringify(event).replaceAll('/', '\\/')),
    'line-break-at-the-end': one('a line break after the JSON', (event) => `${JSON.stringify(event)}\r\n`),
    'keys-in-another-order': one('keys in another order', (event) =>
      JSON.stringify(Object.fromEntries(Object.entries(event).toReversed())),
    ),
    'beyond-ascii': {
      send: (kit) => inTurn(kit.noted('Zoë, Zoe\u0308, 5 €, 🧾')),
      expect: [acknowledged],
      impact: 'Events with names beyond ASCII are refused.',
      fix: 'Hash the bytes; do not normalize or decode the text first.',
    },
    'escaped-characters': {
      send: (kit) => {
        const { body: bytes, ...about } = kit.noted('Zoë ☃')
        const escaped = bytes
          .toString()
          .replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
        return inTurn({ ...kit.body(escaped, about), change: 'characters written as \\u escapes' })
      },
      expect: [acknowledged],
    },
  }),
}

/** A valid body of some size. */
const ofSize = (size: number) => ({
  send: (kit: SharedKit) => inTurn(kit.noted('x'.repeat(size))),
  expect: [acknowledged],
})
const tooSmall = {
  section: SECTION,
  impact: 'Events with a lot of content are refused.',
  fix: 'Raise the size limit of the body parser; 1 MiB is a good value.',
}

export const size16: Family = { ...tooSmall, cases: () => ({ 'of-16-kib': ofSize(16 * 1024) }) }
export const size60: Family = { ...tooSmall, cases: () => ({ 'of-60-kib': ofSize(60 * 1024) }) }
export const size1024: Family = { ...tooSmall, cases: () => ({ 'of-1-mib': ofSize(1024 * 1024) }) }

/** Signed bodies that a handler cannot use. */
export const unusable: Family = {
  section: 'robustness',
  impact:
    'One body that the handler does not expect makes the server fail, and the service keeps sending it.',
  fix: 'Catch the errors of the parser and of the handler, and answer 400 or 2xx to a body that you cannot use.',
  cases: () =>
    Object.fromEntries(
      Object.entries({
        'not-json': 'a=1&b=2',
        'empty-body': '',
        'json-null': 'null',
        'empty-object': '{}',
      }).map(([name, text]) => [
        name,
        {
          send: (kit: SharedKit) =>
            inTurn(
              { ...kit.body(text), change: `the signed body ${text || '(empty)'}` },
              asControl(kit.valid()),
            ),
          expect: [answeredBelow500],
        },
      ]),
    ),
}

import { MORE_SERIALIZERS, SERIALIZERS, type Serialize } from '../serializers.ts'
import { COPIED } from './copied.ts'
import { type Bytes, type Form, fromBase64, latin1, text, textOf, utf8 } from './form.ts'

const RAW = 'Keep the raw bytes of the request, and parse them only afterwards.'
const BOM = '\uFEFF'

const serialized = ([name, serialize]: readonly [string, Serialize]): Form<Bytes> =>
  text(
    `the JSON is written by ${name}`,
    `The body was parsed and serialized again after it was signed. ${RAW}`,
    (body) => {
      try {
        return serialize(JSON.parse(body))
      } catch {
        // It is no JSON, or nested too deeply for the serializer.
        return undefined
      }
    },
  )

/** What Windows-1252 has from 0x80 on instead of control characters. Node.js decodes it as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The forms of a body, the likeliest first. */
export const BODIES: readonly Form<Bytes>[] = [
  text(
    'the final line break is removed',
    'Something added it: an editor, echo, or a program that writes lines. Save the body byte for byte.',
    (body) => (body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined),
  ),
  ...(['\n', '\r\n'] as const).map((end) =>
    text(
      `a final line break (${end === '\n' ? 'LF' : 'CRLF'}) is added`,
      `The signed body has one, and something trims it. ${RAW}`,
      (body) => body + end,
    ),
  ),
  text(
    'the line breaks are LF instead of CRLF',
    'Something converted them, such as an editor, Git or a file opened in text mode. Save the body byte for byte.',
    (body) => body.replaceAll('\r\n', '\n'),
  ),
  text(
    'the line breaks are CRLF instead of LF',
    `Something converted them, such as reading in text mode. ${RAW}`,
    (body) => body.replaceAll(/\r?\n/g, '\r\n'),
  ),
  text(
    'the byte-order mark at its start is removed',
    'An editor or PowerShell added it. Save the body byte for byte.',
    (body) => (body.startsWith(BOM) ? body.slice(1) : undefined),
  ),
  text(
    'a byte-order mark is added at its start',
    `The signed body has one, and decoding drops it. ${RAW}`,
    (body) => BOM + body,
  ),
  text('the whitespace around it is removed', 'Something added it. Save the body byte for byte.', (body) =>
    body.trim(),
  ),
  ...Object.entries({ ...MORE_SERIALIZERS, ...SERIALIZERS }).map(serialized),
  {
    change: 'it is encoded as UTF-8 once instead of twice',
    fix: `Something decoded the body as Latin-1. ${RAW}`,
    make: (body) => latin1(textOf(body) ?? BOM),
  },
  {
    change: 'it is encoded as UTF-8 once instead of twice (Windows-1252)',
    fix: `Something decoded the body as Windows-1252. ${RAW}`,
    make: (body) =>
      latin1(
        (textOf(body) ?? BOM).replace(/[^\0-\xff]/g, (character) => {
          const at = WINDOWS_1252.indexOf(character)
          return at === -1 ? character : String.fromCharCode(0x80 + at)
        }),
      ),
  },
  {
    change: 'it is decoded as Latin-1 and encoded as UTF-8',
    fix: 'The signer encoded the body twice. Sign the bytes that are sent.',
    make: (body) => utf8(Array.from(body, (byte) => String.fromCharCode(byte)).join('')),
  },
  {
    change: 'it is in UTF-8 instead of UTF-16',
    fix: 'PowerShell writes UTF-16. Save the body byte for byte.',
    make: (body) => {
      const [first, second] = body
      return first === 0xff && second === 0xfe ? utf8(new TextDecoder('utf-16le').decode(body)) : undefined
    },
  },
  ...(['NFC', 'NFD'] as const).map((form) =>
    text(`its characters are in the form ${form}`, `Something normalized the text. ${RAW}`, (body) =>
      body.normalize(form),
    ),
  ),
  {
    change: 'it is decoded from base64',
    fix: 'AWS Lambda and other gateways pass the body as base64: decode it when isBase64Encoded is true.',
    make: (body) => fromBase64(textOf(body)?.trim() ?? ''),
  },
  text('it is not read as a form', `A parser for forms read the body. ${RAW}`, (body) => {
    try {
      return decodeURIComponent(body.replace(/=$/, '').replaceAll('+', ' '))
    } catch {
      return undefined
    }
  }),
  text('its spaces are plus signs', `A parser for forms read the body. ${RAW}`, (body) =>
    body.replaceAll(' ', '+'),
  ),
  text(
    'it is not written as a JSON string',
    'The body was logged or stored as a JSON string. Save the body byte for byte.',
    (body) => {
      try {
        const value: unknown = JSON.parse(body)
        return typeof value === 'string' ? value : undefined
      } catch {
        return undefined
      }
    },
  ),
  text(
    "it is not in Python's b'…'",
    'In Python, write bytes to a file opened with "wb", and concatenate bytes: t.encode() + b"." + body.',
    (body) => /^b(['"])(.*)\1\s*$/s.exec(body)?.[2],
  ),
  ...COPIED,
]

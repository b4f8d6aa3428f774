import { MORE_SERIALIZERS, SERIALIZERS, type Serialize } from '../serializers.ts'
import { COPIED } from './copied.ts'
import { type Bytes, type Form, fromBase64, latin1, text, textOf, utf8 } from './form.ts'

const RAW = 'Keep the raw bytes of the request, and parse them only afterwards.'
const SERIALIZED =
  'Either the receiver, or something in front of it, parsed the body and serialized it again: keep the raw bytes of the request, and parse them only afterwards. Or the program that signs sent other bytes than it signed: it must sign the bytes that it sends.'
const BOM = '\uFEFF'

const serialized = ([name, serialize]: readonly [string, Serialize]): Form<Bytes> =>
  text(`the signature is of the same JSON as ${name} writes it`, SERIALIZED, (body) => {
    try {
      return serialize(JSON.parse(body))
    } catch {
      // It is no JSON, or nested too deeply for the serializer.
      return undefined
    }
  })

/** What Windows-1252 has from 0x80 on instead of control characters. Node.js decodes it as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The forms of a body, the likeliest first. */
export const BODIES: readonly Form<Bytes>[] = [
  text(
    'the body ends with a line break that was not signed',
    'Something added it: an editor, echo, or a program that writes lines. Save the body byte for byte.',
    (body) => (body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined),
  ),
  ...(['\n', '\r\n'] as const).map((end) =>
    text(
      `the signed body ends with a line break (${end === '\n' ? 'LF' : 'CRLF'}), and this one does not`,
      `Something on the way to the receiver, or the receiver, trims it. ${RAW}`,
      (body) => body + end,
    ),
  ),
  text(
    'the line breaks are CRLF, and LF was signed',
    'Something converted them, such as an editor, Git or a file opened in text mode. Save the body byte for byte.',
    (body) => body.replaceAll('\r\n', '\n'),
  ),
  text(
    'the line breaks are LF, and CRLF was signed',
    `Something converted them, such as reading in text mode. ${RAW}`,
    (body) => body.replaceAll(/\r?\n/g, '\r\n'),
  ),
  text(
    'the body starts with a byte-order mark that was not signed',
    'An editor or PowerShell added it. Save the body byte for byte.',
    (body) => (body.startsWith(BOM) ? body.slice(1) : undefined),
  ),
  text(
    'the signed body starts with a byte-order mark, and this one does not',
    `Decoding to text drops it. ${RAW}`,
    (body) => BOM + body,
  ),
  text(
    'there is whitespace around the body that was not signed',
    'Something added it. Save the body byte for byte.',
    (body) => body.trim(),
  ),
  ...Object.entries({ ...MORE_SERIALIZERS, ...SERIALIZERS }).map(serialized),
  {
    cause: 'the body is encoded as UTF-8 twice',
    fix: `Something decoded the body as Latin-1. ${RAW}`,
    make: (body) => latin1(textOf(body) ?? BOM),
  },
  {
    cause: 'the body is encoded as UTF-8 twice (by way of Windows-1252)',
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
    cause: 'the signed body is encoded as UTF-8 twice',
    fix: 'The program that signs encoded the body twice: it must sign the bytes that it sends.',
    make: (body) => utf8(Array.from(body, (byte) => String.fromCharCode(byte)).join('')),
  },
  {
    cause: 'the body is in UTF-16, and UTF-8 was signed',
    fix: 'PowerShell writes UTF-16. Save the body byte for byte.',
    make: (body) => {
      const [first, second] = body
      return first === 0xff && second === 0xfe ? utf8(new TextDecoder('utf-16le').decode(body)) : undefined
    },
  },
  ...(['NFC', 'NFD'] as const).map((form) =>
    text(
      `the signed body has its characters in the form ${form}`,
      `Something normalized the text. ${RAW}`,
      (body) => body.normalize(form),
    ),
  ),
  {
    cause: 'the body is in base64, and the decoded bytes were signed',
    fix: 'AWS Lambda and other gateways pass the body as base64: decode it when isBase64Encoded is true.',
    make: (body) => fromBase64(textOf(body)?.trim() ?? ''),
  },
  text('the body was read as a form', `A parser for forms read the body. ${RAW}`, (body) => {
    try {
      return decodeURIComponent(body.replace(/=$/, '').replaceAll('+', ' '))
    } catch {
      return undefined
    }
  }),
  text(
    'the body has spaces, and plus signs were signed',
    `A parser for forms read the body. ${RAW}`,
    (body) => body.replaceAll(' ', '+'),
  ),
  text(
    'the body is written as a JSON string',
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
    "the body is in Python's b'…'",
    'In Python, write bytes to a file opened with "wb", and concatenate bytes: t.encode() + b"." + body.',
    (body) => /^b(['"])(.*)\1\s*$/s.exec(body)?.[2],
  ),
  ...COPIED,
]

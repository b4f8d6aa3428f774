import { type Bytes, type Form, fromBase64, latin1, textForm, textOf, utf8 } from './form.ts'
import { MORE_SERIALIZERS, OWN_SERIALIZER, SERIALIZERS, type Serialize } from './serializers.ts'

const BOM = '\uFEFF'

/** JSON that is nested deeper is not serialized: each of its lines would start with that many spaces. */
const DEEPEST = 64

function isDeep(json: string): boolean {
  let depth = 0
  for (const [sign] of json.matchAll(/[[\]{}]/g)) {
    depth += sign === '[' || sign === '{' ? 1 : -1
    if (depth > DEEPEST) return true
  }
  return false
}

const serialized = ([name, serialize]: readonly [string, Serialize]): Form<Bytes> =>
  textForm({ code: 'json_of', data: { by: name } }, (body) => {
    if (isDeep(body)) return undefined
    try {
      return serialize(JSON.parse(body))
    } catch {
      // It is no JSON.
      return undefined
    }
  })

/** What Windows-1252 has from 0x80 on instead of control characters. Node.js decodes it as Latin-1. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** The forms of a body, the likeliest first. */
export const BODIES: readonly Form<Bytes>[] = [
  textForm({ code: 'line_break_added' }, (body) =>
    body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined,
  ),
  ...(['LF', 'CRLF'] as const).map((end) =>
    textForm(
      { code: 'line_break_lost', data: { end }, ...(end === 'CRLF' && { about: 'crlf' }) },
      (body) => body + (end === 'LF' ? '\n' : '\r\n'),
    ),
  ),
  textForm({ code: 'crlf_made', about: 'crlf' }, (body) => body.replaceAll('\r\n', '\n')),
  textForm({ code: 'lf_made', about: 'crlf' }, (body) => body.replaceAll(/\r?\n/g, '\r\n')),
  textForm({ code: 'byte_order_mark_added' }, (body) => (body.startsWith(BOM) ? body.slice(1) : undefined)),
  textForm({ code: 'byte_order_mark_lost' }, (body) => BOM + body),
  textForm({ code: 'whitespace_added' }, (body) => body.trim()),
  ...Object.entries({ ...OWN_SERIALIZER, ...SERIALIZERS, ...MORE_SERIALIZERS }).map(serialized),
  {
    code: 'utf8_twice',
    make: (body) => latin1(textOf(body) ?? BOM),
  },
  {
    code: 'utf8_twice_from_windows',
    make: (body) =>
      latin1(
        (textOf(body) ?? BOM).replace(/[^\0-\xff]/g, (character) => {
          const at = WINDOWS_1252.indexOf(character)
          return at === -1 ? character : String.fromCharCode(0x80 + at)
        }),
      ),
  },
  {
    code: 'signed_utf8_twice',
    make: (body) => utf8(Array.from(body, (byte) => String.fromCharCode(byte)).join('')),
  },
  {
    code: 'utf16',
    make: (body) => {
      const [first, second] = body
      return first === 0xff && second === 0xfe ? utf8(new TextDecoder('utf-16le').decode(body)) : undefined
    },
  },
  ...(['NFC', 'NFD'] as const).map((form) =>
    textForm({ code: 'normalized', data: { form } }, (body) => body.normalize(form)),
  ),
  {
    code: 'base64_body',
    make: (body) => fromBase64(textOf(body)?.trim() ?? ''),
  },
  textForm({ code: 'form_parsed' }, (body) => {
    try {
      return decodeURIComponent(body.replace(/=$/, '').replaceAll('+', ' '))
    } catch {
      return undefined
    }
  }),
  textForm({ code: 'plus_signs_lost' }, (body) => body.replaceAll(' ', '+')),
  textForm({ code: 'json_string' }, (body) => {
    try {
      const value: unknown = JSON.parse(body)
      return typeof value === 'string' ? value : undefined
    } catch {
      return undefined
    }
  }),
  textForm({ code: 'python_bytes' }, (body) => /^b(['"])(.*)\1\s*$/s.exec(body)?.[2]),
  // What happens to a body that somebody copies from a log, a ticket or a terminal.
  textForm(
    { code: 'json_formatted' },
    // A string, even one that never ends, is skipped in one step: the time stays linear.
    (body) => body.replace(/("(?:[^"\\]|\\[^])*"?)|\s+/g, '$1'),
  ),
  textForm({ code: 'quotation_marks_added' }, (body) => /^(['`])([^]*)\1\s*$/.exec(body)?.[2]),
  textForm({ code: 'curly_quotation_marks' }, (body) => body.replace(/[“”„]/g, '"').replace(/[‘’]/g, "'")),
  textForm({ code: 'backslashes_added' }, (body) => {
    if (!body.startsWith('{\\"')) return undefined
    try {
      const inside: unknown = JSON.parse(`"${body.trimEnd()}"`)
      return typeof inside === 'string' ? inside : undefined
    } catch {
      return undefined
    }
  }),
  textForm(
    { code: 'head_added' },
    (body) =>
      /^(?:[A-Z]+ \S+ HTTP\/[\d.]+|[\w-]+:[^\r\n]*)\r?\n(?:[\w-]+:[^\r\n]*\r?\n)*\r?\n([^]*)$/.exec(
        body,
      )?.[1],
  ),
]

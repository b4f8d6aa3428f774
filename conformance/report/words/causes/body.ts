import { either } from '../../../contracts/alternatives.ts'
import type { CauseForms } from '../../../diagnosis/statement.ts'
import { type CauseTerms, commonestText, type Forms, type Text, type Words } from './words.ts'

const readRaw = ({ overBytes }: CauseTerms) =>
  `Read the raw body before anything else consumes or parses it, and compute the HMAC over ${overBytes}.`
const KEEP_BYTES =
  'Keep the request body as the bytes that were received, compute the HMAC over those, and parse the JSON only afterwards.'

const decoded = (as: string): Text => ({
  sentence: `The signature is computed over the body decoded as ${as}, not over its bytes.`,
  fix: `${KEEP_BYTES} Decoding replaces or drops bytes, so different bodies get the same signature.`,
})
const DECODED: Readonly<Record<Exclude<CauseForms['body_decoded_as_text']['as'], 'printed-bytes'>, Text>> = {
  'utf-8': decoded('UTF-8 text'),
  'latin-1': decoded('Latin-1 text'),
  normalized: decoded('normalized text'),
  'one-line': {
    sentence: 'The signature is computed over the body without its line breaks.',
    fix: `${KEEP_BYTES} Do not read it line by line.`,
  },
  'converted-lines': {
    sentence: 'The signature is computed over the body with its line endings converted.',
    fix: `${KEEP_BYTES} Read the body in binary mode.`,
  },
}

/** The body is read, parsed or written otherwise than it must be (SPEC.md 1 and 4). */
export const BODY_WORDS = {
  body_already_read: (data, of) => {
    if (data === undefined)
      return {
        sentence:
          'The signature is computed over an empty or parsed body: a body parser has already read it.',
        fix: `${readRaw(of)} Mount the handler before any body parser, such as express.json(). In Go, read r.Body once; in PHP, read php://input instead of $_POST.`,
      }
    const fix =
      'Mount the receiver before express.json() and every other body parser, or exclude its path from them.'
    return data.received === undefined
      ? { sentence: 'A body parser in front of the receiver has already read the body.', fix }
      : {
          sentence: `${commonestText(data.received)}, and only deliveries that are not declared as JSON were accepted: a JSON parser reads the body before the receiver does.`,
          fix,
        }
  },
  body_expanded_first: () => ({
    sentence:
      'A compressed body is expanded without a limit before its signature is checked, which holds up all others.',
    fix: 'Verify the bytes as they arrive, before any decompression, or limit the decompressed size.',
  }),
  body_limit: (data) => ({
    sentence: `A valid body ${data ? `of ${Math.round(data.bytes / 1024)} KiB ` : ''}is refused because of its size.`,
    fix: 'Raise the limit of the body parser, the framework and any proxy to 1 MiB.',
  }),
  body_parsed_first: (data, of) => {
    if (data !== undefined && 'isBound' in data)
      return {
        sentence:
          'The body is bound to a class of events before its signature is checked, and no valid one matches: most likely the signature is computed over JSON that was serialized again.',
        fix: `${readRaw(of)} In FastAPI, use await request.body() instead of a parameter with a model; in Spring, byte[] or InputStream instead of a class. If it already verifies the raw body, compare the signing secrets.`,
      }
    return {
      sentence: `The body is parsed before the signature is checked${data ? `: a forged body that is not JSON gets ${either(data.statuses)}` : ''}.`,
      fix: `Verify the raw body first and ${of.refuseForged} if the signature is wrong; parse it only afterwards${of.refusesWith === undefined ? '' : `, and answer ${of.refusesWith.unreadable} if it is not JSON`}.`,
    }
  },
  body_reserialized: ({ by } = {}) => ({
    sentence: `The signature is computed over re-serialized JSON${by === undefined ? '' : ` (${by})`}.`,
    fix: `${KEEP_BYTES} Do not serialize a parsed body again: no library reliably writes the same bytes.`,
  }),
  body_trimmed: () => ({
    sentence: 'The signature is computed over the trimmed body.',
    fix: `${KEEP_BYTES} Do not trim it.`,
  }),
  content_type_required: () => ({
    sentence: 'A valid delivery is refused because of its content type.',
    fix: 'Read the raw body for any content type, including parameters and capital letters; let the signature decide.',
  }),
  length_in_characters: () => ({
    sentence:
      'A valid delivery is refused, or hangs, if its body has characters beyond ASCII: its Content-Length is compared with characters, but counts bytes.',
    fix: 'Read the body as bytes, and let the server decide where it ends.',
  }),
} satisfies Partial<Words>

export const BODY_FORMS = {
  body_decoded_as_text: ({ as }, of) =>
    as === 'printed-bytes'
      ? {
          sentence:
            "The signature is computed over the text form of a bytes object (b'...'), not over the bytes.",
          fix: `${readRaw(of)} In Python, concatenate bytes: ${of.inPython}.`,
        }
      : DECODED[as],
  body_not_read_to_end: ({ read }) => ({
    sentence:
      read === 'length'
        ? 'A valid delivery is refused if its body is sent in chunks: without a Content-Length, the body is read as empty.'
        : 'A valid delivery is refused if its body arrives in parts: only the first is read.',
    fix: 'Read the body to its end, and not as many bytes as Content-Length says: a body that is sent in chunks has none. In Django, request.body is then empty: read request.environ["wsgi.input"] with a server such as gunicorn, since runserver does not read chunks, or let a proxy such as nginx buffer requests.',
  }),
} satisfies Partial<Forms>

import { isUtf8 } from 'node:buffer'
import type { Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import { isPlainJson, SERIALIZERS, STRICT_SERIALIZERS } from '../serializers.ts'
import type { Statement } from '../statement.ts'
import { signedText } from '../verifier.ts'

const RAW =
  'Keep the request body as the bytes that were received, compute the HMAC over those, and parse the JSON only afterwards.'

/** What every receiver must do whose framework parses the body. */
export const reserialized = (by = ''): Statement => ({
  code: 'body_reserialized',
  sentence: `The signature is computed over re-serialized JSON${by === '' ? '' : ` (${by})`}.`,
  fix: `${RAW} Do not serialize a parsed body again: no library reliably writes the same bytes.`,
})

/** Another text than the body, over which a receiver computes the signature; undefined when it has none. */
type Rewrite = (body: Buffer) => string | Buffer | undefined

/** A receiver that verifies the rewritten body, and one that verifies either. */
function rewriting(
  statement: Statement,
  rewrite: Rewrite,
  more: Pick<Hypothesis, 'parsesFirst' | 'serializesFirst'> = {},
): Hypothesis[] {
  const rewritten = perBody(rewrite)
  const written = (t: string, body: Buffer) => {
    const text = rewritten(body)
    return text === undefined ? undefined : signedText(`${t}.`, text)
  }
  return [
    { ...verifying(statement, { messages: (t, body) => [written(t, body)] }), ...more },
    {
      ...verifying(statement, { messages: (t, body) => [signedText(`${t}.`, body), written(t, body)] }),
      ...more,
    },
  ]
}

/** Remembers the result for each body: many hypotheses ask about the same bodies. */
function perBody<Result>(of: (body: Buffer) => Result): (body: Buffer) => Result {
  const known = new WeakMap<Buffer, { readonly result: Result }>()
  return (body) => {
    const entry = known.get(body) ?? { result: of(body) }
    known.set(body, entry)
    return entry.result
  }
}

/** A body that is JSON, whether all serializers read the same value from it, and whether it is UTF-8. */
const readBody = perBody((body) => {
  const text = body.toString()
  try {
    return { value: JSON.parse(text) as unknown, isPlain: isPlainJson(text), isText: isUtf8(body) }
  } catch {
    return undefined
  }
})

const parsed = (
  write: (value: unknown, isPlain: boolean, isText: boolean) => string | undefined,
): Rewrite => {
  return (body) => {
    const read = readBody(body)
    try {
      return read === undefined ? undefined : write(read.value, read.isPlain, read.isText)
    } catch {
      // Nested too deeply for the serializer.
      return undefined
    }
  }
}

const decoded = (as: string): Statement => ({
  code: 'body_decoded_as_text',
  sentence: `The signature is computed over the body decoded as ${as}, not over its bytes.`,
  fix: `${RAW} Decoding replaces or drops bytes, so different bodies get the same signature.`,
})

export const BODY_HYPOTHESES: readonly Hypothesis[] = [
  ...rewriting(
    reserialized(),
    parsed((value) => JSON.stringify(value)),
    { parsesFirst: true },
  ),
  ...Object.entries(SERIALIZERS).flatMap(([name, serialize]) =>
    rewriting(
      reserialized(name),
      parsed((value, isPlain, isText) =>
        isPlain && (isText || !STRICT_SERIALIZERS.has(name)) ? serialize(value) : undefined,
      ),
      { parsesFirst: true, serializesFirst: true },
    ),
  ),
  ...rewriting(decoded('UTF-8 text'), (body) => body.toString('utf8')),
  ...rewriting(decoded('UTF-8 text'), (body) => new TextDecoder().decode(body)),
  ...rewriting(decoded('Latin-1 text'), (body) => body.toString('latin1')),
  ...rewriting(decoded('normalized text'), (body) => body.toString().normalize('NFC')),
  ...rewriting(
    {
      code: 'body_trimmed',
      sentence: 'The signature is computed over the trimmed body.',
      fix: `${RAW} Do not trim it.`,
    },
    (body) => body.toString().trim(),
  ),
  ...rewriting(
    {
      code: 'body_decoded_as_text',
      sentence: 'The signature is computed over the body without its line breaks.',
      fix: `${RAW} Do not read it line by line.`,
    },
    (body) => body.toString().replace(/\r\n|[\r\n]/g, ''),
  ),
  ...rewriting(
    {
      code: 'body_decoded_as_text',
      sentence: 'The signature is computed over the body with its line endings converted.',
      fix: `${RAW} Read the body in binary mode.`,
    },
    (body) => Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
  ),
]

/** The signature covers something other than the bytes that were received (SPEC.md 4). */
export const bodyCauses: Recognize = (evidence) => testAll(BODY_HYPOTHESES, evidence)

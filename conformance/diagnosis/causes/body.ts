import { isUtf8 } from 'node:buffer'
import type { Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifyingFor } from '../hypothesis.ts'
import type { Bytes } from '../mistakes/form.ts'
import { isPlainJson, SERIALIZERS, STRICT_SERIALIZERS } from '../mistakes/serializers.ts'
import { remembered } from '../remember.ts'
import type { CauseForms, Said } from '../statement.ts'
import { asBytes, correctOf, type Terms } from '../verifier.ts'

/** Another text than the body, over which a receiver computes the signature; undefined when it has none. */
type Rewrite = (body: Buffer) => string | Buffer | undefined

/** A receiver that verifies the rewritten body, and one that verifies either. */
const rewritingFor =
  (terms: Terms) =>
  (
    said: Said,
    rewrite: Rewrite,
    more: Pick<Hypothesis, 'parsesFirst' | 'serializesFirst'> = {},
  ): Hypothesis[] => {
    const verifying = verifyingFor(terms)
    const { messages } = correctOf(terms)
    const rewritten = remembered((body: Bytes) => {
      const text = rewrite(Buffer.isBuffer(body) ? body : Buffer.from(body))
      return text === undefined ? undefined : asBytes(text)
    })
    const written = (t: string, body: Bytes, id: string) => {
      const bytes = rewritten(body)
      return bytes === undefined ? [undefined] : messages(t, bytes, id)
    }
    return [
      { ...verifying(said, { messages: written }), ...more },
      {
        ...verifying(said, {
          messages: (t, body, id) => [...messages(t, body, id), ...written(t, body, id)],
        }),
        ...more,
      },
    ]
  }

/** A body that is JSON, whether all serializers read the same value from it, and whether it is UTF-8. */
const readBody = remembered((body: Buffer) => {
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

const decoded = (as: CauseForms['body_decoded_as_text']['as']): Said => ({
  code: 'body_decoded_as_text',
  data: { as },
})

export const bodyHypotheses = remembered((terms: Terms): readonly Hypothesis[] => {
  const rewriting = rewritingFor(terms)
  return [
    ...rewriting(
      { code: 'body_reserialized', data: { isJavaScript: true } },
      parsed((value) => JSON.stringify(value)),
      { parsesFirst: true },
    ),
    ...Object.entries(SERIALIZERS).flatMap(([name, serialize]) =>
      rewriting(
        { code: 'body_reserialized', data: { by: name } },
        parsed((value, isPlain, isText) =>
          isPlain && (isText || !STRICT_SERIALIZERS.has(name)) ? serialize(value) : undefined,
        ),
        { parsesFirst: true, serializesFirst: true },
      ),
    ),
    ...rewriting(decoded('utf-8'), (body) => body.toString('utf8')),
    ...rewriting(decoded('utf-8'), (body) => new TextDecoder().decode(body)),
    ...rewriting(decoded('latin-1'), (body) => body.toString('latin1')),
    ...rewriting(decoded('normalized'), (body) => body.toString().normalize('NFC')),
    ...rewriting({ code: 'body_trimmed' }, (body) => body.toString().trim()),
    ...rewriting(decoded('one-line'), (body) => body.toString().replace(/\r\n|[\r\n]/g, '')),
    ...rewriting(decoded('converted-lines'), (body) =>
      Buffer.from(body.toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
    ),
  ]
})

/** The signature covers something other than the bytes that were received (SPEC.md 4). */
export const bodyCauses: Recognize = (symptoms) => testAll(bodyHypotheses(symptoms.service), symptoms)

import { createHmac } from 'node:crypto'
import type { Request } from 'express'
import { field } from '../../http/bodies.ts'
import type { Attempt, Delivery } from '../../model.ts'
import { textOf } from '../shared/json.ts'

/** A delivery whose signature a receiver refused in its last attempt. */
export interface Refusal {
  readonly delivery: Pick<Delivery, 'id' | 'url'>
  readonly attempt: Attempt
  /** The bytes of the body. */
  readonly body: Uint8Array
  readonly secret: string
}

/**
 * What the page of an event shows of refusals: what was signed, and after a form was sent, what the receiver hashed instead,
 * the cause, and the code that fixes it. The verdict and its words are those of `hookproof verify`.
 *
 * @param refusals the newest first
 * @param request a form with what the receiver hashed, if one was sent
 */
export async function refusalView(refusals: readonly Refusal[], request?: Request) {
  const chosen = request && field(request, 'delivery')
  const refusal = refusals.find(({ delivery }) => delivery.id === chosen) ?? refusals[0]
  if (refusal === undefined) return undefined
  // Loaded only here: they would make the sandbox start later.
  const { adviceOn, asSentence, comparisonOf, differenceText, refusedAnyway } = await import(
    '../../../conformance/report/words/signature.ts'
  )
  const { SCHEME } = await import('../../../conformance/contracts/payment-service/scheme.ts')
  const { verifyingCode } = await import('../../../conformance/report/examples.ts')
  const { FRAMEWORKS } = await import('../../../conformance/report/snippets.ts')
  const { recognizeAnswers } = await import('../../../conformance/report/recognize.ts')
  const { attempt, body, secret, delivery } = refusal
  const header = attempt.requestHeaders['X-Service-Signature'] ?? ''
  const named = request && field(request, 'framework')
  const framework = FRAMEWORKS.find((name) => name === named) ?? recognizeAnswers([answerOf(attempt)])
  const view = {
    delivery,
    deliveries: refusals.map(({ delivery: { id, url } }) => ({ id, url })),
    status: attempt.status,
    signed: `${/(?:^|,)t=(\d+)/.exec(header)?.[1] ?? ''}.${textOf(body)}`,
    comparison: `${refusedAnyway(attempt.status ?? undefined)} ${await comparisonOf({ body, secret })}`,
    framework,
    frameworks: FRAMEWORKS,
  }
  if (request === undefined) return view
  const hashed = Buffer.from(field(request, 'hashed').replaceAll('\r\n', '\n'))
  if (hashed.equals(body)) return { ...view, hashed: hashed.toString(), isSame: true }
  const { text, difference, needsCode } = await adviceOn(
    { scheme: SCHEME, header, body: hashed, secret },
    {
      isLate: false,
      hmac: (hash, key, message) =>
        createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest(),
      hints: { old: 'resend it', others: 'compare the signing secret' },
      sent: body,
    },
  )
  return {
    ...view,
    hashed: hashed.toString(),
    advice: asSentence(text),
    sides:
      difference === undefined
        ? []
        : ([
            ['Signed', 'removed', difference.signed],
            ['Hashed', 'added', difference.hashed],
          ] as const),
    where: difference && differenceText(difference),
    example: needsCode ? verifyingCode(framework, undefined) : undefined,
    needsFramework: needsCode && framework === undefined,
  }
}

/** A response as the report reads it. */
const answerOf = ({ status, responseHeaders, responseBody }: Attempt) => ({
  status: status ?? 0,
  headers: Object.entries(responseHeaders ?? {}).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  ),
  body: { text: textOf(responseBody ?? new Uint8Array()) },
})

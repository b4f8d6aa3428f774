import type { RequestHandler } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import { validate } from '../../schemas/validate.ts'
import type { Context } from '../compose.ts'
import { checkTarget } from '../deliveries/targets.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { ApiError } from '../errors.ts'
import type { Payment } from '../model.ts'

type Field = 'url' | 'webhook_url'

/** Whether a URL is one that responses may contain: encoded (RFC 3986), and with `https://` in lower case. */
const isEncoded = (url: string): boolean => validate('api/endpoint-create-request', { url }).length === 0

/**
 * Rejects a URL that nothing may be delivered to. Interface 4.8 and 8.
 * @param field the field to name in the message; null if a form shows it
 * @returns the URL with a lowercase scheme, since the schema accepts only that
 */
export function requireTarget(field: Field | null, url: string): string {
  const start = field === null ? '' : `${field}: `
  const verdict = checkTarget(url)
  if (!verdict.ok) throw new ApiError(400, start + verdict.refused)
  const target = url.replace(/^https:/i, 'https:')
  if (isEncoded(target)) return target
  const encoded = new URL(url).href
  const fix = isEncoded(encoded) ? `Write it as ${encoded}` : 'For example, a percent sign is written as %25.'
  throw new ApiError(400, `${start}The URL must be complete and encoded. ${fix}`)
}

/** The same before schema validation, since the schema's message does not include the fix. */
export function targetFirst(field: Field): RequestHandler {
  return ({ body }, _response, next) => {
    const url: unknown = (body as Partial<Record<Field, unknown>> | null | undefined)?.[field]
    if (typeof url === 'string') body[field] = requireTarget(field, url)
    next()
  }
}

/** Requires a return_url that the checkout can link to: not a script. */
export function requireLink(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new ApiError(400, 'return_url must start with https:// or http://.')
}

/**
 * The fields of a new payment.
 * @param request valid by its schema
 * @throws ApiError 400 for a field that no schema can judge
 */
export function paymentFields(request: PaymentCreateRequest) {
  const { amount, currency, return_url: returnUrl, webhook_url: webhookUrl, metadata } = request
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
  if (returnUrl !== undefined) requireLink(returnUrl)
  return { amount, currency, returnUrl, webhookUrl, metadata }
}

/** Validates a payment of the first organization, which needs no key. @returns a function that creates the payment */
export function newPayment(
  { payments, store }: Pick<Context, 'payments' | 'store'>,
  mode: unknown,
  request: PaymentCreateRequest,
): () => Payment {
  if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode must be "test" or "live".')
  const fields = paymentFields(request)
  const { id: organizationId } = store.organizations.first()
  return () => payments.create({ organizationId, mode, ...fields })
}

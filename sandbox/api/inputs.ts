import type { RequestHandler } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../compose.ts'
import { compareAmounts } from '../domain/amounts.ts'
import { ApiError } from '../errors.ts'
import type { Payment } from '../model.ts'
import type { CheckTarget } from '../ports.ts'

type Field = 'url' | 'webhook_url'

/** Characters outside printable ASCII, which a URL must encode (RFC 3986). */
const NOT_ASCII = /[^\x20-\x7e]/

/**
 * Rejects a URL that nothing may be delivered to. Interface 4.8 and 8.
 * @param field the field to name in the message; null if a form shows it
 * @returns the URL with a lowercase scheme, since the schema accepts only that
 */
export function requireTarget(check: CheckTarget, field: Field | null, url: string): string {
  const start = field === null ? '' : `${field}: `
  const verdict = check(url)
  if (!verdict.ok) throw new ApiError(400, start + verdict.refused)
  if (NOT_ASCII.test(url)) {
    const encoded = new URL(url).href
    throw new ApiError(400, `${start}The URL contains non-ASCII characters. Write it as ${encoded}`)
  }
  return url.replace(/^https:/i, 'https:')
}

/** The same before schema validation, since the schema's message does not include the fix. */
export function targetFirst(check: CheckTarget, field: Field): RequestHandler {
  return ({ body }, _response, next) => {
    const url: unknown = (body as Partial<Record<Field, unknown>> | null | undefined)?.[field]
    if (typeof url === 'string') body[field] = requireTarget(check, field, url)
    next()
  }
}

/** Requires a return_url that the checkout can link to: not a script. */
export function requireLink(url: string): void {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return
  throw new ApiError(400, 'return_url must start with https:// or http://.')
}

/**
 * Validates a payment of the first organization, which needs no key.
 *
 * @param request valid by its schema
 * @returns a function that creates the payment
 * @throws ApiError 400 for a field that no schema can judge
 */
export function newPayment(
  { payments, store }: Pick<Context, 'payments' | 'store'>,
  mode: unknown,
  request: PaymentCreateRequest,
): () => Payment {
  const { amount, currency, return_url: returnUrl, webhook_url: webhookUrl, metadata } = request
  if (mode !== 'test' && mode !== 'live') throw new ApiError(400, 'mode must be "test" or "live".')
  if (compareAmounts(amount, '0') === 0) throw new ApiError(400, 'amount must be greater than 0.')
  if (returnUrl !== undefined) requireLink(returnUrl)
  const [organization] = store.organizations.list()
  if (organization === undefined) throw new Error('the sandbox has no organization')
  const { id: organizationId } = organization
  return () => payments.create({ organizationId, mode, amount, currency, returnUrl, webhookUrl, metadata })
}

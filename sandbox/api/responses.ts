import type { ErrorRequestHandler, Response } from 'express'
import { METHODS } from '../../fixtures/methods.ts'
import type { SchemaName } from '../../schemas/names.ts'
import type {
  EndpointCreateResponse,
  Endpoint as EndpointView,
  PaymentCreateResponse,
} from '../../schemas/types.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { ApiError, BadAction, IllegalTransition, Rejection } from '../errors.ts'
import type { Endpoint, Payment } from '../model.ts'
import { NoSuchPayment } from '../service/payments.ts'

/**
 * Responds with a body after validating it against its schema.
 * @throws Error if it is invalid: that is a bug of the sandbox, and the client gets a 500
 */
export function respond(response: Response, status: number, schema: SchemaName, body: object): void {
  const found = validate(schema, body)
  if (found.length > 0) throw new Error(`a response does not match ${schema}.json: ${explain(found)}`)
  response.status(status).json(body)
}

/** An endpoint in lists and lookups: without mode and secret. Interface 4.2 and 4.3. */
export function endpointView({ id, url, events, isEnabled, description, createdAt }: Endpoint): EndpointView {
  return { id, url, events, is_enabled: isEnabled, description, created_at: iso(createdAt) }
}

/** The only response that contains the secret. Interface 4.1. */
export function newEndpointView(endpoint: Endpoint & { secret: string }): EndpointCreateResponse {
  const { id, url, secret, events, mode, isEnabled, createdAt } = endpoint
  return { id, url, secret, events, mode, is_enabled: isEnabled, created_at: iso(createdAt) }
}

/** The response to payment creation. Interface 2.4. */
export const newPaymentView = (payment: Payment, origin: string): PaymentCreateResponse => ({
  id: payment.id,
  checkout_url: checkoutUrl(payment, origin),
})

const checkoutUrl = ({ id, mode }: Payment, origin: string): string =>
  `${origin}/${mode === 'test' ? 'test/checkout' : 'checkout'}/${id}`

/** A payment in a lookup. Interface 4.6 does not specify its fields: they are named like those of events. */
export function paymentView(payment: Payment, origin: string) {
  const { method } = payment
  return {
    id: payment.id,
    status: payment.status,
    amount: payment.amount,
    amount_received: payment.amountReceived,
    currency: payment.currency,
    payment_method: method,
    processor: method === null ? null : METHODS[method].processor,
    settled_via: payment.settledVia,
    livemode: payment.mode === 'live',
    checkout_url: checkoutUrl(payment, origin),
    // Absent instead of null, as in the request.
    ...(payment.returnUrl === null ? {} : { return_url: payment.returnUrl }),
    ...(payment.webhookUrl === null ? {} : { webhook_url: payment.webhookUrl }),
    metadata: payment.metadata,
    failure_code: payment.failureCode,
    failure_reason: payment.failureReason,
    refund_type: payment.refundType,
    created_at: iso(payment.createdAt),
    updated_at: iso(payment.updatedAt),
    window_ends_at: payment.windowEndsAt === null ? null : iso(payment.windowEndsAt),
  }
}

const iso = (time: number): string => new Date(time).toISOString()

/** Responds to errors thrown by routes. Unexpected errors go to `onFailure` and never to the client. */
export function errorResponses(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const error = apiErrorOf(thrown)
    if (error.status === 500) onFailure(thrown)
    const { status, message, code, headers } = error
    response
      .status(status)
      .set(headers)
      .json({ error: message, ...(code && { code }) })
  }
}

function apiErrorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof NoSuchPayment) return new ApiError(404, 'Payment not found')
  if (thrown instanceof IllegalTransition || thrown instanceof BadAction) {
    return new ApiError(thrown.status, thrown.message.charAt(0).toUpperCase() + thrown.message.slice(1))
  }
  // Only requests to the control API can cause others.
  if (thrown instanceof Rejection) return new ApiError(thrown.status, thrown.message)
  return fromParser(thrown) ?? new ApiError(500, 'Internal error of the sandbox. See its log.')
}

/** Errors of the body parser and the router, identified by their status. */
function fromParser(thrown: unknown): ApiError | undefined {
  const { status, type } = (thrown ?? {}) as { status?: unknown; type?: unknown }
  switch (status) {
    case 400:
      if (thrown instanceof URIError) return new ApiError(400, 'The path is not correctly encoded.')
      return new ApiError(
        400,
        type === 'entity.parse.failed'
          ? 'The body is not valid JSON.'
          : 'The body is incomplete, or not compressed as its Content-Encoding says.',
      )
    case 413:
      return new ApiError(413, 'The body exceeds 100 KiB.')
    case 415:
      return new ApiError(
        415,
        'Unsupported body: send application/json in UTF-8, uncompressed or with gzip, deflate or br.',
      )
    default:
      return undefined
  }
}

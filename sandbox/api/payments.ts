import { createHash } from 'node:crypto'
import type { Request, Response, Router } from 'express'
import type { PaymentCreateRequest } from '../../schemas/types.ts'
import type { Context } from '../compose.ts'
import { ApiError } from '../errors.ts'
import { ignoredBody, jsonBody } from '../http/bodies.ts'
import { type ApiKey, PAYMENT_STATUSES, type Payment, type PaymentStatus } from '../model.ts'
import { paymentPage } from '../store/payments.ts'
import { keyOf, requireKey } from './calls.ts'
import { paymentFields, targetFirst } from './inputs.ts'
import { newPaymentView, paymentView, respond } from './responses.ts'

/** The calls on payments. Interface 4.5 to 4.7. */
export function paymentRoutes(router: Router, context: Context): void {
  const { payments, keys, store, origin } = context

  /** A payment of this key's organization and mode. Others get the same response as a payment that does not exist. */
  function own({ organizationId, mode }: ApiKey, id: unknown): Payment {
    const payment = store.payments.own(organizationId, mode, String(id))
    if (payment === undefined) throw new ApiError(404, 'Payment not found')
    return payment
  }

  async function create(request: Request, response: Response): Promise<void> {
    const body: PaymentCreateRequest = request.body
    const fields = paymentFields(body)
    const key = keyOf(response)
    const { organizationId, mode } = key
    const input = { organizationId, mode, ...fields }
    const idempotency = { key: request.get('Idempotency-Key'), body }
    const { payment, replayed } = store.transaction(() =>
      onceOnly(context, key, idempotency, () => payments.create(input)),
    )
    if (replayed) response.set('Idempotent-Replayed', 'true')
    respond(
      response,
      201,
      'api/payment-create-response',
      newPaymentView(payment, origin(request.get('Host'))),
    )
  }

  async function resend({ params }: Request, response: Response): Promise<void> {
    const key = keyOf(response)
    if (key.mode !== 'live') throw new ApiError(403, 'Resending requires a live API key.')
    const { id } = own(key, params['id'])
    const { event, deliveries } = store.transaction(() => payments.resend(id))
    respond(response, 202, 'api/payment-resend-response', { payment_id: id, event: event.name, deliveries })
  }

  const mayWrite = requireKey(keys, 'payments:write')
  const newPayment = jsonBody('api/payment-create-request', targetFirst('webhook_url'))
  router.post('/payments', mayWrite, ...newPayment, (request, response) => create(request, response))
  router.post('/payments/:id/resend-webhook', mayWrite, ...ignoredBody, (request, response) =>
    resend(request, response),
  )

  router.get('/payments', requireKey(keys, 'payments:read'), (request, response) => {
    const { startingAfter, status, limit } = pageOf(request)
    const { organizationId, mode } = keyOf(response)
    if (startingAfter !== undefined && !store.payments.own(organizationId, mode, startingAfter)) {
      throw new ApiError(400, 'starting_after must be the id of one of your payments.')
    }
    // One more than shown, to find out whether there are more.
    const matching = { organizationId, mode, status, sort: 'newest', before: startingAfter } as const
    const found = paymentPage(store.database, { ...matching, limit: limit + 1 })
    const here = origin(request.get('Host'))
    const data = found.slice(0, limit).map((payment) => paymentView(payment, here))
    respond(response, 200, 'api/payment-list', { data, has_more: found.length > limit })
  })

  router.get('/payments/:id', requireKey(keys, 'payments:read'), (request, response) => {
    const payment = own(keyOf(response), request.params['id'])
    respond(response, 200, 'api/payment', paymentView(payment, origin(request.get('Host'))))
  })
}

/** The default and maximum page size. Interface 4.6 does not specify pagination. */
const PAGE = { default: 20, maximum: 100 }

/** Reads limit, starting_after and status from the query. 400 for an invalid value; other parameters are ignored. */
const pageOf = ({ query }: Pick<Request, 'query'>) => ({
  startingAfter: single(query, 'starting_after'),
  status: statusOf(single(query, 'status')),
  limit: limitOf(single(query, 'limit')),
})

function single(query: Request['query'], name: string): string | undefined {
  const value = query[name]
  if (value === undefined || typeof value === 'string') return value
  throw new ApiError(400, `${name} must not be repeated.`)
}

function limitOf(text: string | undefined): number {
  if (text === undefined) return PAGE.default
  const limit = Number(text)
  if (/^[0-9]{1,3}$/.test(text) && limit >= 1 && limit <= PAGE.maximum) return limit
  throw new ApiError(400, `limit must be a whole number from 1 to ${PAGE.maximum}.`)
}

function statusOf(text: string | undefined): PaymentStatus | undefined {
  if (text === undefined) return undefined
  const status = PAYMENT_STATUSES.find((known) => known === text)
  if (status !== undefined) return status
  throw new ApiError(400, `status must be one of ${PAYMENT_STATUSES.join(', ')}.`)
}

const KEPT_MS = 24 * 60 * 60 * 1000

const LONGEST_KEY = 255

/**
 * Creates a payment, or returns the one that an earlier request with the same Idempotency-Key created. The interface does
 * not mention it, but merchants need it when a connection breaks. 422 if the key was used with a different request.
 * @returns the payment, and whether it existed already
 */
function onceOnly(
  { store, clock }: Pick<Context, 'store' | 'clock'>,
  { organizationId, mode }: ApiKey,
  { key, body }: { key: string | undefined; body: unknown },
  create: () => Payment,
): { payment: Payment; replayed: boolean } {
  if (key === undefined) return { payment: create(), replayed: false }
  if (key === '' || key.length > LONGEST_KEY) {
    throw new ApiError(400, `Idempotency-Key must have 1 to ${LONGEST_KEY} characters.`)
  }
  const requestHash = createHash('sha256').update(canonical(body)).digest()
  return store.transaction(() => {
    store.idempotency.purge(clock.now() - KEPT_MS)
    const known = store.idempotency.get(organizationId, mode, key)
    if (known === undefined) {
      const payment = create()
      const { id: paymentId, createdAt } = payment
      store.idempotency.insert({ organizationId, mode, key, requestHash, paymentId, createdAt })
      return { payment, replayed: false }
    }
    const payment = store.payments.get(known.paymentId)
    if (payment === undefined || !requestHash.equals(known.requestHash)) {
      throw new ApiError(
        422,
        'This Idempotency-Key was already used with a different request. Use a new one.',
      )
    }
    return { payment, replayed: true }
  })
}

/** JSON with sorted object keys, so that the order of fields does not matter. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`
}

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type {
  DeliveryOutcome,
  DeliveryStore,
  Orders,
  ProcessingState,
  ReadinessProbe,
  Verify,
} from '@hookproof/receiver'
import { drainRequest, type LimitOptions, webhookHandler } from '@hookproof/receiver/express'
import { refuse } from './http/refuse.ts'

export interface AppOptions extends LimitOptions {
  verify: Verify
  inbox: DeliveryStore
  /** Called with each delivery after the answer. */
  onOutcome?: (outcome: DeliveryOutcome) => void
  /** Served at GET /observe when given. */
  orders?: Orders
  /** Served at GET /readyz when given. */
  readiness?: Pick<ReadinessProbe, 'check'>
  /** Reported at GET /readyz unless it is `active`. */
  processing?: () => ProcessingState
  /** Called with an error that no delivery should be able to cause. */
  onError?: (error: unknown) => void
}

const WEBHOOKS = '/webhooks'

/** Writes the answer to GET at one path. */
type Resource = (response: ServerResponse, query: URLSearchParams) => Promise<void>

/**
 * The routes of the receiver. Every answer is JSON and reveals neither a stack trace nor the software. Anyone may send thousands
 * of requests at once, and Express on Node.js 20 would take most of the time of each, so it is not used. SPEC.md 1 and 11.
 */
export function createApp(options: AppOptions): RequestListener {
  const { orders, readiness, processing = () => 'active', onError = () => {}, ...delivery } = options
  const handleDelivery = webhookHandler({ ...delivery, onFailure: () => {} })
  const resources = new Map<string, Resource>()

  resources.set('/healthz', async (response) => send(response, 200, { status: 'ok' }))

  if (readiness) {
    resources.set('/readyz', async (response) => {
      const result = await readiness.check()
      const state = processing()
      // Also when the events are handled elsewhere, because deliveries are stored.
      if (result.ready)
        send(response, 200, { status: 'ready', ...(state === 'active' ? {} : { processing: state }) })
      else send(response, 503, { status: 'not ready', reason: result.reason }, { 'Retry-After': '5' })
    })
  }

  if (orders) {
    resources.set('/observe', async (response, query) => {
      const [paymentId = '', ...others] = query.getAll('payment_id')
      if (paymentId === '' || others.length > 0) refuse(response, 'payment_id_missing')
      else send(response, 200, await orders.observe(paymentId))
    })
  }

  function answerFault(error: unknown, response: ServerResponse): void {
    onError(error)
    if (response.headersSent) response.destroy()
    else refuse(response, 'internal_error')
  }

  return (request, response) => {
    const { path, query } = targetOf(request)
    if (path === WEBHOOKS && request.method === 'POST')
      return void handleDelivery(request, response, (error) => answerFault(error, response))
    // No other route reads a body, and Node.js would read an endless one until the request times out.
    drainRequest(request)
    if (path === WEBHOOKS) return refuse(response, 'method_not_allowed')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const resource = isRead ? resources.get(path) : undefined
    if (resource === undefined) return refuse(response, 'not_found')
    resource(response, new URLSearchParams(query)).catch((error: unknown) => answerFault(error, response))
  }
}

/** The path of a request in lower case, without a slash at its end, and the query. */
function targetOf({ url = '' }: IncomingMessage): { readonly path: string; readonly query: string } {
  const [, path = '', query = ''] = /^([^?#]*)\??([^#]*)/.exec(url) ?? []
  return { path: path.toLowerCase().replace(/\/$/, ''), query }
}

function send(
  response: ServerResponse,
  status: number,
  json: object,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = Buffer.from(JSON.stringify(json))
  response
    .writeHead(status, {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': body.length,
      ...headers,
    })
    .end(body)
}

import { expect, test } from 'vitest'
import type { Scope } from '../../../sandbox/model.ts'
import { control, served } from '../support.ts'
import { contractOf, operationsOf, type Tree } from './contract.ts'

test('every documented response occurs and matches the document, which does not allow the requests that are refused', async () => {
  const on = await prepared()
  const agent = { 'User-Agent': 'hookproof-tests' }
  const document = (await (await fetch(`${on.origin}/v1/openapi.json`, { headers: agent })).json()) as Tree
  const { responseProblems, requestProblems } = contractOf(document)
  const operations = operationsOf(document)
  const documented = operations.flatMap(({ id, statuses }) => statuses.map((status) => `${id} ${status}`))
  const seen = new Set<string>()

  await useEverything(
    async ({ operation, status, id = '', query = '', key = on.liveKey, headers, body, isInvalid }) => {
      const name = `${operation} ${status}`
      const { method = '', path: template = '' } = operations.find((one) => one.id === operation) ?? {}
      const path = template.replace(/\{\w+\}/, id) + query
      const sent = new Headers({
        ...agent,
        ...(key !== null && { 'X-API-Key': key }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      })
      const text = typeof body === 'object' ? JSON.stringify(body) : body
      const allowed = requestProblems(method, path, { headers: sent, text }).length === 0
      expect(allowed, `${name}: whether the document allows ${path} ${text?.slice(0, 200)}`).toBe(
        isInvalid !== true,
      )
      const response = await fetch(`${on.origin}/v1${path}`, {
        method,
        headers: sent,
        ...(text && { body: text }),
      })
      const reply = { status: response.status, headers: response.headers, text: await response.text() }
      expect([name, reply.status, reply.text]).toEqual([name, status, reply.text])
      expect(responseProblems(method, path, reply), name).toEqual([])
      seen.add(name)
      return response.headers.get('Content-Type')?.includes('json') === true ? JSON.parse(reply.text) : {}
    },
    on,
  )

  expect(documented.length).toBeGreaterThan(40)
  expect(documented.filter((name) => !seen.has(name))).toEqual([])
})

/** A sandbox with bot protection, keys of every kind, and what a customer or a merchant does. */
async function prepared() {
  const { origin, keys, organizationId } = await served({ seed: 'everything', botProtection: true })
  const post = async (path: string, body: object) =>
    expect([path, (await control({ url: origin }, path, body)).status]).toEqual([path, 200])
  const keyWith = (...scopes: Scope[]) => keys.create({ organizationId, mode: 'live', scopes })
  const revoked = keyWith('payments:read')
  keys.revoke(organizationId, revoked.id)
  return {
    origin,
    testKey: keys.create({ organizationId, mode: 'test' }).value,
    liveKey: keys.create({ organizationId, mode: 'live' }).value,
    /** Keys without the scope of any operation that reads, and of any that writes. */
    writingKey: keyWith('payments:write', 'webhooks:write').value,
    readingKey: keyWith('payments:read', 'webhooks:read').value,
    revokedKey: revoked.value,
    act: (paymentId: string, action: object) => post(`/payments/${paymentId}/actions`, action),
    advance: (ms: number) => post('/clock', { advance_ms: ms }),
  }
}

type Prepared = Awaited<ReturnType<typeof prepared>>

/** One request, and the documented status of its response. */
interface Exchange {
  readonly operation: string
  readonly status: number
  /** Replaces the parameter in the path. */
  readonly id?: string
  readonly query?: string
  /** By default the live key; null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON, unless it is text. */
  readonly body?: object | string
  /** The document does not allow the request. */
  readonly isInvalid?: true
}

/** Sends a request and returns the JSON of its response. */
type Send = (exchange: Exchange) => Promise<Record<string, unknown>>

const ENDPOINT = { url: 'https://shop.example/webhooks', events: ['payment.completed'], mode: 'both' }
const PAYMENT = { amount: '25.00', currency: 'USD' }
const DAY_MS = 86_400_000
const TEXT = { headers: { 'Content-Type': 'text/plain' }, body: 'amount=25.00' }
const TOO_LARGE = { body: { ...PAYMENT, ...ENDPOINT, metadata: { note: 'x'.repeat(110_000) } } }
/** As a percent-encoded byte that no UTF-8 text contains. */
const UNDECODABLE = { id: '%ff' } as const
const UNKNOWN = 'unknown_1'

/** Uses every operation of the API, causes every documented error of it, and reads payments in every status. */
async function useEverything(send: Send, sandbox: Prepared): Promise<void> {
  await useWebhooks(send, sandbox)
  await usePayments(send, sandbox)
  await readPayments(send, sandbox)
  await resend(send, sandbox)
  await send({ operation: 'getOpenApi', status: 200, key: null })
  for (const operation of ['getOpenApi', 'listWebhooks', 'listPayments']) {
    await send({ operation, status: 403, headers: { 'User-Agent': 'curl/8.11.0' } })
  }
}

async function useWebhooks(send: Send, sandbox: Prepared): Promise<void> {
  const { testKey } = sandbox
  const create = 'createWebhook'
  const { id } = await send({ operation: create, status: 201, body: ENDPOINT })
  const known = { id: String(id) }
  await send({ operation: create, status: 201, body: { url: ENDPOINT.url }, key: testKey })
  await send({ operation: create, status: 400, body: {}, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...ENDPOINT, events: [] }, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...ENDPOINT, mode: 'all' }, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...ENDPOINT, description: 'x' }, isInvalid: true })
  await send({ operation: create, status: 400, body: { url: 'https://127.0.0.1/' } })
  await send({ operation: create, status: 403, body: ENDPOINT, key: sandbox.readingKey })
  await send({ operation: create, status: 413, ...TOO_LARGE, isInvalid: true })
  await send({ operation: create, status: 415, ...TEXT, isInvalid: true })
  await send({ operation: 'listWebhooks', status: 200 })
  await send({ operation: 'listWebhooks', status: 403, key: sandbox.writingKey })
  await send({ operation: 'getWebhook', status: 200, ...known })
  await send({ operation: 'getWebhook', status: 400, ...UNDECODABLE })
  await send({ operation: 'getWebhook', status: 403, ...known, key: sandbox.writingKey })
  await send({ operation: 'getWebhook', status: 404, id: UNKNOWN })
  await send({ operation: 'deleteWebhook', status: 400, ...UNDECODABLE })
  await send({ operation: 'deleteWebhook', status: 403, ...known, key: sandbox.readingKey })
  await send({ operation: 'deleteWebhook', status: 413, ...known, ...TOO_LARGE, isInvalid: true })
  await send({ operation: 'deleteWebhook', status: 415, ...known, ...TEXT, isInvalid: true })
  await send({ operation: 'deleteWebhook', status: 204, ...known })
  await send({ operation: 'deleteWebhook', status: 404, ...known })
  await sendWithoutAccess(send, sandbox, { operation: create, body: ENDPOINT })
  await sendWithoutAccess(send, sandbox, { operation: 'listWebhooks' })
  await sendWithoutAccess(send, sandbox, { operation: 'getWebhook', ...known })
  await sendWithoutAccess(send, sandbox, { operation: 'deleteWebhook', ...known })
}

async function usePayments(send: Send, sandbox: Prepared): Promise<void> {
  const create = 'createPayment'
  const full = {
    ...PAYMENT,
    return_url: 'http://localhost:3000/thanks',
    webhook_url: 'https://shop.example/webhooks',
    metadata: { order: 'SO-10482', note: 'Tea for two ☕' },
  }
  await send({ operation: create, status: 201, body: PAYMENT })
  await send({ operation: create, status: 201, body: full, key: sandbox.testKey })
  const again = { operation: create, headers: { 'Idempotency-Key': crypto.randomUUID() } }
  await send({ ...again, status: 201, body: full })
  await send({ ...again, status: 201, body: full })
  await send({ ...again, status: 422, body: PAYMENT })
  await send({ operation: create, status: 400, body: {}, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...PAYMENT, amount: 25 }, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...PAYMENT, metadata: { n: 1 } }, isInvalid: true })
  await send({ operation: create, status: 400, body: { ...full, webhook_url: 'https://10.0.0.1/' } })
  await send({ operation: create, status: 403, body: PAYMENT, key: sandbox.readingKey })
  await send({ operation: create, status: 413, ...TOO_LARGE })
  await send({ operation: create, status: 415, ...TEXT, isInvalid: true })
  await sendWithoutAccess(send, sandbox, { operation: create, body: PAYMENT })
}

/** Payments in every status, one by one and in lists. */
async function readPayments(send: Send, sandbox: Prepared): Promise<void> {
  const { act } = sandbox
  const [list, get] = ['listPayments', 'getPayment']
  const lives: object[][] = [
    [],
    [{ type: 'switch_method', method: 'pix' }],
    [{ type: 'succeed', settled_via: { rail: 'PIX', amount: '130.00', currency: 'BRL' } }],
    [{ type: 'fail', failure_code: 'card_declined', failure_reason: 'The bank refused the card.' }],
    [{ type: 'pay_part', method: 'crypto', amount: '10.00' }],
    [{ type: 'pay_part', method: 'crypto', amount: '30.00' }],
    [{ type: 'accept_short', amount: '24.00' }],
    [{ type: 'succeed' }, { type: 'reverse', refund_type: 'chargeback' }],
    [{ type: 'pay_part', method: 'gift_card', amount: '1.00' }],
  ]
  const ids = []
  for (const actions of lives) {
    const { id } = await send({ operation: 'createPayment', status: 201, body: PAYMENT })
    for (const action of actions) await act(String(id), action)
    await send({ operation: get, status: 200, id: String(id) })
    ids.push(String(id))
  }
  const small = { ...PAYMENT, amount: '1.50' }
  const { id } = await send({ operation: 'createPayment', status: 201, body: small })
  await act(String(id), { type: 'pay_part', method: 'gift_card', amount: '1.00' })
  await send({ operation: get, status: 200, id: String(id) })
  await sandbox.advance(DAY_MS)
  for (const ended of [String(id), String(ids.at(-1))]) await send({ operation: get, status: 200, id: ended })
  await send({ operation: get, status: 400, ...UNDECODABLE })
  await send({ operation: get, status: 403, id: String(id), key: sandbox.writingKey })
  await send({ operation: get, status: 404, id: UNKNOWN })
  await sendWithoutAccess(send, sandbox, { operation: get, id: String(id) })

  await send({ operation: list, status: 200 })
  await send({ operation: list, status: 200, query: `?limit=1&starting_after=${String(id)}` })
  for (const status of ['pending', 'partial', 'completed', 'failed', 'expired', 'refunded']) {
    await send({ operation: list, status: 200, query: `?status=${status}&limit=100` })
  }
  await send({ operation: list, status: 400, query: '?limit=0', isInvalid: true })
  await send({ operation: list, status: 400, query: '?status=paid', isInvalid: true })
  await send({ operation: list, status: 400, query: `?starting_after=${UNKNOWN}` })
  await send({ operation: list, status: 403, key: sandbox.writingKey })
  await sendWithoutAccess(send, sandbox, { operation: list })
}

async function resend(send: Send, sandbox: Prepared): Promise<void> {
  const operation = 'resendWebhook'
  const { id } = await send({ operation: 'createPayment', status: 201, body: PAYMENT })
  const known = { id: String(id) }
  await send({ operation, status: 409, ...known })
  await sandbox.act(String(id), { type: 'succeed' })
  await send({ operation, status: 202, ...known })
  await send({ operation, status: 400, ...UNDECODABLE })
  await send({ operation, status: 403, ...known, key: sandbox.testKey })
  await send({ operation, status: 403, ...known, key: sandbox.readingKey })
  await send({ operation, status: 404, id: UNKNOWN })
  await send({ operation, status: 413, ...known, ...TOO_LARGE, isInvalid: true })
  await send({ operation, status: 415, ...known, ...TEXT, isInvalid: true })
  await sendWithoutAccess(send, sandbox, { operation, ...known })
}

/** Without a key, with an unknown one and with a revoked one. */
async function sendWithoutAccess(
  send: Send,
  { revokedKey }: Prepared,
  exchange: Omit<Exchange, 'status'>,
): Promise<void> {
  await send({ ...exchange, status: 401, key: null, isInvalid: true })
  await send({ ...exchange, status: 401, key: 'svc_live_unknown' })
  await send({ ...exchange, status: 401, key: revokedKey })
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { type Composed, compose } from '../../sandbox/compose.ts'
import { createApp } from '../../sandbox/http/app.ts'
import { listen as listenOn } from '../../sandbox/http/server.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'
import { resolveOptions } from '../../sandbox/options.ts'
import { temporaryFile as fileNamed } from '../support/temporary.ts'
import { type Contract, contractOf } from './api/contract.ts'

/** A sandbox that is closed when the test ends. An internal error of the sandbox fails the test. */
export async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const failures: unknown[] = []
  const started = await createSandbox({ ...options, onFailure: (error) => failures.push(error) })
  onTestFinished(async () => {
    await started.close()
    expect(failures).toEqual([])
  })
  return started
}

/** One sandbox for all tests of a file, reset before each test. An internal error of the sandbox fails the test. */
export function sharedSandbox(options: SandboxOptions = {}): () => Sandbox {
  const failures: unknown[] = []
  let shared: Sandbox | undefined
  const get = (): Sandbox => {
    if (shared === undefined) throw new Error('the shared sandbox is only available in tests')
    return shared
  }
  beforeAll(async () => {
    shared = await createSandbox({ ...options, onFailure: (error) => failures.push(error) })
  })
  beforeEach(() => get().reset())
  afterEach(() => expect(failures.splice(0)).toEqual([]))
  afterAll(() => shared?.close())
  return get
}

interface Call {
  key?: string | null
  body?: unknown
  /** Sent unchanged instead of `body`. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

let contract: Contract | undefined

/** Calls the API, and validates the response against the OpenAPI document that the sandbox serves. */
export async function call(on: Sandbox, method: string, path: string, options: Call = {}) {
  const reply = await callFreely(on, method, path, options)
  // All sandboxes serve the same document, except for the server's address.
  contract ??= contractOf((await callFreely(on, 'GET', '/openapi.json')).json)
  expect(
    contract.responseProblems(method, path, reply),
    `${method} ${path} ${reply.status} ${reply.text}`,
  ).toEqual([])
  return reply
}

/** The same without validation, for requests outside the contract. */
export async function callFreely(on: Sandbox, method: string, path: string, options: Call = {}) {
  const { key = on.testKey, body, raw, headers = {} } = options
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(on.apiUrl + path, {
    method,
    headers: {
      'User-Agent': 'hookproof-tests',
      ...(key === null ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
  const json: Record<string, unknown> = isJson ? JSON.parse(text) : {}
  return { status: response.status, headers: response.headers, text, json }
}

/** Creates a payment, and returns its id. */
export async function payment(on: Sandbox, body: object = {}, key = on.testKey): Promise<string> {
  const given = { amount: '25.00', currency: 'USD', ...body }
  const created = await call(on, 'POST', '/payments', { key, body: given })
  expect(created.status).toBe(201)
  return String(created.json['id'])
}

/** Registers an endpoint, and returns its id and its secret. */
export async function endpoint(on: Sandbox, body: object): Promise<{ id: string; secret: string }> {
  const created = await call(on, 'POST', '/webhooks', { body })
  expect(created.status, created.text).toBe(201)
  return { id: String(created.json['id']), secret: String(created.json['secret']) }
}

/** Posts JSON to the control API. */
export const control = (on: Pick<Sandbox, 'url'>, path: string, body: unknown): Promise<Response> =>
  fetch(`${on.url}/sandbox${path}`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })

export const JSON_TYPE = { 'Content-Type': 'application/json' }

interface Raw {
  method?: string
  headers?: Record<string, string>
  /** The address to connect from. */
  from?: string
  body?: string
}

/** Sends a request by node:http, which allows any Host header and local address. @returns the response, whose body is not read */
export function rawResponse(address: string, { from, body, ...raw }: Raw = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(address, { ...raw, ...(from !== undefined && { localAddress: from }) }, resolve)
    sent.on('error', reject).end(body)
  })
}

/** Sends such a request, and returns the status alone. */
export async function rawStatus(address: string, raw?: Raw): Promise<number> {
  const response = await rawResponse(address, raw)
  response.destroy()
  return response.statusCode ?? 0
}

/** The parts of a sandbox without a server, and its first organization. They are closed when the test ends, if not before. */
export async function composed(options: SandboxOptions = {}) {
  const parts = await compose(resolveOptions(options))
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= parts.close()
    return closing
  }
  onTestFinished(close)
  return { ...parts, close, organizationId: parts.store.organizations.first().id }
}

/** The same behind a server, to reach what the API does not show. */
export async function served(options: SandboxOptions = {}) {
  const parts = await composed(options)
  const failures: unknown[] = []
  const app = createApp({ ...parts, origin: () => 'http://127.0.0.1' }, (error) => failures.push(error))
  const server = await listenOn(app, { host: '127.0.0.1', port: 0 })
  onTestFinished(server.close)
  return { ...parts, failures, origin: server.origin }
}

/** Counts rows. @param of a table, and perhaps a condition: `deliveries WHERE state = 'failed'` */
export const countOf = ({ store }: Pick<Composed, 'store'>, of: string): number =>
  (store.database.prepare(`SELECT count(*) AS n FROM ${of}`).get() as { n: number }).n

/** Starts `hookproof listen` for a URL; the lines of its stream. It is stopped when the test ends, if not before. */
export async function listen(on: Sandbox, to: string) {
  const stopping = new AbortController()
  onTestFinished(() => stopping.abort())
  const response = await fetch(`${on.url}/sandbox/listen`, {
    method: 'POST',
    signal: stopping.signal,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ forward_to: to }),
  })
  expect(response.status).toBe(200)
  const lines: Record<string, unknown>[] = []
  const ended = (async () => {
    let rest = ''
    const decoder = new TextDecoder()
    for await (const chunk of response.body ?? []) {
      const parts = (rest + decoder.decode(chunk as Uint8Array)).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>))
    }
  })().catch(() => undefined)
  await expect.poll(() => lines[0]?.['type']).toBe('ready')
  return { lines, ended, stop: () => stopping.abort() }
}

/** A request at a receiver. */
interface Received {
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** The server name from the TLS handshake. */
  readonly servername: string | false | undefined
}

/** Responds to one request. */
export type Respond = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a server on this machine that records its requests; with a certificate it uses TLS. The caller stops it. */
export async function recordingServer(respond: Respond, tls?: { key: string; cert: string }) {
  const got: Received[] = []
  let connections = 0
  const listener = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { url: path = '', headers, socket } = request
      const { servername } = socket as { servername?: string | false }
      got.push({ path, headers, body: Buffer.concat(chunks), servername })
      respond(request, response)
    })
  }
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  server.on('connection', () => (connections += 1))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const stop = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { got, server, port, connections: () => connections, stop }
}

export type Answer = number | { status: number; body: string }

/** Starts a merchant's server behind https://shop.example/. The caller stops it. */
export async function startReceiver(answer: (path: string) => Answer = () => 200) {
  const started = await recordingServer(({ url = '' }, response) => {
    const given = answer(url)
    const { status, body } = typeof given === 'number' ? { status: given, body: '' } : given
    response.writeHead(status).end(body)
  })
  const to = `http://127.0.0.1:${started.port}/`
  return { ...started, to, route: `https://shop.example/=${to}` }
}

/** The same for one test. `answer` returns the status, 200 by default, and perhaps a body. */
export async function receiver(answer?: (path: string) => Answer) {
  const started = await startReceiver(answer)
  onTestFinished(started.stop)
  return started
}

/** A path for a sandbox file in a temporary folder, which is removed after the test. */
export const temporaryFile = (): string => fileNamed('sandbox.sqlite')

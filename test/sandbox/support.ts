import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'
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

interface Reply {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown>
}

let contract: Contract | undefined

/** Calls the API, and validates the response against the OpenAPI document that the sandbox serves. */
export async function call(on: Sandbox, method: string, path: string, options: Call = {}): Promise<Reply> {
  const reply = await callFreely(on, method, path, options)
  // All sandboxes serve the same document, except for the server's address.
  contract ??= contractOf((await callFreely(on, 'GET', '/openapi.json')).json)
  expect(contract(method, path, reply), `${method} ${path} ${reply.status} ${reply.text}`).toEqual([])
  return reply
}

/** The same without validation, for requests outside the contract. */
export async function callFreely(
  on: Sandbox,
  method: string,
  path: string,
  options: Call = {},
): Promise<Reply> {
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
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} }
}

/** Creates a payment, and returns its id. */
export async function payment(on: Sandbox, body: object = {}, key = on.testKey): Promise<string> {
  const created = await call(on, 'POST', '/payments', {
    key,
    body: { amount: '25.00', currency: 'USD', ...body },
  })
  expect(created.status).toBe(201)
  return String(created.json['id'])
}

/** Registers an endpoint, and returns its id and its secret. */
export async function endpoint(on: Sandbox, body: object): Promise<{ id: string; secret: string }> {
  const created = await call(on, 'POST', '/webhooks', { body })
  expect(created.status, created.text).toBe(201)
  return { id: String(created.json['id']), secret: String(created.json['secret']) }
}

interface Received {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

type Answer = number | { status: number; body: string }

/** A merchant's server, which records its requests. `answer` returns the status, 200 by default, and perhaps a body. */
export async function receiver(answer: (path: string) => Answer = () => 200) {
  const got: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const path = request.url ?? ''
      got.push({ path, headers: request.headers, body: Buffer.concat(chunks) })
      const given = answer(path)
      const { status, body } = typeof given === 'number' ? { status: given, body: '' } : given
      response.writeHead(status).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as AddressInfo
  return { got, route: `https://shop.example/=http://127.0.0.1:${port}/` }
}

/** A path for a sandbox file in a temporary folder, which is removed after the test. */
export const temporaryFile = (): string => fileNamed('sandbox.sqlite')

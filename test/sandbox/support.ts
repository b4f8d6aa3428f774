import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../sandbox/index.ts'
import { type Contract, contractOf } from './contract.ts'

/** A sandbox of this test's own, which ends with the test. An unforeseen error fails the test. */
export async function sandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const failures: unknown[] = []
  const started = await createSandbox({ ...options, onFailure: (error) => failures.push(error) })
  onTestFinished(async () => {
    await started.close()
    expect(failures).toEqual([])
  })
  return started
}

interface Call {
  key?: string | null
  body?: unknown
  /** Sent as it is, in place of `body`. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

interface Reply {
  status: number
  headers: Headers
  text: string
  json: Record<string, unknown>
}

const contracts = new WeakMap<Sandbox, Contract>()

/** Calls the API, and holds the answer against the OpenAPI document that the sandbox serves. */
export async function call(on: Sandbox, method: string, path: string, options: Call = {}): Promise<Reply> {
  const reply = await callFreely(on, method, path, options)
  const contract = contracts.get(on) ?? contractOf((await callFreely(on, 'GET', '/openapi.json')).json)
  contracts.set(on, contract)
  expect(contract(method, path, reply), `${method} ${path} ${reply.status} ${reply.text}`).toEqual([])
  return reply
}

/** The same without the contract, for what is outside of it. */
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

/** A merchant's server, which keeps what it gets. `answer` gives the status, 200 by default. */
export async function receiver(answer: () => number = () => 200) {
  const got: Received[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      got.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(answer()).end()
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

/** A path in a folder of this test's own, which goes when the test ends. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-sandbox-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'sandbox.sqlite')
}

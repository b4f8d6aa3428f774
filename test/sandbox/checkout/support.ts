import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts'
import { call } from '../support.ts'

/** A payment and the URL of its checkout. */
export interface Opened {
  id: string
  url: string
}

/** Creates a payment with a return_url. */
export async function checkout(on: Sandbox, body: object = {}, key = on.testKey): Promise<Opened> {
  const given = { amount: '25.00', currency: 'USD', return_url: 'https://shop.example/thanks', ...body }
  const { json } = await call(on, 'POST', '/payments', { key, body: given })
  return { id: String(json['id']), url: String(json['checkout_url']) }
}

/** Loads the page. */
export async function load(url: string): Promise<{ status: number; html: string; headers: Headers }> {
  const response = await fetch(url)
  return { status: response.status, html: await response.text(), headers: response.headers }
}

interface Submitted {
  status: number
  html: string
  location: string | null
}

/** Submits a form of the page as a browser does, without following the redirect. */
export async function submit(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Submitted> {
  const response = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: new URL(url).origin, ...headers },
    body: new URLSearchParams(form),
  })
  return {
    status: response.status,
    html: await response.text(),
    location: response.headers.get('location'),
  }
}

/** The payment as the API returns it. */
export const lookUp = async (on: Sandbox, id: string, key = on.testKey): Promise<Record<string, unknown>> =>
  (await call(on, 'GET', `/payments/${id}`, { key })).json

/** The actions of the submit buttons, in page order. */
export const buttons = (html: string): string[] =>
  [...html.matchAll(/<button type="submit" name="action" value="(\w+)"/g)].map(([, name = '']) => name)

/** The error messages on the page. */
export const alerts = (html: string): string[] =>
  [...html.matchAll(/<p class="problem" role="alert"[^>]*>([^<]*)</g)].map(([, text = '']) => text)

/** A delivery that a merchant's server received. */
interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Shop {
  readonly on: Sandbox
  /** The deliveries of one payment, in order of arrival. */
  readonly receivedOf: (paymentId: string) => Received[]
}

/**
 * One sandbox for all tests of a file that do not disturb each other, with a merchant's server behind
 * https://shop.example/ that answers 200. An unexpected error fails the file.
 * @returns what the tests use, available once they run
 */
export function sharedShop(options: SandboxOptions = {}): () => Shop {
  const received: Received[] = []
  const failures: unknown[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
      response.writeHead(200).end()
    })
  })
  let on: Sandbox
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const route = `https://shop.example/=http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    on = await createSandbox({ routes: [route], ...options, onFailure: (error) => failures.push(error) })
  })
  afterAll(async () => {
    await on.close()
    server.close()
    server.closeAllConnections()
    expect(failures).toEqual([])
  })
  const receivedOf = (paymentId: string) =>
    received.filter(({ body }) => String(body).includes(`"${paymentId}"`))
  return () => ({ on, receivedOf })
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { serve } from '@hono/node-server'
import fastify from 'fastify'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Shop } from './shop.ts'

/** A running receiver. */
export interface Running {
  readonly url: string
  readonly close: () => Promise<unknown>
}

const LIMIT = 1024 * 1024
const HEADER = 'x-service-signature'

/** Serves a shop with Fastify. */
export async function withFastify(shop: Shop): Promise<Running> {
  const app = fastify({ bodyLimit: LIMIT, forceCloseConnections: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  app.post('/webhooks', (request, reply) => {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    const { status, content } = shop.deliver(body, request.headers[HEADER]?.toString())
    return reply.status(status).send(content)
  })
  app.get<{ Querystring: { payment_id: string } }>('/observe', ({ query }) => shop.observe(query.payment_id))
  return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
}

/** Serves a shop with Hono. */
export async function withHono(shop: Shop): Promise<Running> {
  const app = new Hono()
  // An aborted request is not an error of this server, and nobody reads the response.
  app.onError((_, context) => context.body(null, 400))
  app.post('/webhooks', bodyLimit({ maxSize: LIMIT }), async (context) => {
    const body = Buffer.from(await context.req.arrayBuffer())
    const { status, content } = shop.deliver(body, context.req.header(HEADER))
    return Response.json(content, { status })
  })
  app.get('/observe', (context) => context.json(shop.observe(context.req.query('payment_id') ?? '')))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  const close = () =>
    new Promise((resolve) => {
      server.close(resolve)
      if ('closeAllConnections' in server) server.closeAllConnections()
    })
  return { url: addressOf(server.address()), close }
}

/** Serves a shop with node:http only. */
export async function withNode(shop: Shop): Promise<Running> {
  const server = createServer((request, response) => {
    const [pathname, query] = (request.url ?? '').split('?', 2)
    const searchParams = new URLSearchParams(query)
    const answer = (status: number, content: unknown) =>
      response.writeHead(status).end(JSON.stringify(content))
    if (pathname === '/observe') return void answer(200, shop.observe(searchParams.get('payment_id') ?? ''))
    if (request.method !== 'POST') return void answer(405, { error: 'POST only' })
    buffer(request).then(
      (body) => {
        const { status, content } = shop.deliver(body, request.headers[HEADER]?.toString())
        return answer(status, content)
      },
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    return new Promise((resolve) => server.close(resolve))
  }
  return { url: addressOf(server.address()), close }
}

function addressOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return `http://127.0.0.1:${address.port}`
}

import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { type HandlerOptions, webhookHandler } from '../../../receiver/limits/limited-express.ts'
import { webhookPlugin } from '../../../receiver/limits/limited-fastify.ts'
import { type FetchHandler, fetchHandler } from '../../../receiver/limits/limited-fetch.ts'

/** A running server whose webhook route is /webhooks. */
export interface Running {
  readonly url: string
  readonly close: () => Promise<unknown>
}

/** Serves the receiver with each framework for Node.js, with the lines of docs/frameworks.md. */
export const FRAMEWORKS: Readonly<Record<string, (options: HandlerOptions) => Promise<Running>>> = {
  Express: (options) => listen(createServer(express().post('/webhooks', webhookHandler(options)))),
  async Fastify(options) {
    const app = fastify({ forceCloseConnections: true })
    await app.register(webhookPlugin, { url: '/webhooks', ...options })
    return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close: () => app.close() }
  },
  async Hono(options) {
    const app = new Hono()
    const webhooks = fetchHandler(options)
    app.post('/webhooks', (context) => webhooks(context.req.raw))
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
    await once(server, 'listening')
    return running(server)
  },
  fetch: (options) => listen(createServer(nodeListener(fetchHandler(options)))),
}

/** Serves a fetch handler with node:http, as a framework does. */
function nodeListener(handle: FetchHandler): RequestListener {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const response = await handle(toRequest(incoming))
    const content = await response.text()
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(content)
  }
  return (incoming, outgoing) => {
    // The request target need not be a URL.
    answer(incoming, outgoing).catch(() => outgoing.writeHead(400).end())
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  const headers = new Headers()
  for (let at = 0; at < rawHeaders.length; at += 2)
    headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const body = hasBody ? (Readable.toWeb(incoming) as ReadableStream<Uint8Array>) : null
  return new Request(new URL(url, 'http://receiver.example'), { method, headers, body, duplex: 'half' })
}

async function listen(server: Server): Promise<Running> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return running(server)
}

function running(server: Server): Running {
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      }),
  }
}

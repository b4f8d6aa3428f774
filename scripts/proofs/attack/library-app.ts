// An app of a user of the library: `library-app.ts <framework> <inbox>`. It prints its URL.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import { sqliteInbox } from '../../../receiver/inbox/sqlite.ts'
import { protect } from '../../../receiver/index.ts'
import { webhookHandler } from '../../../receiver/limits/limited-express.ts'
import { webhookPlugin } from '../../../receiver/limits/limited-fastify.ts'
import { fetchHandler } from '../../../receiver/limits/limited-fetch.ts'
import { SECRET } from '../shared/receiver.ts'
import type { Framework } from './library.ts'

const [framework, path = ''] = process.argv.slice(2)
const inbox = await sqliteInbox({ path })
const options = { secrets: SECRET, inbox }

const APPS: Readonly<Record<Framework, () => Server | Promise<Server>>> = {
  Express: () => createServer(express().post('/webhooks', webhookHandler(options))),
  async Fastify() {
    const app = fastify()
    await app.register(webhookPlugin, { url: '/webhooks', ...options })
    await app.ready()
    return app.server
  },
  Hono() {
    const handle = fetchHandler(options)
    const app = new Hono().post('/webhooks', ({ req }) => handle(req.raw))
    return createAdaptorServer({ fetch: app.fetch }) as Server
  },
}

const server = await APPS[framework as Framework]()
protect(server)
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`)
})

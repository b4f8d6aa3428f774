// Serves one variant on a free port and prints the port. The benchmark kills it.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createVerifier, deduplicationKey, type Inbox, memoryInbox, readDelivery } from '@hookproof/receiver'
import { sqliteInbox } from '@hookproof/receiver/sqlite'
import express from 'express'
import { fastify } from 'fastify'
import type { AppOptions } from '../../server/app.ts'
import { built, SECRET } from './pinned.ts'

const [, , name = '', database = ''] = process.argv

const { createApp } = await built<typeof import('../../server/app.ts')>('server/app.js')

const verify = createVerifier({ secrets: SECRET })
const discardingInbox: Inbox = { ...memoryInbox(), accept: async () => 'stored' }

function receiver(options: Partial<AppOptions>): Server {
  return createServer(createApp({ verify, inbox: discardingInbox, ...options }))
}

const variants: Readonly<Record<string, () => Promise<Server> | Server>> = {
  'bare node:http': () =>
    createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'Content-Length': 2 }).end('{}'))
    }),
  'bare Express': () => {
    const app = express()
    app.post('/webhooks', (_request, response) => response.json({ received: true }))
    return createServer(app)
  },
  'Express with express.raw': () => {
    const app = express()
    app.post('/webhooks', express.raw({ type: () => true }), (_request, response) =>
      response.json({ received: true }),
    )
    return createServer(app)
  },
  'receiver, no work': () => receiver({ verify: () => 0 }),
  'receiver, no database': () => receiver({}),
  'receiver on SQLite': async () => receiver({ inbox: await sqliteInbox({ path: database }) }),
  'one commit per delivery': async () => {
    const inbox = await sqliteInbox({ path: database })
    const insert = inbox.database.prepare(
      `INSERT INTO inbox (key, payment_id, event, body, signed_at, received_at) VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (key) DO NOTHING`,
    )
    return receiver({
      inbox: {
        ...inbox,
        async accept(delivery) {
          const { paymentId, name, body, signedAt } = delivery
          const row = [deduplicationKey(delivery), paymentId, name, body, signedAt, Date.now()]
          return insert.run(...row).changes === 0 ? 'duplicate' : 'stored'
        },
      },
    })
  },
  'fastify, no database': async () => {
    const app = fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.post('/webhooks', async ({ body, headers }) => {
      const signature = [headers['x-service-signature'] ?? []].flat()
      const delivery = readDelivery(verify, { signature, body: body as Buffer })
      await discardingInbox.accept(delivery)
      return { received: true }
    })
    await app.ready()
    return app.server
  },
}

const create = variants[name]
if (create === undefined) throw new Error(`bench: unknown server "${name}"`)
const server = await create()
await once(server.listen(0, '127.0.0.1'), 'listening')
console.log((server.address() as AddressInfo).port)

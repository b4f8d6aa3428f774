// A receiver of your own, in a package with "type": "module": events into SQLite, effects in the same transaction, upkeep,
// and a clean stop.
import { once } from 'node:events'
import { createServer } from 'node:http'
import express from 'express'
import {
  createReadiness,
  createVerifier,
  expressClasses,
  startProcessing,
  startRetention,
  webhookHandler,
} from 'hookproof/receiver'
import { sqliteInbox } from 'hookproof/receiver/sqlite'

const verify = createVerifier({ secrets: process.env.WEBHOOK_SECRET })
const inbox = await sqliteInbox({ path: process.env.INBOX ?? './inbox.sqlite' })

inbox.database.exec(`CREATE TABLE IF NOT EXISTS shipment (
  payment_id TEXT, live INTEGER, amount TEXT, state TEXT, PRIMARY KEY (payment_id, live)
)`)
const send = inbox.database.prepare(
  "INSERT INTO shipment VALUES (?, ?, ?, 'to be sent') ON CONFLICT DO NOTHING",
)
// A refund may come before its completion, which then finds the row taken and changes nothing.
const takeBack = inbox.database.prepare(
  `INSERT INTO shipment VALUES (?, ?, ?, 'taken back')
   ON CONFLICT (payment_id, live) DO UPDATE SET state = 'taken back'`,
)

const processing = startProcessing({
  inbox,
  transact(event, { paymentId }) {
    // A test payment must never ship anything.
    const live = event.livemode === false ? 0 : 1
    if (event.event === 'payment.completed') send.run(paymentId, live, event.amount)
    if (event.event === 'payment.refunded') takeBack.run(paymentId, live, event.amount)
  },
})
const retention = startRetention({ inbox, days: 90, onFailure: console.error })
const readiness = createReadiness({ inbox, onFailure: console.error })

const app = express()
// Before any body parser: the signature covers the bytes as they arrived.
app.post('/webhooks', webhookHandler({ verify, inbox, onOutcome: () => processing.wake() }))
app.get('/readyz', async (_request, response) => {
  const found = await readiness.look()
  response.status(found.ready ? 200 : 503).json(found)
})
const server = createServer(expressClasses(app), app).listen(process.env.PORT ?? 3000)

// What was acknowledged is kept whatever happens; this also answers those who are waiting.
async function stop() {
  readiness.drain()
  const closed = once(server.close(), 'close')
  setTimeout(() => server.closeAllConnections(), 5000).unref()
  await closed
  retention.stop()
  await processing.stop()
  await inbox.close()
}
process.once('SIGTERM', () => void stop())
process.once('SIGINT', () => void stop())

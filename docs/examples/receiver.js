// A complete receiver: it stores events in SQLite, records effects in the same transaction, deletes old events and stops
// cleanly. Copy it into a package with "type": "module".
import { once } from 'node:events'
import { createReadiness, protect, startProcessing, startRetention } from '@hookproof/receiver'
import { webhookHandler } from '@hookproof/receiver/express'
import { sqliteInbox } from '@hookproof/receiver/sqlite'
import express from 'express'

const inbox = await sqliteInbox({ path: process.env.INBOX || './webhooks.sqlite' })

inbox.database.exec(`CREATE TABLE IF NOT EXISTS shipment (
  payment_id TEXT, live INTEGER, amount TEXT, currency TEXT, state TEXT, PRIMARY KEY (payment_id, live)
)`)
const ship = inbox.database.prepare('INSERT INTO shipment VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING')
// A refund may arrive before its completion. The completion then finds an existing row and changes nothing.
const cancel = inbox.database.prepare(
  `INSERT INTO shipment VALUES (?, ?, ?, ?, 'canceled')
   ON CONFLICT (payment_id, live) DO UPDATE SET state = 'canceled'`,
)

const processing = startProcessing({
  inbox,
  transact(event, { paymentId }) {
    // Test payments must never ship, so they are kept apart.
    // Older events lack livemode and are live; anything else than true is not live money.
    const { livemode = true, test, amount, currency } = event
    const money = [amount, currency].map((value) => (typeof value === 'string' ? value : ''))
    const isMoney = /^(?=.*[1-9])\d+(\.\d+)?$/.test(money[0]) && money[1] !== ''
    const payment = [paymentId, livemode === true && !test ? 1 : 0, ...money]
    if (event.event === 'payment.completed') ship.run(...payment, isMoney ? 'to ship' : 'wrong amount')
    if (event.event === 'payment.refunded') cancel.run(...payment)
  },
})
const retention = startRetention({ inbox, days: 90, onFailure: console.error })
const readiness = createReadiness({ inbox, onFailure: console.error })

const app = express()
// Before any body parser, because the signature covers the original bytes.
const secrets = process.env.HOOKPROOF_SECRET || process.env.WEBHOOK_SECRET
app.post('/webhooks', webhookHandler({ secrets, inbox, onOutcome: () => processing.wake() }))
app.get('/readyz', async (_request, response) => {
  const result = await readiness.check()
  response.status(result.ready ? 200 : 503).json(result)
})
const server = app.listen(process.env.PORT ?? 3000)
protect(server) // Limits slow clients, floods of requests and the number of connections.

// Acknowledged events are never lost; a clean stop also answers the open requests.
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

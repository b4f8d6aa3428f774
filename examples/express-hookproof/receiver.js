// Receives the payment service's webhooks. The package verifies, stores and answers 200; this file fulfills and reverses.
import { protect, startProcessing } from '@hookproof/receiver'
import { webhookHandler } from '@hookproof/receiver/express'
import { sqliteInbox } from '@hookproof/receiver/sqlite'
import express from 'express'

const secrets = process.env.HOOKPROOF_SECRET ?? process.env.WEBHOOK_SECRET
const { DATABASE: path = './webhooks.sqlite', PORT = 3000 } = process.env

const inbox = await sqliteInbox({ path })
inbox.database.exec(`CREATE TABLE IF NOT EXISTS effect (
  payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT, currency TEXT,
  PRIMARY KEY (payment_id, live, effect)
)`)
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const fulfill =
  inbox.database.prepare(`INSERT INTO effect SELECT ?1, ?2, iif(?6, 'fulfilled', 'anomaly'), ?3, ?4,
  ?5 WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)`)
const reverse = inbox.database.prepare(`INSERT INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5)
  ON CONFLICT DO NOTHING`)
const effectsOf = inbox.database.prepare(`SELECT event, effect, amount, currency, live FROM effect
  WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)

// Runs after the 200, in the transaction that marks the event as done; after a restart, for what is still pending.
const processing = startProcessing({
  inbox,
  transact(event, { paymentId }) {
    // Older events lack livemode and are live; anything else than true is not live money.
    const { livemode = true, test, amount, currency } = event
    const live = livemode === true && test !== true ? 1 : 0
    const effect = [paymentId, live, event.event, textOf(amount), textOf(currency)]
    if (event.event === 'payment.completed') fulfill.run(...effect, Number(MONEY.test(textOf(amount))))
    if (event.event === 'payment.refunded') reverse.run(...effect)
  },
})

const app = express()
// Above any body parser: the handler reads the raw bytes itself.
app.post('/webhooks', webhookHandler({ secrets, inbox, onOutcome: () => processing.wake() }))
if (process.env.OBSERVE === '1') {
  app.get('/observe', (request, response) => {
    const { payment_id: paymentId } = request.query
    const effects = effectsOf.all(typeof paymentId === 'string' ? paymentId : '')
    response.json({ effects: effects.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })) })
  })
}
// Limits slow clients, floods of requests and the number of connections.
protect(app.listen(PORT))

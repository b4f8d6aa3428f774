// A complete receiver for Cloudflare Workers: a Durable Object stores events in its own SQLite database and processes them
// with its alarm. Set the compatibility flag nodejs_compat, the secret WEBHOOK_SECRET, and the binding RECEIVER to the class
// Receiver, with SQLite as its storage.
import { DurableObject } from 'cloudflare:workers'
import { createOrders, deduplicationKey, readEvent } from '@hookproof/receiver'
import { fetchHandler } from '@hookproof/receiver/fetch'

const RETRY_MS = 60_000

export class Receiver extends DurableObject {
  constructor(ctx, env) {
    super(ctx, env)
    this.sql = ctx.storage.sql
    this.sql.exec(
      'CREATE TABLE IF NOT EXISTS inbox (key TEXT PRIMARY KEY, body BLOB, done INTEGER DEFAULT 0)',
    )
    this.sql.exec('CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0')
    this.sql.exec('CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, line TEXT)')
    this.sql.exec('CREATE INDEX IF NOT EXISTS by_payment ON effect (payment_id)')
    this.orders = createOrders({ ledger: ledgerIn(this.sql) })
    this.webhooks = fetchHandler({ secrets: env.WEBHOOK_SECRET, inbox: this })
  }

  fetch(request) {
    return this.webhooks(request)
  }

  // The answer leaves the object only after the rows and the alarm are on disk.
  async accept(delivery) {
    const insert = 'INSERT INTO inbox (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING key'
    const rows = this.sql.exec(insert, deduplicationKey(delivery), Uint8Array.from(delivery.body).buffer)
    if (rows.toArray().length === 0) return 'duplicate'
    await this.ctx.storage.setAlarm(Date.now())
    return 'stored'
  }

  // It runs again after a crash, and finds what is not done.
  async alarm() {
    for (const { key, body } of this.sql.exec('SELECT key, body FROM inbox WHERE done = 0').toArray()) {
      try {
        const { event, paymentId } = readEvent(new Uint8Array(body))
        await this.orders.handle(event, { paymentId })
        // The effect and its completion commit together, because this ledger is synchronous.
        this.ctx.storage.transactionSync(() => {
          void this.orders.transact(event, { paymentId }, undefined)
          this.sql.exec('UPDATE inbox SET done = 1 WHERE key = ?', key)
        })
      } catch (error) {
        console.error(`${key}: ${error.message}`)
        await this.ctx.storage.setAlarm(Date.now() + RETRY_MS)
      }
    }
  }
}

function ledgerIn(sql) {
  const linesOf = (paymentId) =>
    sql
      .exec('SELECT line FROM effect WHERE payment_id = ? ORDER BY rowid', paymentId)
      .toArray()
      .map(({ line }) => JSON.parse(line))
  return {
    addUnless(_transaction, conflicting, line) {
      const isSame = ({ livemode, effect }) => livemode === line.livemode && conflicting.includes(effect)
      if (linesOf(line.paymentId).some(isSame)) return false
      sql.exec('INSERT INTO effect VALUES (?, ?)', line.paymentId, JSON.stringify(line))
      return true
    },
    linesOf: async (paymentId) => linesOf(paymentId),
  }
}

export default {
  fetch: (request, env) => env.RECEIVER.getByName('receiver').fetch(request),
}

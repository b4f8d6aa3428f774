// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DatabaseSync } from '@photostructure/sqlite' // Since Node.js 22.13, 'node:sqlite' does the same.
import express from 'express'

const secret = process.env.HOOKPROOF_SECRET ?? process.env.WEBHOOK_SECRET
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
const { DATABASE: path = './webhooks.sqlite', PORT = 3000 } = process.env
const WINDOW_SECONDS = 300

// FULL: a 200 is a promise, so the row must survive a power cut.
const database = new DatabaseSync(path)
database.exec(`
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (
    id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT, variant TEXT,
    body BLOB NOT NULL, done INTEGER NOT NULL DEFAULT 0, UNIQUE (payment_id, live, event, variant)
  );
  CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
  CREATE TABLE IF NOT EXISTS effect (
    payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT, currency TEXT,
    PRIMARY KEY (payment_id, live, effect)
  );
`)
const store = database.prepare(`INSERT INTO inbox (payment_id, live, event, variant, body)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING id, body`)
const pending = database.prepare('SELECT id, body FROM inbox WHERE done = 0')
const markDone = database.prepare('UPDATE inbox SET done = 1 WHERE id = ?')
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const fulfill = database.prepare(`INSERT INTO effect SELECT ?1, ?2, iif(?6, 'fulfilled', 'anomaly'), ?3, ?4,
  ?5 WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)`)
const reverse = database.prepare(`INSERT OR IGNORE INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5)`)
const effectsOf = database.prepare(`SELECT event, effect, amount, currency, live FROM effect
  WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)

/** Why a delivery is refused: a status and a reason; undefined if its header signs these bytes. */
function refusalOf(header, body) {
  const entries = header.split(',')
  const valuesOf = (name) =>
    entries.filter((entry) => entry.startsWith(name)).map((e) => e.slice(name.length))
  const times = valuesOf('t=')
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  if (times.length !== 1 || signatures.join('') === '') return [400, 'the header needs one t and a v1']
  if (!/^\d{1,12}$/.test(times[0])) return [400, 't is not a Unix time']
  const age = Math.floor(Date.now() / 1000) - Number(times[0])
  if (Math.abs(age) > WINDOW_SECONDS) return [400, 't is more than 5 minutes from now']
  const expected = createHmac('sha256', secret).update(`${times[0]}.`).update(body).digest('hex')
  const isExpected = (given) => given.length === 64 && timingSafeEqual(bytes(given), bytes(expected))
  return signatures.some(isExpected) ? undefined : [401, 'the signature is wrong']
}
const bytes = (text) => Buffer.from(text, 'latin1')

/** The event in a verified body, and the key that all its redeliveries share. */
function readEvent(body) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name = event.event ?? (event.test === true ? `payment.${event.status}` : undefined)
  const id = event.payment_id ?? event.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const variant = { 'payment.partial': event.amount_received, 'payment.refunded': event.type }[name]
  const live = (event.livemode === undefined || event.livemode === true) && event.test !== true ? 1 : 0
  return { event, key: [id, live, name, JSON.stringify([variant])] }
}

/** Does the work of a stored event and marks it as done, in one transaction. */
function handle({ id, body }) {
  const { event, key } = readEvent(body)
  const [paymentId, live, name] = key
  const effect = [paymentId, live, name, textOf(event.amount), textOf(event.currency)]
  try {
    database.exec('BEGIN IMMEDIATE')
    if (name === 'payment.completed') fulfill.run(...effect, Number(MONEY.test(textOf(event.amount))))
    if (name === 'payment.refunded') reverse.run(...effect)
    markDone.run(id)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    console.error(`${name} of ${paymentId} stays pending: ${error.message}`)
  }
}

// What an earlier process left behind, and what failed. An error of the database must not end the process.
const handlePending = async () => pending.all().forEach(handle)
await handlePending()
setInterval(() => void handlePending().catch(console.error), 60_000)

const app = express()
// The signature covers the raw bytes, so this route reads them itself, whatever their content type.
// Put express.json(), if you need it, below this route.
const rawBody = express.raw({ type: () => true, limit: '1mb', inflate: false })
app.post('/webhooks', rawBody, (request, response) => {
  const body = request.body ?? Buffer.alloc(0)
  const refusal = refusalOf(request.get('x-service-signature') ?? '', body)
  if (refusal) return response.status(refusal[0]).json({ error: refusal[1] })
  let key
  try {
    key = readEvent(body).key
  } catch {
    return response.status(400).json({ error: 'the body is not an event' })
  }
  const stored = store.get(...key, body)
  response.json({ received: true })
  if (stored) setImmediate(handle, stored) // After the response.
})
if (process.env.OBSERVE === '1') {
  app.get('/observe', (request, response) => {
    const { payment_id: paymentId } = request.query
    const effects = effectsOf.all(typeof paymentId === 'string' ? paymentId : '')
    response.json({ effects: effects.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })) })
  })
}
// The body parser's errors have a status. Any other is ours, such as a full disk: 503 asks for a retry.
app.use((error, _request, response, _next) => {
  if (!error.status) console.error(error.message)
  response.status(error.status ?? 503).json({ error: error.status ? error.message : 'try again later' })
})
app.listen(PORT)

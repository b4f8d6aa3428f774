// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DatabaseSync } from '@photostructure/sqlite' // Since Node.js 22.13, 'node:sqlite' does the same.
import { error, json } from '@sveltejs/kit'
import { env } from '$env/dynamic/private'

const secret = env.HOOKPROOF_SECRET ?? env.WEBHOOK_SECRET
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
const { DATABASE: path = './webhooks.sqlite' } = env
const WINDOW_SECONDS = 300
const RETRY_MS = 60_000

// FULL: a 200 is a promise, so the row must survive a power cut.
export const database = new DatabaseSync(path)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (
    id INTEGER PRIMARY KEY, payment_id TEXT, live INTEGER, event TEXT, variant TEXT,
    body BLOB NOT NULL, done INTEGER NOT NULL DEFAULT 0, UNIQUE (payment_id, live, event, variant));
  CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
  CREATE TABLE IF NOT EXISTS effect (
    payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT, currency TEXT,
    PRIMARY KEY (payment_id, live, effect));`)
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

/** @throws an answer of 400 or 401 unless the header signs these bytes */
function verify(header, body) {
  const entries = header.split(',')
  const valuesOf = (label) => entries.filter((e) => e.startsWith(label)).map((e) => e.slice(label.length))
  const [t = '', ...otherTimes] = valuesOf('t=')
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  const isComplete = /^\d{1,12}$/.test(t) && otherTimes.length === 0 && signatures.join('') !== ''
  if (!isComplete) error(400, 'the header needs one t and a v1')
  const age = Math.floor(Date.now() / 1000) - Number(t)
  if (Math.abs(age) > WINDOW_SECONDS) error(400, 't is more than 5 minutes from now')
  const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
  const isExpected = (given) =>
    /^[0-9a-f]{64}$/.test(given) && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
  if (!signatures.some(isExpected)) error(401, 'the signature is wrong')
}

/** The event in a verified body, and the key that all its redeliveries share. */
function readEvent(body) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name = event?.event ?? (event?.test === true ? `payment.${event.status}` : undefined)
  const id = event?.payment_id ?? event?.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const variant = { 'payment.partial': event.amount_received, 'payment.refunded': event.type }[name]
  const live = (event.livemode === undefined || event.livemode === true) && event.test !== true ? 1 : 0
  return { event, key: [id, live, name, JSON.stringify([variant])] }
}

/** Handles POST. The Node.js adapter limits the size of a body: BODY_SIZE_LIMIT, by default 512 KiB. */
export async function receive(request) {
  const body = Buffer.from(await request.arrayBuffer())
  verify(request.headers.get('x-service-signature') ?? '', body)
  const { key } = orAnswer(400, 'the body is not an event', () => readEvent(body))
  const stored = orAnswer(503, 'try again later', () => store.get(...key, body))
  if (stored) setImmediate(handle, stored) // After the response.
  return json({ received: true })
}

/** The result of the work, or an answer with this status. */
function orAnswer(status, message, work) {
  try {
    return work()
  } catch (cause) {
    if (status >= 500) console.error(cause.message)
    error(status, message)
  }
}

/** Does the work of a stored event and marks it as done, in one transaction. If that fails, it stays pending. */
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
  } catch (fault) {
    if (database.isTransaction) database.exec('ROLLBACK')
    console.error(`${name} of ${paymentId} stays pending: ${fault.message}`)
  }
}

/** Called by hooks.server.js when the server starts: works on what an earlier process left behind, and what failed. */
export async function startWork() {
  const handlePending = async () => pending.all().forEach(handle)
  await handlePending()
  setInterval(() => void handlePending().catch(console.error), RETRY_MS) // An error of the database must not end the process.
}

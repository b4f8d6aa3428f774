// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
import { Buffer } from 'node:buffer'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

const secret = Deno.env.get('HOOKPROOF_SECRET') ?? Deno.env.get('WEBHOOK_SECRET') ?? ''
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
type Row = { key: string; body: Uint8Array }

// FULL: a 200 is a promise, so the row must survive a power cut.
const database = new DatabaseSync(Deno.env.get('DATABASE') ?? './webhooks.sqlite')
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (key TEXT PRIMARY KEY, body BLOB NOT NULL, done INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
  CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
    currency TEXT, PRIMARY KEY (payment_id, live, effect))`)
const store = database.prepare('INSERT OR IGNORE INTO inbox (key, body) VALUES (?, ?)')
const pending = database.prepare('SELECT key, body FROM inbox WHERE done = 0')
const markDone = database.prepare('UPDATE inbox SET done = 1 WHERE key = ?')
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value: unknown) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const fulfill = database.prepare(`INSERT INTO effect SELECT ?1, ?2, iif(?6, 'fulfilled', 'anomaly'), ?3, ?4,
  ?5 WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)`)
const reverse = database.prepare(`INSERT OR IGNORE INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5)`)
const effectsOf = database.prepare(`SELECT event, effect, amount, currency, live
  FROM effect WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`)

/** The raw bytes; undefined if they are too many. Deno has no limit of its own. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let left = 1024 * 1024
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    left -= chunk.length
    if (left < 0) return undefined
  }
  return Buffer.concat(chunks)
}

/** Why a delivery is refused; undefined if its header signs these bytes. */
function refusalOf(header: string, body: Uint8Array): Response | undefined {
  const entries = header.split(',')
  const valuesOf = (key: string) => entries.filter((e) => e.startsWith(key)).map((e) => e.slice(key.length))
  const [time = '', ...otherTimes] = valuesOf('t=')
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  if (!/^\d{1,12}$/.test(time) || otherTimes.length > 0 || signatures.join('') === '') {
    return refuse(400, 'the header needs one t, in seconds, and a v1')
  }
  const age = Math.floor(Date.now() / 1000) - Number(time)
  if (Math.abs(age) > 300) return refuse(400, 't is more than 5 minutes from now')
  const expected = Buffer.from(createHmac('sha256', secret).update(`${time}.`).update(body).digest('hex'))
  const isExpected = (v1: string) => v1.length === 64 && timingSafeEqual(Buffer.from(v1, 'latin1'), expected)
  return signatures.some(isExpected) ? undefined : refuse(401, 'the signature is wrong')
}
const refuse = (status: number, error: string) => Response.json({ error }, { status })

/** The event in a verified body, and the key that all its redeliveries share. */
function readEvent(body: Uint8Array) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name: unknown = event.event ?? (event.test === true ? `payment.${event.status}` : undefined)
  const id: unknown = event.payment_id ?? event.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const part = name === 'payment.partial' ? event.amount_received : undefined
  const reversal = name === 'payment.refunded' ? event.type : undefined
  const live = (event.livemode === undefined || event.livemode === true) && event.test !== true ? 1 : 0
  return { event, id, live, name, key: JSON.stringify([id, live, name, part, reversal]) }
}

/** Does the work of a stored event and marks it as done, in one transaction. */
function handle({ key, body }: Row): void {
  try {
    const { event, id, live, name } = readEvent(body)
    const effect = [id, live, name, textOf(event.amount), textOf(event.currency)]
    database.exec('BEGIN IMMEDIATE')
    if (name === 'payment.completed') fulfill.run(...effect, Number(MONEY.test(textOf(event.amount))))
    if (name === 'payment.refunded') reverse.run(...effect)
    markDone.run(key)
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    console.error(`${key} stays pending:`, error)
  }
}

// What an earlier process left behind, and what failed. An error of the database must not end the process.
const handlePending = async () => (pending.all() as Row[]).forEach(handle)
await handlePending()
setInterval(() => void handlePending().catch(console.error), 60_000)

async function webhooks(request: Request): Promise<Response> {
  const body = await readBody(request)
  if (body === undefined) return refuse(413, 'the body is larger than 1 MiB')
  const refusal = refusalOf(request.headers.get('x-service-signature') ?? '', body)
  if (refusal) return refusal
  let key: string
  try {
    key = readEvent(body).key
  } catch {
    return refuse(400, 'the body is not an event')
  }
  if (store.run(key, body).changes > 0) setTimeout(handle, 0, { key, body }) // After the response.
  return Response.json({ received: true })
}

const onError = (error: unknown) => {
  console.error(error) // Such as a full disk: 503 asks for a retry.
  return refuse(503, 'try again later')
}
Deno.serve({ port: Number(Deno.env.get('PORT') ?? 3000), onError }, (request) => {
  const url = new URL(request.url)
  if (url.pathname === '/webhooks' && request.method === 'POST') return webhooks(request)
  if (url.pathname === '/observe' && Deno.env.get('OBSERVE') === '1') {
    const rows = effectsOf.all(url.searchParams.get('payment_id') ?? '')
    const effects = rows.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 }))
    return Response.json({ effects })
  }
  return refuse(404, 'not found')
})

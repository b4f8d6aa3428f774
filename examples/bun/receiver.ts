// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
import { Database } from 'bun:sqlite'
import { timingSafeEqual } from 'node:crypto'

const secret = Bun.env.HOOKPROOF_SECRET ?? Bun.env.WEBHOOK_SECRET
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
const { DATABASE: path = './webhooks.sqlite', PORT: port = 3000, OBSERVE } = Bun.env
const WINDOW_SECONDS = 300
const RETRY_MS = 60_000

// FULL: a 200 is a promise, so the row must survive a power cut.
const database = new Database(path)
database.run(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (key TEXT PRIMARY KEY, body BLOB NOT NULL, done INTEGER NOT NULL DEFAULT 0);
  CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
  CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT,
    currency TEXT, PRIMARY KEY (payment_id, live, effect))
`)
type Row = { key: string; body: Uint8Array }
type Effect = { event: string; effect: string; amount: string; currency: string; live: number }
const store = database.query<Row, [string, Uint8Array]>(
  'INSERT INTO inbox (key, body) VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING key, body',
)
const pending = database.query<Row, []>('SELECT key, body FROM inbox WHERE done = 0')
const markDone = database.query('UPDATE inbox SET done = 1 WHERE key = ?')
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value: unknown) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const fulfill = database.query(`INSERT INTO effect SELECT ?1, ?2, iif(?6, 'fulfilled', 'anomaly'), ?3, ?4,
  ?5 WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)`)
const reverse = database.query(`INSERT OR IGNORE INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5)`)
const effectsOf = database.query<Effect, [string]>(
  `SELECT event, effect, amount, currency, live
      FROM effect WHERE payment_id = ? AND effect <> 'anomaly' ORDER BY rowid`,
)

/** Why a delivery is refused: a response; undefined if its header signs these bytes. */
function refusalOf(header: string, body: Uint8Array): Response | undefined {
  const entries = header.split(',')
  const valuesOf = (label: string) =>
    entries.filter((entry) => entry.startsWith(label)).map((entry) => entry.slice(label.length))
  const [time = '', ...otherTimes] = valuesOf('t=')
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  if (!/^\d{1,12}$/.test(time) || otherTimes.length > 0 || signatures.join('') === '') {
    return refuse(400, 'the header needs one t, in seconds, and a v1')
  }
  const age = Math.floor(Date.now() / 1000) - Number(time)
  if (Math.abs(age) > WINDOW_SECONDS) return refuse(400, 't is more than 5 minutes from now')
  const expected = new Bun.CryptoHasher('sha256', secret).update(`${time}.`).update(body).digest('hex')
  const isExpected = (given: string) =>
    given.length === 64 && timingSafeEqual(Buffer.from(given, 'latin1'), Buffer.from(expected, 'latin1'))
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
    database.transaction(() => {
      const { event, id, live, name } = readEvent(body)
      const effect = [id, live, name, textOf(event.amount), textOf(event.currency)]
      if (name === 'payment.completed') fulfill.run(...effect, Number(MONEY.test(textOf(event.amount))))
      if (name === 'payment.refunded') reverse.run(...effect)
      markDone.run(key)
    })()
  } catch (error) {
    console.error(`${key} stays pending:`, error)
  }
}

// What an earlier process left behind, and what failed. An error of the database must not end the process.
const handlePending = async () => pending.all().forEach(handle)
await handlePending()
setInterval(() => void handlePending().catch(console.error), RETRY_MS)

async function webhooks(request: Request): Promise<Response> {
  const body = await request.bytes() // The raw bytes. request.json() would lose them.
  const refusal = refusalOf(request.headers.get('x-service-signature') ?? '', body)
  if (refusal) return refusal
  let key: string
  try {
    key = readEvent(body).key
  } catch {
    return refuse(400, 'the body is not an event')
  }
  const stored = store.get(key, body)
  if (stored) setImmediate(handle, stored) // After the response.
  return Response.json({ received: true })
}

function observe(request: Request): Response {
  const rows = effectsOf.all(new URL(request.url).searchParams.get('payment_id') ?? '')
  return Response.json({ effects: rows.map(({ live, ...effect }) => ({ ...effect, livemode: live === 1 })) })
}

Bun.serve({
  port,
  maxRequestBodySize: 1024 * 1024,
  development: false, // Otherwise the answer to an error shows the source code.
  routes: { '/webhooks': { POST: webhooks }, ...(OBSERVE === '1' && { '/observe': { GET: observe } }) },
  fetch: () => refuse(404, 'not found'),
  error(error) {
    console.error(error.message) // Such as a full disk: 503 asks for a retry.
    return refuse(503, 'try again later')
  },
})

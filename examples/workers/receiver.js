// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
// Each payment has a Durable Object, which stores its events and handles them in its alarm.
import { DurableObject, env } from 'cloudflare:workers'

const secret = env.HOOKPROOF_SECRET ?? env.WEBHOOK_SECRET
if (!secret) throw new Error('HOOKPROOF_SECRET is not set')
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const bytes = (text) => new TextEncoder().encode(text)

export class Payment extends DurableObject {
  constructor(state) {
    super(state, env)
    this.sql = state.storage.sql
    this.sql.exec(`CREATE TABLE IF NOT EXISTS inbox (key TEXT PRIMARY KEY, body BLOB NOT NULL, done INTEGER DEFAULT 0);
      CREATE TABLE IF NOT EXISTS effect (effect TEXT, live INTEGER, line TEXT, PRIMARY KEY (effect, live))`)
  }

  /** Stores an event. The caller gets the result after the row and the alarm are on disk. */
  async store(key, body) {
    this.sql.exec('INSERT OR IGNORE INTO inbox (key, body) VALUES (?, ?)', key, body)
    await this.ctx.storage.setAlarm(Date.now())
  }

  /** Handles what is stored. It runs again after a crash. */
  async alarm() {
    for (const { key, body } of this.sql.exec('SELECT key, body FROM inbox WHERE done = 0').toArray()) {
      try {
        this.ctx.storage.transactionSync(() => this.handle(key, readEvent(body)))
      } catch (error) {
        console.error(`${key} stays pending: ${error.message}`)
        await this.ctx.storage.setAlarm(Date.now() + 60_000)
      }
    }
  }

  handle(key, { name, livemode, amount, currency }) {
    const completed = MONEY.test(amount) ? 'fulfilled' : 'anomaly'
    const effect = { __proto__: null, 'payment.completed': completed, 'payment.refunded': 'reversed' }[name]
    const line = JSON.stringify({ event: name, effect, amount, currency, livemode })
    // Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
    const add = `INSERT OR IGNORE INTO effect SELECT ?1, ?2, ?3 WHERE ?1 = 'reversed' OR ?2 NOT IN (SELECT live FROM effect)`
    if (effect) this.sql.exec(add, effect, Number(livemode), line)
    this.sql.exec('UPDATE inbox SET done = 1 WHERE key = ?', key)
  }

  effects() {
    const shown = "SELECT line FROM effect WHERE effect <> 'anomaly' ORDER BY rowid"
    return [...this.sql.exec(shown)].map(({ line }) => JSON.parse(line))
  }
}

/** The raw bytes; undefined if they are too many. */
async function readBody(request) {
  const chunks = []
  let left = 1024 * 1024
  for await (const chunk of request.body ?? []) {
    chunks.push(chunk)
    left -= chunk.length
    if (left < 0) return undefined
  }
  return new Blob(chunks).arrayBuffer()
}

/** Why a delivery is refused: a response; undefined if its header signs these bytes. */
async function refusalOf(header, body) {
  const valuesOf = (key) => header.split(',').flatMap((e) => (e.startsWith(key) ? e.slice(key.length) : []))
  const time = valuesOf('t=').join()
  const signatures = valuesOf('v1=') // More than one while a secret is rotated.
  if (!/^\d{1,12}$/.test(time) || !signatures.join('')) return refuse(400, 'the header needs one t and a v1')
  const age = Math.floor(Date.now() / 1000) - Number(time)
  if (Math.abs(age) > 300) return refuse(400, 't is more than 5 minutes from now')
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes(secret), hmac, false, ['sign'])
  const signed = await new Blob([`${time}.`, body]).arrayBuffer()
  const expected = bytes(new Uint8Array(await crypto.subtle.sign(hmac, key, signed)).toHex())
  const isExpected = (v1) => bytes(v1).length === 64 && crypto.subtle.timingSafeEqual(bytes(v1), expected)
  return signatures.some(isExpected) ? undefined : refuse(401, 'the signature is wrong')
}
const refuse = (status, error) => Response.json({ error }, { status })
/** The event in a verified body, and the key that it shares with its redeliveries. */
function readEvent(body) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name = event.event ?? (event.test === true ? `payment.${event.status}` : undefined)
  const id = event.payment_id ?? event.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const variant = { 'payment.partial': event.amount_received, 'payment.refunded': event.type }[name]
  const livemode = (event.livemode === undefined || event.livemode === true) && event.test !== true
  const [amount, currency] = [event.amount, event.currency].map((v) => (typeof v === 'string' ? v : typeof v))
  return { id, name, livemode, amount, currency, key: JSON.stringify([name, livemode, variant]) }
}

async function webhooks(request) {
  const body = await readBody(request)
  if (!body) return refuse(413, 'the body is larger than 1 MiB')
  const refusal = await refusalOf(request.headers.get('x-service-signature') ?? '', body)
  if (refusal) return refusal
  let event
  try {
    event = readEvent(body)
  } catch {
    return refuse(400, 'the body is not an event')
  }
  try {
    await env.PAYMENT.getByName(event.id).store(event.key, body)
  } catch (error) {
    console.error(error.message) // The payment's object may be out of reach: 503 asks for a retry.
    return refuse(503, 'try again later')
  }
  return Response.json({ received: true })
}

export default {
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/webhooks' && request.method === 'POST') return webhooks(request)
    if (pathname !== '/observe' || env.OBSERVE !== '1') return refuse(404, 'not found')
    return Response.json({ effects: await env.PAYMENT.getByName(searchParams.get('payment_id')).effects() })
  },
}

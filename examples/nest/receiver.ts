// Receives the payment service's webhooks: verify, store, answer 200, then fulfill or reverse each payment once.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { CanActivate, ExecutionContext, MiddlewareConsumer, OnModuleInit } from '@nestjs/common'
import { Controller, HttpCode, HttpException, Injectable, Module, Post, Req, UseGuards } from '@nestjs/common'
import { DatabaseSync } from '@photostructure/sqlite' // Since Node.js 22.13, 'node:sqlite' does the same.
import { type Request, raw } from 'express'

const secret = process.env['HOOKPROOF_SECRET'] ?? process.env['WEBHOOK_SECRET'] ?? ''
if (secret === '') throw new Error('HOOKPROOF_SECRET is not set')

// FULL: a 200 is a promise, so the row must survive a power cut.
export const database = new DatabaseSync(process.env['DATABASE'] ?? './webhooks.sqlite')
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS inbox (payment_id TEXT, live INTEGER, event TEXT, variant TEXT,
    body BLOB NOT NULL, done INTEGER NOT NULL DEFAULT 0, UNIQUE (payment_id, live, event, variant));
  CREATE INDEX IF NOT EXISTS pending ON inbox (done) WHERE done = 0;
  CREATE TABLE IF NOT EXISTS effect (payment_id TEXT, live INTEGER, effect TEXT, event TEXT, amount TEXT, currency TEXT,
    PRIMARY KEY (payment_id, live, effect));`)
const store = database.prepare(`INSERT INTO inbox (payment_id, live, event, variant, body)
  VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING RETURNING rowid AS row, body`)
const pending = database.prepare('SELECT rowid AS row, body FROM inbox WHERE done = 0')
const markDone = database.prepare('UPDATE inbox SET done = 1 WHERE rowid = ?')
const MONEY = /^(?=.*[1-9])\d+(\.\d+)?$/ // Any other amount is an anomaly for people to look at.
const textOf = (value: unknown) => (typeof value === 'string' ? value : typeof value) // String() fails for {"toString":1}.
// Events come in any order: after a refund that arrives first, there is nothing left to fulfill.
const fulfill = database.prepare(`INSERT INTO effect SELECT ?1, ?2, iif(?6, 'fulfilled', 'anomaly'), ?3, ?4,
  ?5 WHERE NOT EXISTS (SELECT 1 FROM effect WHERE payment_id = ?1 AND live = ?2)`)
const reverse = database.prepare(`INSERT OR IGNORE INTO effect VALUES (?1, ?2, 'reversed', ?3, ?4, ?5)`)

/** Lets only deliveries pass whose header signs the bytes of their body. */
class SignatureGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request: Request = context.switchToHttp().getRequest()
    const entries = (request.get('x-service-signature') ?? '').split(',')
    const [time = '', ...otherTimes] = entries.filter((entry) => entry.startsWith('t='))
    const signatures = entries.filter((entry) => /^v1=./.test(entry)) // More than one while a secret is rotated.
    const t = time.slice('t='.length)
    if (!/^\d{1,12}$/.test(t) || otherTimes.length > 0 || signatures.length === 0) {
      throw new HttpException('the header needs one t and a v1', 400)
    }
    const age = Math.floor(Date.now() / 1000) - Number(t)
    if (Math.abs(age) > 300) throw new HttpException('t is more than 5 minutes from now', 400)
    const body = request.body ?? Buffer.alloc(0)
    const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')
    const isExpected = (entry: string) =>
      /^v1=[0-9a-f]{64}$/.test(entry) && timingSafeEqual(Buffer.from(entry), Buffer.from(`v1=${expected}`))
    if (!signatures.some(isExpected)) throw new HttpException('the signature is wrong', 401)
    return true
  }
}

/** The event in a verified body, and the key that all its redeliveries share. */
function readEvent(body?: Uint8Array) {
  const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  const name = event.event ?? (event.test === true ? `payment.${event.status}` : undefined)
  const id = event.payment_id ?? event.id
  if (!name || !id || typeof name !== 'string' || typeof id !== 'string') throw new Error('not an event')
  // One payment can be partly paid several times, and both refunded and charged back.
  const variant = { 'payment.partial': event.amount_received, 'payment.refunded': event.type }[name]
  const live = (event.livemode === undefined || event.livemode === true) && event.test !== true ? 1 : 0
  return { event, name, id, live, variant: JSON.stringify([variant]) }
}

/** The result of the work, or an answer with this status. */
function orAnswer<T>(status: number, message: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    throw new HttpException(message, status, { cause })
  }
}

/** Works on stored events: new ones, those that an earlier process left behind, and those that failed. */
@Injectable()
class Worker implements OnModuleInit {
  async onModuleInit() {
    const handlePending = async () => pending.all().forEach((row) => this.handle(row))
    await handlePending()
    setInterval(() => void handlePending().catch(console.error), 60_000).unref() // An error must not end the process.
  }

  /** Does the work of a stored event and marks it as done, in one transaction. If that fails, it stays pending. */
  handle({ row, body }: { row: number; body: Uint8Array }) {
    const { event, id, live, name } = readEvent(body)
    const effect = [id, live, name, textOf(event.amount), textOf(event.currency)]
    try {
      database.exec('BEGIN IMMEDIATE')
      if (name === 'payment.completed') fulfill.run(...effect, Number(MONEY.test(textOf(event.amount))))
      if (name === 'payment.refunded') reverse.run(...effect)
      markDone.run(row)
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      console.error(`${name} of ${id} stays pending: ${(error as Error).message}`)
    }
  }
}

@Controller('webhooks')
class WebhooksController {
  constructor(private readonly worker: Worker) {}

  @Post()
  @HttpCode(200) // Nest's default for POST is 201, which does not acknowledge a delivery.
  @UseGuards(SignatureGuard)
  receive(@Req() { body }: Request) {
    const { id, live, name, variant } = orAnswer(400, 'the body is not an event', () => readEvent(body))
    const stored = orAnswer(503, 'try again later', () => store.get(id, live, name, variant, body))
    if (stored) setImmediate(() => this.worker.handle(stored)) // After the response.
    return { received: true }
  }
}

@Module({ controllers: [WebhooksController], providers: [Worker] })
export class WebhooksModule {
  /** The signature covers the raw bytes, whatever their content type. main.ts turns Nest's own parser off. */
  configure(consumer: MiddlewareConsumer) {
    consumer.apply(raw({ type: () => true, limit: '1mb', inflate: false })).forRoutes(WebhooksController)
  }
}

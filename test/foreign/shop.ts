import { createHmac, timingSafeEqual } from 'node:crypto'

type Fields = Record<string, unknown>

/** The part of a merchant's code that does not depend on the framework: verification, and an in-memory store. */
export interface Shop {
  readonly deliver: (body: Buffer, header: string | undefined) => Answer
  readonly observe: (paymentId: string) => { effects: readonly Fields[] }
}

/** A response, for any framework to send. */
interface Answer {
  readonly status: number
  readonly content: Fields
}

/** Verifies a body and its header: undefined when they are valid, otherwise the refusal. */
export type Check = (body: Buffer, header: string | undefined) => Answer | undefined

const refuse = (status: number, error: string): Answer => ({ status, content: { error } })

/** Makes a shop whose deliveries are verified by `check`. */
export function createShop(check: Check): Shop {
  const seen = new Set<string>()
  const ledger = new Map<string, Fields[]>()

  function take(name: string, payment: string, event: Fields): void {
    const key = JSON.stringify([payment, name, event['amount_received'], event['type']])
    if (seen.has(key)) return
    seen.add(key)
    const effects = ledger.get(payment) ?? []
    const done = new Set(effects.map(({ effect }) => effect))
    const { livemode: live = true, test } = event
    const livemode = live === true && test !== true
    const line = { event: name, amount: event['amount'], currency: event['currency'], livemode }
    if (name === 'payment.completed' && done.size === 0) effects.push({ ...line, effect: 'fulfilled' })
    if (name === 'payment.refunded' && !done.has('reversed')) effects.push({ ...line, effect: 'reversed' })
    ledger.set(payment, effects)
  }

  return {
    deliver(body, header) {
      const refusal = check(body, header)
      if (refusal !== undefined) return refusal
      const event = parse(body)
      const named =
        event?.['event'] ?? (event?.['test'] === true ? `payment.${String(event['status'])}` : undefined)
      const payment = event?.['payment_id'] ?? event?.['id']
      if (event === undefined || !isText(named) || !isText(payment))
        return refuse(400, 'the body is not an event')
      take(named, payment, event)
      return { status: 200, content: { received: true } }
    },
    observe: (paymentId) => ({ effects: ledger.get(paymentId) ?? [] }),
  }
}

/** The check as a merchant writes it by hand. */
export function handWritten(secret: string): Check {
  return (body, header = '') => {
    const entries = header
      .split(',')
      .map((entry) => [entry.split('=')[0], entry.slice(entry.indexOf('=') + 1)])
    const values = (label: string) =>
      entries.flatMap(([name, value]) => (name === label && value ? [value] : []))
    const [t, another] = values('t')
    const signatures = values('v1')
    if (t === undefined || another !== undefined || signatures.length === 0)
      return refuse(400, 't or v1 is missing')
    if (!/^[0-9]{1,12}$/.test(t)) return refuse(400, 't is not a time')
    if (Math.abs(Math.floor(Date.now() / 1000) - Number(t)) > 300)
      return refuse(400, 't is outside the window')
    const expected = createHmac('sha256', secret).update(`${t}.`).update(body).digest()
    const matches = signatures.some((value) => {
      const given = Buffer.from(value, 'hex')
      return value.length === 64 && given.length === expected.length && timingSafeEqual(given, expected)
    })
    return matches ? undefined : refuse(401, 'the signature is wrong')
  }
}

function parse(body: Buffer): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body.toString('utf8').replace(/^\uFEFF/, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

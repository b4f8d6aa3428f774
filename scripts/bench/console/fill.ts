import { serialize } from '../../../fixtures/generate.ts'
import { waitingDeliveries } from '../../../sandbox/deliveries/waiting.ts'
import { eventBody } from '../../../sandbox/domain/events.ts'
import { EVENT_NAMES, type Payment } from '../../../sandbox/model.ts'
import { forwarding } from '../../../sandbox/service/forwarding.ts'
import { openStore, type Store } from '../../../sandbox/store/store.ts'

/** What the pages and operations that are measured need to know of a filled sandbox. */
export interface Filled {
  /** The latest payment and its latest event. */
  readonly payment: string
  readonly event: string
}

/** The only endpoint with deliveries. */
export const ENDPOINT = 'we_measured'

/** Its URL; nothing answers where the bench routes it. */
export const ENDPOINT_URL = 'https://shop.example/webhooks'

/** Where the only listener forwards to. Nothing answers there. */
export const FORWARD_TO = 'http://127.0.0.1:1/webhooks'

const SECOND_MS = 1000

/**
 * Writes payments with two events each, and a delivery of each event to one endpoint. Of every 50 payments, the
 * deliveries of one have failed, those of another are failing, those of a third are paused, and the rest were delivered.
 * @param file of a sandbox that has its organizations
 */
export async function fill(file: string, payments: number): Promise<Filled> {
  const store = await openStore(file)
  const [organization] = store.organizations.list()
  if (organization === undefined) throw new Error('the sandbox has no organization')
  const owned = { organizationId: organization.id, createdAt: 0 }
  const endpoint = { id: ENDPOINT, url: ENDPOINT_URL, secret: 'whsec_measured', mode: 'test' } as const
  store.endpoints.insert({
    ...owned,
    ...endpoint,
    events: ['payment.completed', 'payment.refunded', 'payment.failed'],
    description: null,
  })
  const clock = { now: Date.now, wall: Date.now }
  const feed = { publish: () => {}, subscribe: () => () => {} }
  const waiting = waitingDeliveries({ store, clock, feed, onFailure: () => {} })
  forwarding({ store, clock, feed, waiting }).start(FORWARD_TO, EVENT_NAMES).end()
  const write = writerOf(store, organization.id)
  const start = Date.now() - payments * SECOND_MS
  store.transaction(() => {
    for (let number = 0; number < payments; number += 1) write(number, start + number * SECOND_MS)
  })
  store.close()
  return { payment: `tx_measured${payments - 1}`, event: `evt_measured${payments - 1}b` }
}

/** Prepares the statements that write one payment with its events and deliveries. */
function writerOf(store: Store, organizationId: string): (number: number, createdAt: number) => void {
  const attempt = store.database.prepare(
    `INSERT INTO attempts (delivery_id, number, started_at, duration_ms, status, request_headers)
     VALUES (?, 1, ?, ?, ?, '{}')`,
  )
  const settle = store.database.prepare(
    'UPDATE deliveries SET state = ?, attempts = 1, next_attempt_at = 4e12 WHERE id = ?',
  )
  return (number, createdAt) => {
    const payment = paymentOf(number, { organizationId, createdAt })
    const state = ['failed', 'pending', 'paused'][number % 50] ?? 'delivered'
    store.payments.insert(payment)
    const names =
      payment.status === 'failed'
        ? (['payment.failed', 'payment.failed'] as const)
        : (['payment.completed', 'payment.refunded'] as const)
    for (const [index, name] of names.entries()) {
      const key = `measured${number}${'ab'[index]}`
      const [eventId, id] = [`evt_${key}`, `dlv_${key}`]
      const owned = { organizationId, createdAt }
      const body = serialize(eventBody(payment, { name, simulated: false, at: createdAt }))
      store.events.insert({ ...owned, id: eventId, paymentId: payment.id, name, mode: 'test', body })
      const more = { cause: 'event', body: null, chaos: null, nextAttemptAt: createdAt } as const
      store.deliveries.insert({ ...owned, ...more, id, eventId, endpointId: ENDPOINT, url: ENDPOINT_URL })
      settle.run(state, id)
      attempt.run(id, createdAt, number % 300, state === 'delivered' ? 200 : 500)
    }
  }
}

function paymentOf(number: number, owned: { organizationId: string; createdAt: number }): Payment {
  const isFailed = number % 10 === 0
  return {
    ...owned,
    id: `tx_measured${number}`,
    parentId: null,
    mode: 'test',
    status: isFailed ? 'failed' : 'refunded',
    amount: `${number % 977}.50`,
    amountReceived: null,
    currency: 'USD',
    method: 'card',
    returnUrl: null,
    webhookUrl: null,
    metadata: { order: `SO-${number}`, customer: `customer ${number % 1000}` },
    settledVia: null,
    failureCode: isFailed ? 'card_declined' : null,
    failureReason: isFailed ? 'Declined' : null,
    refundType: null,
    updatedAt: owned.createdAt,
    windowEndsAt: null,
  }
}

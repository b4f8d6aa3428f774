import { setTimeout as wait } from 'node:timers/promises'
import { between, type Random } from '../shared/random.ts'
import type { SentEvent } from '../shared/traffic.ts'

const SHARE_OF_REFUNDS = 0.25

/** The pause before a failed request is repeated. */
const RETRY_AFTER_MS = 50

/** For how long a failed request is repeated. */
const GIVE_UP_AFTER_MS = 60_000

export interface MerchantOptions {
  /** The URL of the sandbox. */
  readonly url: string
  readonly apiKey: string
  /** Whether to create another payment. @param events how many events have been or are being triggered */
  readonly needsMore: (events: number) => boolean
  readonly random: Random
  /** How many customers pay at the same time, each one order after another. */
  readonly customers: number
  /** Called with every event that the sandbox has confirmed. */
  readonly onEvent: (event: SentEvent) => void
}

/**
 * Creates payments and pays them over HTTP, as a shop and its customers do, until `needsMore` returns false. It repeats
 * a request that fails: the Idempotency-Key prevents a second payment, and a payment that is already paid answers 409.
 * @throws Error if the sandbox does not come back
 */
export async function sell(options: MerchantOptions): Promise<void> {
  const { url, apiKey, needsMore, random, customers, onEvent } = options
  let events = 0
  let orders = 0

  async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const deadline = performance.now() + GIVE_UP_AFTER_MS
    for (;;) {
      try {
        return await fetch(url + path, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', ...headers },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(10_000),
        })
      } catch (error) {
        if (performance.now() > deadline) throw error
        await wait(RETRY_AFTER_MS)
      }
    }
  }

  async function act(
    id: string,
    action: object,
    event: Omit<SentEvent, 'paymentId' | 'body' | 'acknowledged'>,
  ): Promise<void> {
    const { status } = await post(`/sandbox/payments/${id}/actions`, action)
    // 409: an earlier attempt succeeded, but its response was lost.
    if (status !== 200 && status !== 409)
      throw new Error(`the sandbox answered ${status} to ${JSON.stringify(action)}`)
    onEvent({ ...event, paymentId: id, body: Buffer.alloc(0), acknowledged: true })
  }

  async function customer(): Promise<void> {
    while (needsMore(events)) {
      events += 1
      orders += 1
      const order = orders
      const amount = `${between(random, 1, 400)}.${between(random, 10, 99)}`
      const refunded = random() < SHARE_OF_REFUNDS
      if (refunded) events += 1
      const created = await post(
        '/v1/payments',
        { amount, currency: 'USD', webhook_url: 'https://shop.example/webhooks' },
        { 'X-API-Key': apiKey, 'Idempotency-Key': `order-${order}` },
      )
      const { id } = (await created.json().catch(() => ({}))) as { id?: string }
      if (created.status !== 201)
        throw new Error(`the sandbox answered ${created.status} to POST /v1/payments`)
      // The connection was lost during the response, so the payment does not count.
      if (id === undefined) {
        events -= refunded ? 2 : 1
        continue
      }
      const price = { amount, currency: 'USD' }
      await act(id, { type: 'succeed' }, { event: 'payment.completed', ...price })
      await wait(between(random, 0, 60))
      if (refunded) await act(id, { type: 'reverse' }, { event: 'payment.refunded', ...price })
    }
  }

  await Promise.all(Array.from({ length: customers }, customer))
}

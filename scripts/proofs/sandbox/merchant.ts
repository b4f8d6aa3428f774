import { setTimeout as wait } from 'node:timers/promises'
import { between, type Random } from '../shared/random.ts'
import type { Sent } from '../shared/traffic.ts'

/** A share of the payments is refunded. */
const SHARE_OF_REFUNDS = 0.25

/** Between a call that was broken off and the next try, in milliseconds. */
const AGAIN_AFTER_MS = 50

/** For how long a call is made again and again, in milliseconds. */
const AWAY_FOR_MS = 60_000

export interface MerchantOptions {
  /** Where the sandbox is. */
  readonly url: string
  readonly key: string
  /** Whether another payment is to be made. @param begun how many events have happened or are about to */
  readonly more: (begun: number) => boolean
  readonly random: Random
  /** Of customers, who pay one after another. */
  readonly customers: number
  /** Given every event that the sandbox has answered for. */
  readonly told: (sent: Sent) => void
}

/**
 * Makes payments and has them paid over HTTP, as a shop and its customers do, for as long as there are to be more. A
 * call that is broken off is made again: by its Idempotency-Key a payment is made once, and one that is paid says so.
 * @throws Error if the sandbox stays away
 */
export async function sell({ url, key, more, random, customers, told }: MerchantOptions): Promise<void> {
  let begun = 0
  let orders = 0

  async function call(path: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
    const deadline = performance.now() + AWAY_FOR_MS
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
        await wait(AGAIN_AFTER_MS)
      }
    }
  }

  async function happen(id: string, action: object, sent: Omit<Sent, 'paymentId' | 'body' | 'acknowledged'>) {
    const { status } = await call(`/sandbox/payments/${id}/actions`, action)
    // 409: it had happened before the answer was lost.
    if (status !== 200 && status !== 409)
      throw new Error(`the sandbox answered ${status} to ${JSON.stringify(action)}`)
    told({ ...sent, paymentId: id, body: Buffer.alloc(0), acknowledged: true })
  }

  async function customer(): Promise<void> {
    while (more(begun)) {
      begun += 1
      orders += 1
      const order = orders
      const amount = `${between(random, 1, 400)}.${between(random, 10, 99)}`
      const refunded = random() < SHARE_OF_REFUNDS
      if (refunded) begun += 1
      const made = await call(
        '/v1/payments',
        { amount, currency: 'USD', webhook_url: 'https://shop.example/webhooks' },
        { 'X-API-Key': key, 'Idempotency-Key': `order-${order}` },
      )
      const { id } = (await made.json().catch(() => ({}))) as { id?: string }
      if (made.status !== 201) throw new Error(`the sandbox answered ${made.status} to a payment`)
      // The connection broke within the answer: the key brings the same one.
      if (id === undefined) {
        begun -= refunded ? 2 : 1
        continue
      }
      const of = { amount, currency: 'USD' }
      await happen(id, { type: 'succeed' }, { event: 'payment.completed', ...of })
      await wait(between(random, 0, 60))
      if (refunded) await happen(id, { type: 'reverse' }, { event: 'payment.refunded', ...of })
    }
  }

  await Promise.all(Array.from({ length: customers }, customer))
}

import { afterAll, beforeAll, expect } from 'vitest'
import { createSandbox, type Sandbox } from '../../../sandbox/index.ts'
import { call, startReceiver } from '../support.ts'

/** Creates a payment with a return_url; the URL of its checkout. */
export async function checkout(on: Sandbox, body: object = {}, key = on.testKey) {
  const given = { amount: '25.00', currency: 'USD', return_url: 'https://shop.example/thanks', ...body }
  const { json } = await call(on, 'POST', '/payments', { key, body: given })
  return { id: String(json['id']), url: String(json['checkout_url']) }
}

/** The payment as the API returns it. */
export const lookUp = async (on: Sandbox, id: string, key = on.testKey): Promise<Record<string, unknown>> =>
  (await call(on, 'GET', `/payments/${id}`, { key })).json

/** The actions of the submit buttons, in page order. */
export const buttons = (html: string): string[] =>
  [...html.matchAll(/<button type="submit" name="action" value="(\w+)"/g)].map(([, name = '']) => name)

/** The error messages on the page. */
export const alerts = (html: string): string[] =>
  [...html.matchAll(/<p class="problem" role="alert"[^>]*>([^<]*)</g)].map(([, text = '']) => text)

/**
 * One sandbox for all tests of a file that do not disturb each other, with a merchant's server behind
 * https://shop.example/ that answers 200. An unexpected error fails the file.
 * @returns what the tests use, available once they run; `receivedOf`: the deliveries of one payment, in order of arrival
 */
export function sharedShop() {
  const failures: unknown[] = []
  let shop: Awaited<ReturnType<typeof startReceiver>>
  let on: Sandbox
  beforeAll(async () => {
    shop = await startReceiver()
    on = await createSandbox({ routes: [shop.route], onFailure: (error) => failures.push(error) })
  })
  afterAll(async () => {
    await on.close()
    shop.stop()
    expect(failures).toEqual([])
  })
  const receivedOf = (paymentId: string) =>
    shop.got.filter(({ body }) => String(body).includes(`"${paymentId}"`))
  return () => ({ on, receivedOf })
}

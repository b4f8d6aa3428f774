import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createKit } from '../../conformance/case/kit.ts'
import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import { METHODS } from '../../fixtures/methods.ts'
import { explain, validate } from '../../schemas/validate.ts'
import {
  createPayment,
  interrupted,
  type RunningSandbox,
  runReceiver,
  runSandbox,
  said,
} from '../cli/sandbox-support.ts'
import { freePort, hookproof, launch, recorder, temporaryFolder, until } from '../cli/support.ts'

/** Presses a button of the checkout as a browser does. */
async function press(checkout: string, button: string): Promise<void> {
  const page = await (await fetch(checkout)).text()
  const [, name = '', value = ''] =
    new RegExp(`<button[^>]*name="(\\w+)" value="(\\w+)"[^>]*>\\s*${button}`).exec(page) ?? []
  expect(value, `the page has no button ${button}`).not.toBe('')
  const headers = { Origin: new URL(checkout).origin }
  const body = new URLSearchParams({ [name]: value })
  const response = await fetch(checkout, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

const at = ({ url }: RunningSandbox) => ({ env: { HOOKPROOF_SANDBOX: url } })

describe('the sandbox and the reference receiver, as commands', { timeout: 90_000 }, () => {
  it('what is bought is shipped once, whatever is sent again, and taken back once', async () => {
    const port = await freePort()
    const on = await runSandbox('--route', `https://shop.example/=http://localhost:${port}/`)
    const folder = temporaryFolder()
    const shop = await runReceiver(on.secret, '--port', String(port), '--inbox', join(folder, 'inbox.sqlite'))
    const { id, checkout_url: checkout } = await createPayment(on, {
      amount: '42.00',
      webhook_url: 'https://shop.example/webhooks',
    })
    const watching = launch(['listen'], at(on))
    await said(watching, 'Ctrl-C to stop')
    await press(checkout, 'Simulate Success')
    await said(watching, /<-- payment\.completed .* 200 in/)
    await until(async () => (await shop.effects(id)).length > 0)
    expect(await shop.effects(id)).toEqual(['fulfilled 42.00 USD'])

    const listed = await hookproof(['events', 'list', '--json', '--payment', id], at(on))
    const [event] = JSON.parse(listed.stdout) as { id: string }[]
    for (let times = 0; times < 3; times += 1) {
      expect((await hookproof(['events', 'resend', event?.id ?? ''], at(on))).code).toBe(0)
    }
    expect((await hookproof(['trigger', 'payment.refunded', '--payment', id], at(on))).code).toBe(0)
    expect((await hookproof(['events', 'resend', event?.id ?? ''], at(on))).code).toBe(0)
    await until(() => watching.stdout().match(/<-- .* 200 in/g)?.length === 6)
    await until(async () => (await shop.effects(id)).length > 1)
    expect(await shop.effects(id)).toEqual(['fulfilled 42.00 USD', 'reversed 42.00 USD'])
    expect(watching.stdout()).not.toMatch(/ [45]\d\d in/)
    expect(await interrupted(watching)).toBe(0)
    expect(await on.stop()).toBe(0)
    expect(await interrupted(shop)).toBe(0)
  })

  it('a live payment is resent by the API, and ships nothing twice', async () => {
    const port = await freePort()
    const on = await runSandbox('--route', `https://shop.example/=http://localhost:${port}/`)
    const shop = await runReceiver(on.secret, '--port', String(port))
    const { id } = await createPayment(on, { webhook_url: 'https://shop.example/webhooks' }, on.liveKey)
    await hookproof(['trigger', 'payment.completed', '--payment', id, '--chaos', 'duplicate=3'], at(on))
    await until(async () => (await shop.effects(id)).length > 0)
    const headers = { 'X-API-Key': on.liveKey }
    const path = `${on.apiUrl}/payments/${id}/resend-webhook`
    const resent = await fetch(path, { method: 'POST', headers })
    expect([resent.status, await resent.json()]).toMatchObject([202, { deliveries: 1 }])
    await until(async () => {
      const { stdout } = await hookproof(['events', 'list', '--payment', id], at(on))
      return stdout.match(/delivered: 200/g)?.length === 5
    })
    expect(await shop.effects(id)).toEqual(['fulfilled 25.00 USD'])
  })
})

describe('the strict schema', { timeout: 60_000 }, () => {
  it('holds for what the sandbox delivers, by every method, and for what the catalogue delivers', async () => {
    const on = await runSandbox()
    const { url, seen } = await recorder()
    const listen = launch(['listen', '--forward-to', url], at(on))
    await said(listen, 'Ctrl-C to stop')
    const act = (id: string, action: object) =>
      fetch(`${on.url}/sandbox/payments/${id}/actions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(action),
      })
    for (const method of Object.keys(METHODS)) {
      for (const key of [on.testKey, on.liveKey]) {
        const paid = await createPayment(on, { metadata: { method } }, key)
        expect((await act(paid.id, { type: 'succeed', method })).status).toBe(200)
        expect((await act(paid.id, { type: 'reverse' })).status).toBe(200)
        const failed = await createPayment(on, {}, key)
        expect((await act(failed.id, { type: 'fail', method })).status).toBe(200)
      }
    }
    const expected = Object.keys(METHODS).length * 2 * 3
    await until(() => seen.length === expected)
    for (const { body } of seen) expect(explain(validate('event.strict', JSON.parse(body))), body).toBe('')

    const options = { secret: 'whsec_x', seed: 'e2e', mode: 'test', now: () => 1_750_000_000 } as const
    let count = 0
    // Elsewhere it has events of tomorrow too: test/conformance/catalogue.test.ts names them.
    for (const one of CATALOGUE.filter(({ id }) => /^(refusals|duplicates|time-window)\//.test(id))) {
      for (const { deliveries } of one.send(createKit(one.id, options))) {
        for (const { change, body } of deliveries) {
          if (change !== undefined) continue
          count += 1
          expect(explain(validate('event.strict', JSON.parse(String(body)))), one.id).toBe('')
        }
      }
    }
    expect(count).toBeGreaterThan(50)
  })
})

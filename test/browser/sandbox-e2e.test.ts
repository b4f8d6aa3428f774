import { expect, it, onTestFinished } from 'vitest'
import { createPayment, interrupted, runReceiver, runSandbox } from '../cli/sandbox/support.ts'
import { freePort, hookproof, until } from '../cli/support.ts'
import { describeInBrowser, useBrowser } from './launch.ts'

const browser = useBrowser()

describeInBrowser('the built sandbox, the built receiver and a browser', () => {
  it('ships an order once after the customer presses Simulate Success', async () => {
    const port = await freePort()
    const on = await runSandbox('--route', `https://shop.example/=http://localhost:${port}/`)
    const shop = await runReceiver(on.secret, '--port', String(port))
    const env = { HOOKPROOF_SANDBOX: on.url }
    const { id, checkout_url: checkout } = await createPayment(on, {
      amount: '12.50',
      webhook_url: 'https://shop.example/webhooks',
      metadata: { cart: 'tea' },
    })

    const context = await browser().newContext()
    onTestFinished(() => context.close())
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    await page.goto(checkout)
    await page.getByRole('button', { name: 'Simulate Success', exact: true }).click()
    await page.getByText('Payment completed').waitFor()
    await until(async () => (await shop.effects(id)).length > 0)
    expect(await shop.effects(id)).toEqual(['fulfilled 12.50 USD'])

    // The dashboard shows the event.
    await page.goto(on.url)
    await page.getByRole('link', { name: 'Events', exact: true }).click()
    await page.getByRole('link', { name: 'payment.completed' }).first().click()
    await page.getByText('delivered', { exact: true }).first().waitFor()

    const listed = await hookproof(['events', 'list', '--json', '--payment', id], { env })
    const [event] = JSON.parse(listed.stdout) as { id: string }[]
    expect((await hookproof(['events', 'resend', event?.id ?? ''], { env })).code).toBe(0)
    expect((await hookproof(['trigger', 'payment.refunded', '--payment', id], { env })).code).toBe(0)
    await until(async () => (await shop.effects(id)).length > 1)
    await until(async () => {
      const { stdout } = await hookproof(['events', 'list', '--payment', id], { env })
      return stdout.match(/delivered: 200/g)?.length === 3
    })
    expect(await shop.effects(id)).toEqual(['fulfilled 12.50 USD', 'reversed 12.50 USD'])
    expect(await on.stop()).toBe(0)
    expect(await interrupted(shop)).toBe(0)
  })
})

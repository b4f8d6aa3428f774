import { expect, it } from 'vitest'
import { dashboardOf } from '../sandbox/dashboard/support.ts'
import { endpoint, payment, receiver, sandbox } from '../sandbox/support.ts'
import { findings } from './findings.ts'
import { inBrowser } from './sandbox-dashboard.ts'

inBrowser('deliveries on the dashboard', (open) => {
  it('gives an opened attempt the whole width, whatever its place', async () => {
    const { route } = await receiver(() => 500)
    const on = await sandbox({ routes: [route], schedule: [0, 0] })
    await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
    const { event } = on.act(await payment(on), { type: 'succeed' })
    await on.idle()
    const page = await open(`${dashboardOf(on)}/events/${event.id}`)
    const attempts = page.locator('.attempts')
    await attempts.getByText(/^Attempt 2/).click()
    const opened = (await attempts.locator('[open]').boundingBox())?.width
    expect(opened).toBe((await attempts.boundingBox())?.width)
    const closed = (await attempts.locator('details:not([open])').first().boundingBox())?.width
    expect(closed).toBeLessThan((opened ?? 0) / 2)
  })

  it('sends an undelivered event to a custom URL', async () => {
    const { got, route } = await receiver()
    const on = await sandbox({ routes: [route] })
    const { event } = on.act(await payment(on), { type: 'succeed' })
    const page = await open(`${dashboardOf(on)}/events/${event.id}`)
    await page.getByText('To any URL', { exact: true }).click()
    await page.getByLabel('Body to send').fill('{"typed":true}')
    await page.getByLabel('URL').fill('https://localhost:3000/')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('alert').getByText('--route').waitFor()
    expect(await findings(page)).toEqual([])
    expect(await page.getByLabel('Body to send').inputValue()).toBe('{"typed":true}')
    await page.getByLabel('URL').fill('https://shop.example/typed')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.locator('#list').getByText('delivered', { exact: true }).waitFor()
    expect(got.map(({ path, body }) => [path, body.toString()])).toEqual([['/typed', '{"typed":true}']])
  })
})

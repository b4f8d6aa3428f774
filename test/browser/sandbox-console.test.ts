import { expect, it } from 'vitest'
import { checkout } from '../sandbox/checkout/support.ts'
import { dashboardOf, delivered, send } from '../sandbox/dashboard/support.ts'
import { payment, receiver, sandbox, temporaryFile } from '../sandbox/support.ts'
import { findings } from './findings.ts'
import { inBrowser } from './sandbox-dashboard.ts'

inBrowser('the console', (open) => {
  it('shows its shortcuts, and goes to another screen by keyboard', async () => {
    const on = await sandbox()
    const page = await open(dashboardOf(on))
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await findings(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('p')
    await page.getByRole('heading', { name: 'Payments', exact: true }).waitFor()
    // The heading is there before the script that handles keys.
    await page.waitForLoadState('load')
    await page.keyboard.press('/')
    await page.keyboard.type('gp?')
    expect(await page.getByLabel('Search').inputValue()).toBe('gp?')
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('e')
    await page.getByRole('heading', { name: 'Events', exact: true }).waitFor()
  })

  it('shows that the connection is lost, and recovers', async () => {
    const file = temporaryFile()
    const first = await sandbox({ file })
    const { port } = new URL(first.url)
    // The browser logs requests that fail, which a page of `open` would report.
    const opened = await open(`${first.url}/assets/favicon.svg`)
    const page = await opened.context().newPage()
    await page.goto(`${dashboardOf(first)}/payments`)
    const status = page.locator('#live')
    await expect.poll(() => status.textContent(), { timeout: 15_000 }).toBe('Live')
    await first.close()
    await expect.poll(() => status.textContent(), { timeout: 15_000 }).toBe('Disconnected, reconnecting')
    const second = await sandbox({ file, port: Number(port) })
    const id = await payment(second)
    await expect.poll(() => page.locator(`#${id}`).count(), { timeout: 30_000 }).toBe(1)
    expect(await status.textContent()).toBe('Live')
  })

  it('applies a filter at once, while typing too, keeps it in the address, and shows it after Back', async () => {
    const on = await sandbox()
    await payment(on, { amount: '11.00' })
    await payment(on, { amount: '12.00' })
    const page = await open(`${dashboardOf(on)}/payments`)
    expect(await page.getByRole('button', { name: 'Filter' }).count()).toBe(0)
    await page.getByRole('searchbox').pressSequentially('12.00')
    await page.getByText('1 test payment matches the filter').waitFor()
    await page.getByLabel('Status').selectOption('failed')
    await page.getByText('No payments match.').waitFor()
    expect(new URL(page.url()).search).toBe('?q=12.00&mode=test&status=failed')
    await page.getByRole('link', { name: 'Start' }).click()
    await page.getByRole('heading', { name: 'Start' }).waitFor()
    await page.goBack()
    await page.getByText('No payments match.').waitFor()
    expect(await page.getByLabel('Status').inputValue()).toBe('failed')
    expect(await page.getByRole('searchbox').inputValue()).toBe('12.00')
    await page.reload()
    expect(await page.getByRole('searchbox').inputValue()).toBe('12.00')
  })

  it('asks before it resends many, in a form that passes axe', async () => {
    const { route } = await receiver(() => 500)
    const on = await sandbox({ routes: [route], schedule: [] })
    for (let made = 0; made < 11; made += 1) {
      on.act(await payment(on, { webhook_url: 'https://shop.example/' }), { type: 'fail' })
    }
    await on.idle()
    const page = await open(`${dashboardOf(on)}/events`)
    await page.getByRole('button', { name: 'Resend all failed' }).click()
    expect(await findings(page)).toEqual([])
    await page.getByRole('button', { name: 'Resend 11 deliveries' }).click()
    await expect.poll(() => page.locator('.progress').textContent()).toContain('11 failed')
    expect(await findings(page)).toEqual([])
  })

  it('shows why a receiver refused a signature, and passes axe', async () => {
    const { event, dashboard } = await delivered(() => 401)
    const page = await open(`${dashboard}/events/${event.id}`)
    await page.getByLabel('Body that your receiver hashed').fill('{"amount": 1}')
    await page.getByLabel('Framework').selectOption('flask')
    await page.getByRole('button', { name: 'Find the difference' }).click()
    await page.getByText('They differ from byte').waitFor()
    expect(await findings(page)).toEqual([])
  })

  it('pays within three Tab stops, and shows the result of the delivery and of other windows live', async () => {
    const shop = await receiver()
    const on = await sandbox({ routes: [shop.route] })
    const { id, url } = await checkout(on, { webhook_url: 'https://shop.example/hook' })
    const page = await open(url)
    for (let stop = 0; stop < 3; stop += 1) await page.keyboard.press('Tab')
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Simulate Success')
    await page.keyboard.press('Enter')
    await page.locator('.events').getByText('delivered', { exact: true }).waitFor()
    await send(`${dashboardOf(on)}/payments/${id}/reverse`, { refund_type: 'refund' })
    await page.getByRole('heading', { name: 'Payment refunded' }).waitFor()
    await expect.poll(() => page.locator('.events').getByText('delivered', { exact: true }).count()).toBe(2)
  })
})

import { createServer } from 'node:http'
import { expect, it } from 'vitest'
import { dashboardOf, everyScreen, expectSigned } from '../sandbox/dashboard/support.ts'
import { call, receiver, sandbox } from '../sandbox/support.ts'
import { startServer } from '../support/start-server.ts'
import { findings } from './findings.ts'
import { fill, inBrowser } from './sandbox-dashboard.ts'

/** A merchant's server that fails at /broken and responds 202 at /odd. @returns the route to it */
async function merchant(): Promise<string> {
  const server = createServer((request, response) => {
    const { url = '' } = request
    request.resume().on('end', () => {
      response.writeHead(url.includes('broken') ? 500 : url.includes('odd') ? 202 : 200)
      response.end(`<script>document.title = "taken"</script> ${'unbroken'.repeat(60)}`)
    })
  })
  return `https://shop.example/=${await startServer(server)}/`
}

async function filled() {
  const on = await sandbox({ routes: [await merchant()], schedule: [3_600_000] })
  const [bought = ''] = await fill(on)
  return { on, bought, screens: await everyScreen(on, bought) }
}

inBrowser('the dashboard', (open) => {
  it('leads from an empty sandbox to a received webhook', async () => {
    const { got, route } = await receiver()
    const on = await sandbox({ routes: [route] })
    const page = await open(on.url)
    const events = await page.context().newPage()
    await events.goto(`${dashboardOf(on)}/events`)

    await page.getByRole('link', { name: 'Endpoints', exact: true }).click()
    await page.getByRole('link', { name: 'New endpoint' }).click()
    await page.getByLabel('URL').fill('https://shop.example/webhooks')
    await page.getByRole('button', { name: 'Create endpoint' }).click()
    expect(await page.getByRole('status').textContent()).toBe('Endpoint created.')
    await page.getByText('Signing secret', { exact: true }).click()
    const secret = (await page.getByLabel(/^Signing secret of/).textContent()) ?? ''

    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    await page.getByRole('link', { name: 'New payment' }).click()
    await page.getByLabel('Amount').fill('12.50')
    await page.getByLabel('Metadata').fill('order=SO-10482')
    await page.getByRole('button', { name: 'Create payment' }).click()
    await page.getByRole('link', { name: 'Open checkout' }).click()
    await page.getByRole('button', { name: 'Simulate Success' }).click()

    // The other page updates live.
    await expect.poll(() => events.locator('#list').getByText('delivered', { exact: true }).count()).toBe(1)
    expect(await events.getByRole('link', { name: 'payment.completed' }).count()).toBe(1)
    await on.idle()
    expect(got).toHaveLength(1)
    expectSigned(got[0], secret)
    expect(JSON.parse(String(got[0]?.body))).toMatchObject({
      event: 'payment.completed',
      amount: '12.50',
      test: true,
      metadata: { order: 'SO-10482' },
    })
  })

  it('works by keyboard alone', async () => {
    const on = await sandbox()
    const page = await open(`${dashboardOf(on)}/payments`)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    const focused = () =>
      page.evaluate<string>('document.activeElement.name || document.activeElement.innerText')
    for (const [wanted, typed] of [
      ['New payment', ''],
      ['amount', '7.77'],
    ] as const) {
      for (let step = 0; step < 12 && (await focused()) !== wanted; step += 1)
        await page.keyboard.press('Tab')
      await page.keyboard.type(typed)
      await page.keyboard.press('Enter')
    }

    await page.getByRole('heading', { name: 'Payment of 7.77 USD' }).waitFor()
  })

  it('works without scripts', async () => {
    const { got, route } = await receiver()
    const on = await sandbox({ routes: [route] })
    const page = await open(`${dashboardOf(on)}/payments`, { javaScriptEnabled: false })
    await page.getByRole('link', { name: 'New payment' }).click()
    await page.getByLabel('webhook_url').fill('https://shop.example/hooks')
    await page.getByRole('button', { name: 'Create payment' }).click()
    await page.getByRole('link', { name: 'Open checkout' }).click()
    await page.getByRole('button', { name: 'Simulate Failure' }).click()
    await on.idle()
    await page.goto(`${dashboardOf(on)}/events`)
    await page.getByRole('button', { name: /^Resend: / }).click()
    await on.idle()

    expect(got.map(({ path }) => path)).toEqual(['/hooks', '/hooks'])
    await page.getByLabel('Event').selectOption('payment.completed')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('No events match.').waitFor()
  })

  it('keeps open details and the focus when it refreshes', async () => {
    const { on, screens } = await filled()
    const page = await open(screens.find((address) => address.includes('/events/evt_')) ?? '')
    const details = page.locator('article details').first()
    await details.locator('summary').click()
    await page
      .getByRole('button', { name: /^Resend: / })
      .last()
      .focus()
    const before = await page.locator('article').count()
    const name = await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")
    const id = await details.getAttribute('id')

    // Another window resends.
    const delivery =
      /dlv_\w+/.exec((await page.locator('article').last().getAttribute('id')) ?? '')?.[0] ?? ''
    await fetch(`${dashboardOf(on)}/deliveries/${delivery}/resend`, { method: 'POST', redirect: 'manual' })
    await expect.poll(() => page.locator('article').count()).toBe(before + 1)
    await expect.poll(() => page.locator(`[id="${id}"]`).getAttribute('open')).not.toBeNull()
    await expect
      .poll(() => page.evaluate<string>("document.activeElement.getAttribute('aria-label')"))
      .toBe(name)
  })

  it('copies the .env file to the clipboard', async () => {
    const on = await sandbox()
    const page = await open(dashboardOf(on), { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Copy the .env file' }).click()
    await expect.poll(() => page.getByText('Copied').count()).toBe(1)
    expect((await page.evaluate<string>('navigator.clipboard.readText()')).split('\n')).toEqual([
      `PAYMENT_BASE_URL=${on.apiUrl}`,
      `PAYMENT_API_KEY=${on.testKey}`,
      `WEBHOOK_SECRET=${on.secret}`,
    ])
  })

  it('shows on a phone how far the clock is ahead', async () => {
    const on = await sandbox()
    on.advance(61 * 3_600_000)
    const page = await open(dashboardOf(on), { viewport: { width: 375, height: 740 } })
    expect(await page.locator('.bar').textContent()).toBe(
      'sandbox No money moves. Clock is 2 days 13 hours ahead.',
    )
    const cut =
      "[...document.querySelectorAll('.bar, .bar *')].filter((box) => box.scrollWidth > box.clientWidth && box.clientWidth > 0).length"
    expect(await page.evaluate<number>(cut)).toBe(0)
  })

  it.each([360, 1200])('passes axe, and fits a window of %i pixels', async (width) => {
    const { on, screens } = await filled()
    await call(on, 'GET', '/payments')
    const page = await open(dashboardOf(on), {
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
    })
    const wide = () => page.evaluate<number>('document.documentElement.scrollWidth')
    for (const address of [
      ...screens,
      `${dashboardOf(on)}/events?state=canceled`,
      `${dashboardOf(on)}/nothing`,
    ]) {
      await page.goto(address)
      await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true")
      expect([address, await findings(page)]).toEqual([address, []])
      expect([address, await wide()]).toEqual([address, width])
      expect(await page.title()).not.toBe('taken')
      expect(await page.locator('.bar').textContent()).toContain('sandbox')
    }
    for (const [path, button] of [
      ['/keys', 'Create key'],
      ['/payments', 'Create payment'],
    ] as const) {
      await page.goto(`${dashboardOf(on)}${path}#new`)
      if (path === '/payments') await page.getByLabel('Amount').fill('-1')
      await page.getByRole('button', { name: button }).click()
      await page.locator('[role=status], [role=alert]').filter({ hasText: /\S/ }).first().waitFor()
      expect([path, await findings(page), await wide()]).toEqual([path, [], width])
    }
    expect(await page.getByRole('alert').textContent()).toContain('Amount: expected')
  })
})

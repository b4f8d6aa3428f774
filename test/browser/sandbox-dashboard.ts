import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { Sandbox } from '../../sandbox/index.ts'
import { endpoint, payment } from '../sandbox/support.ts'
import { describeInBrowser, useBrowser } from './launch.ts'

export type OpenPage = (address: string, options?: BrowserContextOptions) => Promise<Page>

/** Tests that need the browser. Requests to other hosts and console errors fail the test. */
export function inBrowser(name: string, tests: (open: OpenPage) => void): void {
  describeInBrowser(name, () => {
    const browser = useBrowser()
    tests((address, options) => openIn(browser(), address, options))
  })
}

async function openIn(browser: Browser, address: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options })
  const violations: string[] = []
  onTestFinished(async () => {
    await context.close()
    expect(violations).toEqual([])
  })
  context.setDefaultTimeout(15_000)
  await context.route(
    (url) => url.host !== new URL(address).host,
    (route) => {
      violations.push(route.request().url())
      return route.abort()
    },
  )
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => violations.push(message))
  page.on('console', (message) => {
    // The browser logs the 4xx status of a rejected form.
    const isRejection = message.text().includes('the server responded with a status of 4')
    if (!isRejection) violations.push(message.text())
  })
  await page.goto(address)
  return page
}

/** Fills a sandbox with payments and deliveries in every state; its receiver fails at /broken. @returns payment ids */
export async function fill(on: Sandbox): Promise<string[]> {
  await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'both' })
  const long = `https://shop.example/broken/${'very-'.repeat(20)}${'x'.repeat(80)}`
  await endpoint(on, { url: long, mode: 'test', events: ['payment.completed'] })
  const metadata = { note: `</pre><b>"it's" & ünïcode ${'unbroken'.repeat(20)}` }
  const [bought, part, open] = [
    await payment(on, { metadata, webhook_url: 'https://shop.example/odd' }),
    await payment(on, { amount: '1.50' }),
    await payment(on, { amount: `1${'0'.repeat(30)}.00`, currency: 'RUB' }),
  ]
  on.act(bought, { type: 'succeed', simulated: true })
  await on.idle()
  on.act(bought, { type: 'reverse', as: 'refund' })
  on.act(part, { type: 'pay_part', method: 'gift_card', amount: '1.00' })
  on.act(await payment(on, {}, on.liveKey), { type: 'fail', code: 'card_declined' })
  await on.idle()
  return [bought, part, open]
}

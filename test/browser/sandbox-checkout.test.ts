import { mkdir } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Sandbox } from '../../sandbox/index.ts'
import { checkout, lookUp } from '../sandbox/checkout/support.ts'
import { control, receiver, sandbox } from '../sandbox/support.ts'
import { findings } from './findings.ts'
import { inBrowser } from './sandbox-dashboard.ts'

const SIZES = { phone: { width: 360, height: 740 }, screen: { width: 1200, height: 850 } }

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const drawer = (page: Page) => page.locator('summary')

const LONG = '123456789012345678901234567890.123456789012345678'

interface State {
  url: string
  /** Steps to perform on the page. */
  after?: (page: Page) => Promise<void>
}

/** Every state of the page, and how to reach it. */
const STATES: Readonly<Record<string, (on: Sandbox) => Promise<State>>> = {
  pending: (on) => checkout(on),
  live: (on) => checkout(on, {}, on.liveKey),
  'long amount': (on) => checkout(on, { amount: LONG, currency: 'LONG_CURRENCY_16' }),
  rejected: async (on) => ({ ...(await crypto(on)), after: submitInvalid }),
  partial: async (on) => acted(on, await crypto(on), { type: 'pay_part', method: 'crypto', amount: '10' }),
  'in window': async (on) =>
    acted(on, await checkout(on), { type: 'pay_part', method: 'gift_card', amount: '10' }),
  completed: async (on) => acted(on, await crypto(on), { type: 'succeed', simulated: true }),
  failed: async (on) => acted(on, await checkout(on, { return_url: undefined }), { type: 'fail' }),
  refunded: async (on) => {
    const paid = acted(on, await checkout(on), { type: 'succeed' })
    return acted(on, paid, { type: 'reverse', as: 'chargeback' })
  },
  missing: async (on) => ({ url: `${on.url}/test/checkout/tx_none` }),
}

function acted<P extends { id: string }>(on: Sandbox, payment: P, action: Parameters<Sandbox['act']>[1]): P {
  on.act(payment.id, action)
  return payment
}

async function crypto(on: Sandbox) {
  const created = await checkout(on, { webhook_url: 'https://shop.example/webhooks' })
  await control(on, `/payments/${created.id}/actions`, { type: 'switch_method', method: 'crypto' })
  return created
}

async function submitInvalid(page: Page): Promise<void> {
  await page.getByLabel('Partial amount (USD)').fill('12,50')
  await button(page, 'Pay this amount').click()
}

inBrowser('the checkout', (open) => {
  it.each([true, false])('leads to a received webhook, with scripts: %s', async (script) => {
    const shop = await receiver()
    const on = await sandbox({ routes: [shop.route] })
    const { id, url } = await checkout(on, { webhook_url: 'https://shop.example/hook' })
    const page = await open(url, { javaScriptEnabled: script })
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Pay Tea House')
    await button(page, 'Pix').click()
    await expect.poll(() => button(page, 'Pix').getAttribute('aria-pressed')).toBe('true')
    await button(page, 'Simulate Success').click()
    await page.getByText('Payment completed').waitFor()
    expect(await button(page, 'Simulate Success').count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Return to Tea House' }).getAttribute('href')).toBe(
      'https://shop.example/thanks',
    )
    // Reloading does not submit the form again, since its response was a redirect.
    await page.reload()
    await on.idle()
    expect(shop.got.map(({ body }) => JSON.parse(String(body)))).toMatchObject([
      { event: 'payment.completed', id, payment_method: 'pix', test: true, livemode: false },
    ])
  })

  it('spaces the methods evenly in rows and columns', async () => {
    const on = await sandbox()
    const page = await open((await checkout(on)).url, { viewport: SIZES.phone })
    const boxes = await page.evaluate<{ x: number; y: number; width: number; height: number }[]>(
      "[...document.querySelectorAll('.methods button')].map((button) => button.getBoundingClientRect().toJSON())",
    )
    const [first, second] = boxes
    const below = boxes.find(({ y }) => y > (first?.y ?? 0))
    expect(boxes).toHaveLength(13)
    expect((second?.x ?? 0) - (first?.x ?? 0) - (first?.width ?? 0)).toBeCloseTo(8, 0)
    expect((below?.y ?? 0) - (first?.y ?? 0) - (first?.height ?? 0)).toBeCloseTo(8, 0)
  })

  it('works with the keyboard alone', async () => {
    const on = await sandbox()
    const { id, url } = await checkout(on)
    const page = await open(url, { javaScriptEnabled: false })
    const tabTo = async (name: string, role: 'button' | 'combobox' | 'textbox' = 'button') => {
      const wanted = page.getByRole(role, { name, exact: true })
      for (let steps = 0; steps < 60; steps += 1) {
        await page.keyboard.press('Tab')
        if (await wanted.evaluate((element) => element.matches(':focus-visible'))) {
          expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px')
          return
        }
      }
      throw new Error(`Tab never reached ${name}`)
    }
    await tabTo('Crypto')
    await page.keyboard.press('Enter')
    await page.locator('[aria-pressed="true"]', { hasText: 'Crypto' }).waitFor()
    await page.waitForLoadState('load')
    await page.keyboard.press('Tab')
    // The fragment of the redirect keeps the position: focus continues at the switcher, not at the top of the page.
    expect(await page.evaluate('document.activeElement?.closest("#method") !== null')).toBe(true)
    for (let steps = 0; steps < 60; steps += 1) {
      await page.keyboard.press('Tab')
      if (await drawer(page).evaluate((element) => element.matches(':focus'))) break
    }
    await page.keyboard.press('Enter')
    await tabTo('Partial amount (USD)', 'textbox')
    await page.keyboard.type('12,5')
    await page.keyboard.press('Enter')
    const alert = page.getByRole('alert')
    await page.waitForLoadState('load')
    expect(await alert.textContent()).toBe('Amount: expected decimal text such as "25.00".')
    const amount = page.getByLabel('Partial amount (USD)')
    await expect.poll(() => amount.evaluate((element) => element.matches(':focus'))).toBe(true)
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('12.5')
    await page.keyboard.press('Enter')
    await page.getByText('Partly paid by').waitFor()
    expect(await lookUp(on, id)).toMatchObject({ status: 'partial', amount_received: '12.50' })
  })

  it.each(Object.keys(STATES))('%s: passes axe, and fits a phone', async (state) => {
    const on = await sandbox()
    const { url, after }: State = (await STATES[state]?.(on)) ?? { url: '' }
    for (const [size, viewport] of Object.entries(SIZES)) {
      const page = await open(url, { viewport, reducedMotion: 'reduce' })
      if ((await drawer(page).count()) > 0) await drawer(page).click()
      await after?.(page)
      await page.waitForLoadState('load')
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect([size, width]).toEqual([size, viewport.width])
      expect(await findings(page)).toEqual([])
      await shot(page, `${state}-${size}`)
    }
  })
})

/** Saves screenshots, light and dark, if SCREENSHOTS names a folder. */
async function shot(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS']
  if (folder === undefined) return
  await mkdir(folder, { recursive: true })
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const path = `${folder}/checkout-${name.replaceAll(' ', '-')}-${colorScheme}.png`
    await page.screenshot({ path, fullPage: true })
  }
}

import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { dashboardOf, delivered } from '../sandbox/dashboard/support.ts'
import { callFreely, sandbox } from '../sandbox/support.ts'
import { findings } from './findings.ts'
import { inBrowser } from './sandbox-dashboard.ts'

const PHONE = { viewport: { width: 390, height: 844 } }

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth')

inBrowser('the dashboard on a phone', (open) => {
  it('shows requests of another day in the API log within its width', async () => {
    const on = await sandbox()
    await callFreely(on, 'GET', '/payments')
    await callFreely(on, 'GET', `/payments/${'x'.repeat(80)}`)
    on.advance(48 * 3_600_000)
    const page = await open(`${dashboardOf(on)}/log`, PHONE)
    expect(await page.locator('.call').count()).toBe(2)
    expect(await widthOf(page)).toBe(390)
    expect(await findings(page)).toEqual([])
  })

  it('keeps the text of a block beside its Copy button', async () => {
    const on = await sandbox()
    const page = await open(dashboardOf(on), PHONE)
    const block = page.getByLabel('Command that forwards webhooks')
    const button = page.getByRole('button', { name: 'Copy the command' })
    const [right, left] = await Promise.all([
      page.evaluate<number>(TEXT_END),
      button.boundingBox().then((box) => box?.x ?? 0),
    ])
    expect(right).toBeLessThanOrEqual(left)
    expect(await block.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    expect(await widthOf(page)).toBe(390)
  })

  it('leads from a refused signature to the bytes that differ', async () => {
    const { dashboard, event } = await delivered(() => 401)
    const page = await open(`${dashboard}/events/${event.id}`, PHONE)
    expect(await findings(page)).toEqual([])
    await page.getByRole('link', { name: 'find out why', exact: true }).click()
    expect(await page.getByRole('combobox', { name: 'Delivery' }).count()).toBe(0)
    await page.getByLabel('Body that your receiver hashed').fill('{}')
    await page.getByRole('button', { name: 'Find the difference' }).click()
    await page.getByText('They differ from byte').waitFor()
    await page.waitForLoadState('load')
    expect(await widthOf(page)).toBe(390)
    expect(await findings(page)).toEqual([])
  })
})

/** The right edge of the text in the first block with a Copy button. */
const TEXT_END = `(() => {
  const range = document.createRange()
  range.selectNodeContents(document.querySelector('pre[data-copy]'))
  return Math.max(...[...range.getClientRects()].map(({ right }) => right))
})()`

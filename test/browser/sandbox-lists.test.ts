import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import type { Sandbox } from '../../sandbox/index.ts'
import { dashboardOf } from '../sandbox/dashboard/support.ts'
import { payment, receiver, sandbox } from '../sandbox/support.ts'
import { findings } from './findings.ts'
import { inBrowser } from './sandbox-dashboard.ts'

const focusedRow = (page: Page) =>
  page.evaluate<string | null>('document.activeElement?.closest("[data-row]")?.id ?? null')

const scrolled = (page: Page) => page.evaluate<number>('scrollY')

/** Waits until the page has connected and caught up with the server. */
async function settled(page: Page) {
  await expect.poll(() => page.locator('#live').textContent(), { timeout: 15_000 }).toBe('Live')
  await page.waitForTimeout(500)
}

/** A failed payment with one delivery. @returns the id of its event */
async function fail(on: Sandbox): Promise<string> {
  const id = await payment(on, { webhook_url: 'https://shop.example/' })
  const { event } = on.act(id, { type: 'fail' })
  await on.idle()
  return event.id
}

/** The Events screen of a sandbox with some events. @returns their ids, newest first */
async function listOf(count: number) {
  const { got, route } = await receiver()
  const on = await sandbox({ routes: [route] })
  const ids: string[] = []
  for (let made = 0; made < count; made += 1) ids.unshift(await fail(on))
  return { on, got, ids, address: `${dashboardOf(on)}/events` }
}

inBrowser('the lists of the console', (open) => {
  it('moves between rows and selects them by keyboard, and keeps both when the list changes', async () => {
    const { on, ids, address } = await listOf(3)
    const page = await open(address)
    for (const key of ['j', 'j', 'j', 'k']) await page.keyboard.press(key)
    await expect.poll(() => focusedRow(page)).toBe(ids[1])
    await page.keyboard.press('x')
    const button = page.getByRole('button', { name: 'Resend 1 selected' })
    await button.waitFor()
    const added = await fail(on)
    await page.locator(`#${added}.fresh`).waitFor()
    await expect.poll(() => focusedRow(page)).toBe(ids[1])
    await button.waitFor()
    await page.getByLabel('Select all').check()
    await page.getByRole('button', { name: 'Resend 4 selected' }).waitFor()
  })

  it('shows an action where it was performed, and does not repeat its message', async () => {
    const { got, ids, address } = await listOf(12)
    const page = await open(address, { viewport: { width: 1200, height: 400 } })
    await settled(page)
    const last = page.locator(`#${ids[10]}`).getByRole('button', { name: /^Resend/ })
    await last.scrollIntoViewIfNeeded()
    const top = await scrolled(page)
    expect(top).toBeGreaterThan(0)
    await last.focus()
    await page.keyboard.press('Enter')
    const message = page.getByText('Resending the same body with a new signature.')
    await message.waitFor()
    await expect.poll(() => focusedRow(page)).toBe(ids[10])
    expect(Math.abs((await scrolled(page)) - top)).toBeLessThan(200)
    const box = await message.boundingBox()
    expect(box?.y).toBeLessThan(400)
    await expect.poll(() => got.length).toBe(13)
    expect(await findings(page)).toEqual([])
    await page.reload()
    expect(await message.count()).toBe(0)
  })

  it('can be paused, and catches up', async () => {
    const { on, address } = await listOf(1)
    const page = await open(address)
    const status = page.locator('#live')
    await expect.poll(() => status.textContent(), { timeout: 15_000 }).toBe('Live')
    await page.getByRole('button', { name: 'Pause' }).click()
    await expect.poll(() => status.textContent()).toBe('Paused')
    const added = await fail(on)
    // The server sends changes within 150 ms.
    await page.waitForTimeout(1000)
    expect(await page.locator(`#${added}`).count()).toBe(0)
    expect(await status.textContent()).toBe('Paused, there are changes')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.locator(`#${added}`).waitFor()
    await expect.poll(() => status.textContent()).toBe('Live')
  })

  it('remembers how to show times', async () => {
    const { address } = await listOf(1)
    const page = await open(address, { timezoneId: 'Asia/Tokyo' })
    const time = page.locator('.event time').first()
    await expect.poll(() => time.textContent()).toMatch(/ago|now/)
    const iso = (await time.getAttribute('datetime')) ?? ''
    await page.getByLabel('How times are shown').selectOption('utc')
    await expect.poll(() => time.textContent()).toBe(iso.slice(0, 19).replace('T', ' '))
    await page.getByLabel('How times are shown').selectOption('local')
    await page.reload()
    const inTokyo = new Date(Date.parse(iso) + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    await expect.poll(() => time.textContent()).toBe(inTokyo)
    expect(await page.locator('#now').textContent()).toContain('Asia/Tokyo')
    expect(await findings(page)).toEqual([])
  })

  it('keeps what the person reads in its place when rows arrive above', async () => {
    const { on, ids, address } = await listOf(12)
    const page = await open(address, { viewport: { width: 1200, height: 400 } })
    await settled(page)
    const row = page.locator(`#${ids[8]}`)
    await row.evaluate((box) => box.scrollIntoView())
    const before = (await row.boundingBox())?.y ?? 0
    const added = await fail(on)
    await page.locator(`#${added}`).waitFor({ state: 'attached' })
    await expect.poll(async () => Math.abs(((await row.boundingBox())?.y ?? 0) - before)).toBeLessThan(2)
  })

  it('copies a link to a filter', async () => {
    const { address } = await listOf(1)
    const page = await open(`${address}?name=payment.failed`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link to this filter' }).click()
    await expect
      .poll(() => page.evaluate<string>('navigator.clipboard.readText()'))
      .toBe(`${address}?name=payment.failed`)
  })
})

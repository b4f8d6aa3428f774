import { expect, it } from 'vitest'
import { inChromium, SIZES } from './chromium.ts'
import { openAll } from './steps.ts'

const SCHEMES = ['light', 'dark'] as const

inChromium('the page', (open) => {
  it.each(Object.entries(SIZES))('is never wider than a %s, whatever is open', async (_, viewport) => {
    for (const report of ['bundled', 'trusting', 'created', 'hostile'] as const) {
      const { page } = await open(report, { viewport })
      const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
      expect([report, await width()]).toEqual([report, viewport.width])
      await openAll(page)
      expect([report, 'open', await width()]).toEqual([report, 'open', viewport.width])
    }
  })

  it('gives what is long a box of its own, which the keyboard can scroll', async () => {
    const { page } = await open('hostile', { viewport: SIZES.phone })
    await openAll(page)
    const box = page.locator('pre.long').first()
    const height = (await box.boundingBox())?.height ?? 0
    expect(height).toBeLessThan(SIZES.phone.height / 2)
    expect(await box.evaluate((one) => one.scrollHeight)).toBeGreaterThan(height)
    expect(await box.getAttribute('aria-label')).toMatch(/^Body /)
    await box.focus()
    await page.keyboard.press('End')
    await expect.poll(() => box.evaluate((one) => one.scrollTop)).toBeGreaterThan(0)
  })

  it.each(Object.entries(SIZES))('shows on a %s where the focus is', async (_, viewport) => {
    for (const colorScheme of SCHEMES) {
      const { page } = await open('elsewhere', { viewport, colorScheme })
      const unseen: string[] = []
      let reached = 0
      for (let step = 0; step < 50; step += 1) {
        await page.keyboard.press('Tab')
        const focus = await page.evaluate<{ name: string; outline: string; width: string; atop: boolean }>(
          FOCUS,
        )
        // Behind the last element the browser has the focus itself.
        if (focus.name.startsWith('<body')) break
        reached += 1
        if (focus.outline !== 'solid' || focus.width !== '3px' || !focus.atop)
          unseen.push(JSON.stringify(focus))
      }
      expect(unseen).toEqual([])
      expect(reached).toBeGreaterThan(30)
    }
  })

  it('stands still', async () => {
    const { page } = await open('elsewhere', { reducedMotion: 'reduce', hash: '#case-effects/once' })
    await openAll(page)
    await page.getByRole('combobox', { name: 'Section' }).selectOption('transport')
    const moving = await page.evaluate<string[]>(MOVING)
    expect(moving).toEqual([])
  })

  it('is light or dark as the reader asks', async () => {
    const brightness: number[] = []
    for (const colorScheme of SCHEMES) {
      const { page } = await open('bundled', { colorScheme })
      brightness.push(await page.evaluate<number>(BRIGHTNESS))
    }
    expect(brightness[0]).toBeGreaterThan(200)
    expect(brightness[1]).toBeLessThan(50)
  })
})

inChromium('on paper', (open) => {
  it('stands what failed, dark on white, and nothing to click', async () => {
    const { page } = await open('trusting', { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate<number>(BRIGHTNESS)).toBeGreaterThan(200)
    const failed = page.locator('[id="case-refusals/another-secret"] dl').first()
    const passed = page.locator('[id="case-transport/posted-as-json"] dl').first()
    const seen = async (one: typeof failed) => one.evaluate((element) => element.checkVisibility())
    expect([await seen(failed), await seen(passed)]).toEqual([true, false])
    expect(await page.locator('form').isVisible()).toBe(false)
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

/** The focused element, and whether its middle is on the screen with nothing over it. */
const FOCUS = `(() => {
  const one = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(one)
  const { x, y, height } = one.getClientRects()[0]
  const top = document.elementFromPoint(x + 3, y + height / 2)
  return { name: one.outerHTML.slice(0, 80), outline: outlineStyle, width: outlineWidth, atop: one.contains(top) }
})()`

const MOVING = `[...document.querySelectorAll('*')].filter((one) => {
  const style = getComputedStyle(one)
  return style.transitionDuration !== '0s' || style.animationName !== 'none' || style.scrollBehavior !== 'auto'
}).map((one) => one.tagName)`

/** Of the background, from 0 to 255: that of the body, or white where it has none. */
const BRIGHTNESS = `Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))`

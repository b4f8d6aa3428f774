import { expect, it } from 'vitest'
import { inChromium, SIZES } from './chromium.ts'
import { openAll } from './steps.ts'

const SCHEMES = ['light', 'dark'] as const

inChromium('the page', (open) => {
  it.each(Object.entries(SIZES))(
    'is never wider than a %s, even with everything open',
    async (_, viewport) => {
      for (const report of ['bundled', 'trusting', 'created', 'hostile'] as const) {
        const { page } = await open(report, { viewport })
        const width = () => page.evaluate<number>('document.documentElement.scrollWidth')
        expect([report, await width()]).toEqual([report, viewport.width])
        await openAll(page)
        expect([report, 'open', await width()]).toEqual([report, 'open', viewport.width])
      }
    },
  )

  it('puts long text into a box that scrolls by keyboard', async () => {
    const { page } = await open('hostile', { viewport: SIZES.phone })
    await openAll(page)
    const box = page.locator('pre.long').first()
    const height = (await box.boundingBox())?.height ?? 0
    expect(height).toBeLessThan(SIZES.phone.height / 2)
    expect(await box.evaluate((element) => element.scrollHeight)).toBeGreaterThan(height)
    expect(await box.getAttribute('aria-label')).toMatch(/ body$/)
    await box.focus()
    await page.keyboard.press('End')
    await expect.poll(() => box.evaluate((element) => element.scrollTop)).toBeGreaterThan(0)
  })

  it.each(Object.entries(SIZES))('shows the focus on a %s', async (_, viewport) => {
    for (const colorScheme of SCHEMES) {
      const { page } = await open('elsewhere', { viewport, colorScheme })
      const unseen: string[] = []
      let reached = 0
      await page.getByRole('button', { name: 'Show all' }).click()
      // The next Tab starts at the top again.
      await page.evaluate(
        'document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute("tabindex")',
      )
      for (let step = 0; step < 50; step += 1) {
        await page.keyboard.press('Tab')
        const focus = await page.evaluate<{ name: string; outline: string; width: string; atop: boolean }>(
          FOCUS,
        )
        // After the last element the browser itself has the focus.
        if (focus.name.startsWith('<body')) break
        reached += 1
        if (focus.outline !== 'solid' || focus.width !== '3px' || !focus.atop)
          unseen.push(JSON.stringify(focus))
      }
      expect(unseen).toEqual([])
      expect(reached).toBeGreaterThan(30)
    }
  })

  it('does not move', async () => {
    const { page } = await open('elsewhere', { reducedMotion: 'reduce', hash: '#case-effects/once' })
    await openAll(page)
    await page.getByRole('combobox', { name: 'Section' }).selectOption('transport')
    const moving = await page.evaluate<string[]>(MOVING)
    expect(moving).toEqual([])
  })

  it('follows the preferred color scheme', async () => {
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
  it('shows the failures, dark on white, without controls', async () => {
    const { page } = await open('trusting', { colorScheme: 'dark' })
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.evaluate<number>(BRIGHTNESS)).toBeGreaterThan(200)
    const failed = page.locator('[id="case-refusals/another-secret"] dl').first()
    const passed = page.locator('[id="case-transport/posted-as-json"] dl').first()
    const seen = async (locator: typeof failed) => locator.evaluate((element) => element.checkVisibility())
    expect([await seen(failed), await seen(passed)]).toEqual([true, false])
    expect(await page.locator('form').isVisible()).toBe(false)
    expect((await page.pdf({ format: 'A4' })).subarray(0, 5).toString()).toBe('%PDF-')
  })
})

/** The focused element, and whether its middle is on the screen with nothing over it. */
const FOCUS = `(() => {
  const focused = document.activeElement
  const { outlineStyle, outlineWidth } = getComputedStyle(focused)
  const { x, y, height } = focused.getClientRects()[0]
  const top = document.elementFromPoint(x + 3, y + height / 2)
  return { name: focused.outerHTML.slice(0, 80), outline: outlineStyle, width: outlineWidth, atop: focused.contains(top) }
})()`

const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
  const style = getComputedStyle(element)
  return style.transitionDuration !== '0s' || style.animationName !== 'none' || style.scrollBehavior !== 'auto'
}).map(({ tagName }) => tagName)`

/** The brightness of the page's background, from 0 to 255. */
const BRIGHTNESS = `Math.max(...getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).map(Number))`

import { expect, it } from 'vitest'
import { inChromium, SIZES } from './chromium.ts'
import { findings } from './findings.ts'
import { openAll } from './steps.ts'

inChromium('axe finds no violation', (open) => {
  const sizes = Object.entries(SIZES).map(([size, viewport]) => ({ size, viewport }))
  // Each size and each report once; the next tests have each size with everything open.
  const closed = (['bundled', 'created', 'unobserved'] as const).map((report, at) => ({
    report,
    ...sizes[at],
  }))

  it.each(closed)('$report, closed, on a $size', async ({ report, ...options }) => {
    const { page } = await open(report, options)

    expect(await findings(page)).toEqual([])
  })

  it.each(sizes)('hostile, open and filtered, on a $size', async (options) => {
    const { page } = await open('hostile', { ...options, reducedMotion: 'reduce' })
    await openAll(page)
    expect(await findings(page)).toEqual([])

    await page.getByRole('combobox', { name: 'Section' }).selectOption('time-window')
    expect(await findings(page)).toEqual([])

    await page.getByRole('checkbox', { name: /^failed/ }).uncheck()
    await page.getByRole('checkbox', { name: /^passed/ }).uncheck()
    expect(await page.getByText('No case matches the filter.').isVisible()).toBe(true)
    expect(await findings(page)).toEqual([])
  })

  it.each(sizes)('without script, on a $size', async (options) => {
    const { page } = await open('elsewhere', options)
    // axe is itself a script, so the test recreates the state: only the form depends on our script.
    await page.evaluate("document.querySelector('form').hidden = true")

    expect(await findings(page)).toEqual([])
  })

  it('in the longest page, with everything open', async () => {
    const { page } = await open('trusting', { viewport: SIZES.phone })
    await openAll(page)

    expect(await findings(page)).toEqual([])
  })
})

import { expect, inject, it } from 'vitest'
import { OUTCOME_COLUMNS } from '../../conformance/report/wording.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { inChromium, SIZES } from './chromium.ts'
import { type ReportName, readReport } from './reports.ts'
import { announced, openAll, shownCases } from './steps.ts'

const reportOf = async (name: ReportName): Promise<ConformanceReport> => {
  const made = inject('reports')[name]
  if (made === undefined) throw new Error(`no report ${name} was made`)
  return readReport(made)
}
const idsOf = (
  { verdicts }: ConformanceReport,
  wanted: (verdict: ConformanceReport['verdicts'][number]) => boolean,
) =>
  verdicts
    .filter(wanted)
    .map(({ case: id }) => id)
    .toSorted()

inChromium('the filters', (open) => {
  it('show one section, one outcome, both or all by mouse', async () => {
    const report = await reportOf('trusting')
    const { page } = await open('trusting', { viewport: SIZES.screen })
    const shown = async () => (await shownCases(page)).toSorted()

    await page.getByRole('combobox', { name: 'Section' }).selectOption('refusals')
    const both = idsOf(report, ({ section, outcome }) => section === 'refusals' && outcome === 'failed')
    expect(both.length).toBeGreaterThan(5)
    // What passed is hidden at first.
    expect(await shown()).toEqual(both)
    expect(await announced(page)).toBe(`${both.length} of ${report.verdicts.length} cases shown`)

    await page.getByRole('checkbox', { name: /^passed/ }).click()
    const all = idsOf(report, ({ section }) => section === 'refusals')
    expect(all.length).toBeGreaterThan(both.length)
    expect(await shown()).toEqual(all)
    expect(await page.getByRole('heading', { name: 'Transport', exact: true }).isVisible()).toBe(false)

    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(shown).toHaveLength(report.verdicts.length)
  })

  it('search while typing, in ids, requirements and what was received', async () => {
    const report = await reportOf('trusting')
    const { page } = await open('trusting')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await search.pressSequentially('KEY-UNDEFINED status')
    await expect.poll(() => shownCases(page)).toEqual(['refusals/key-undefined'])
    expect(await announced(page)).toBe(`1 of ${report.verdicts.length} cases shown`)
    await page.getByRole('button', { name: 'Show all' }).click()
    await expect.poll(() => shownCases(page)).toHaveLength(report.verdicts.length)
    expect(await search.inputValue()).toBe('')
  })

  it('work by keyboard alone', async () => {
    const report = await reportOf('unobserved')
    const { page } = await open('unobserved')
    const shown = async () => (await shownCases(page)).toSorted()
    await page.getByRole('combobox', { name: 'Section' }).focus()
    await page.keyboard.type('Effects')
    await expect.poll(shown).toEqual(idsOf(report, ({ section }) => section === 'effects'))

    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space')
    await expect.poll(shown).toEqual([])
    expect(await announced(page)).toBe(`No case matches: 0 of ${report.verdicts.length} cases shown`)
    expect(await page.getByText('No case matches the filter.').isVisible()).toBe(true)

    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(shown).toHaveLength(report.verdicts.length)
    expect(await page.getByText('No case matches the filter.').isVisible()).toBe(false)
  })

  it('offer only outcomes that occur, with their counts', async () => {
    for (const name of ['bundled', 'created'] as const) {
      const { counts } = await reportOf(name)
      const { page } = await open(name)
      const labels = await page.locator('fieldset label').allTextContents()
      const wanted = Object.entries(counts).filter(([, count]) => count > 0)
      const names: Readonly<Record<string, string>> = OUTCOME_COLUMNS
      expect(labels.map((label) => label.trim())).toEqual(
        wanted.map(([outcome, count]) => `${names[outcome]} (${count})`),
      )
    }
  })
})

inChromium('the code that helps', (open) => {
  it('is in the first screen, with a button that copies it', async () => {
    const { page } = await open('trusting', {
      viewport: SIZES.screen,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    const code = page.locator('pre.code').first()
    expect((await code.boundingBox())?.y).toBeLessThan(SIZES.screen.height / 2 + 200)
    await page.getByRole('button', { name: 'Copy the code' }).first().click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(await code.textContent())
    expect(await page.getByText('Copied', { exact: true }).isVisible()).toBe(true)
  })
})

inChromium('the link to a case', (open) => {
  it('opens the case and scrolls to it', async () => {
    const { page } = await open('trusting', { hash: '#case-refusals/another-secret' })
    const testCase = page.locator('[id="case-refusals/another-secret"]')

    await expect.poll(() => testCase.getAttribute('open')).not.toBeNull()
    const top = expect.poll(async () => (await testCase.boundingBox())?.y)
    await top.toBeGreaterThan(0)
    await top.toBeLessThan(SIZES.window.height / 2)
  })

  it('works for a case that is filtered out or was closed again', async () => {
    const { page } = await open('trusting')
    const testCase = page.locator('[id="case-refusals/empty-key"]')
    const link = page.locator('.fixes a[href="#case-refusals/empty-key"]')
    await openAll(page)
    await testCase.locator('summary').first().click()
    await page.getByRole('combobox', { name: 'Section' }).selectOption('transport')
    await link.click()
    await expect.poll(() => testCase.getAttribute('open')).not.toBeNull()
    expect(await testCase.isVisible()).toBe(true)

    await testCase.locator('summary').first().click()
    expect(await testCase.getAttribute('open')).toBeNull()
    await link.click()
    await expect.poll(() => testCase.getAttribute('open')).not.toBeNull()
  })

  it('does no harm when the target does not exist', async () => {
    for (const hash of ['#case-no/such', '#%', '#"]', '#sections']) {
      const { errors } = await open('bundled', { hash })
      expect([hash, errors]).toEqual([hash, []])
    }
  })
})

import { readFile } from 'node:fs/promises'
import { expect, inject, it } from 'vitest'
import { GRADES, grade } from '../../conformance/report/grade.ts'
import { inChromium, SIZES } from './chromium.ts'
import { MARKUP } from './hostile.ts'
import { type MadeReport, type ReportName, readReport } from './reports.ts'
import { openAll, shownCases } from './steps.ts'

const madeOf = (name: ReportName): MadeReport => {
  const made = inject('reports')[name]
  if (made === undefined) throw new Error(`no report ${name} was made`)
  return made
}
const ALL = ['bundled', 'trusting', 'elsewhere', 'created', 'unobserved', 'hostile'] as const

/** A sentence as it is shown: backquotes mark code in it. */
const plain = (sentence: string) => sentence.replaceAll('`', '')
/** As HTML shows it: one line break, and what can not be seen is written as its code. */
const raw = (value: string) => value.replaceAll('\r\n', '\n').replaceAll('\uFEFF', '\\u{feff}')

inChromium('the content', (open) => {
  it('tells of each failed case what the contract expected, what went to and fro, what it means and how to mend it', async () => {
    const { verdicts } = await readReport(madeOf('trusting'))
    const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
    expect(failed.length).toBeGreaterThan(40)
    const { page } = await open('trusting')
    const missing: string[] = []
    for (const { case: id, spec, impact, fix, reproduce, exchanges } of failed) {
      const text = (await page.locator(`[id="case-${id}"]`).textContent()) ?? ''
      const sent = exchanges.flatMap(({ delivery, answer }) => [
        ...delivery.headers.map(([name, value]) => `${name}: ${value}`),
        delivery.body.text ?? delivery.body.base64 ?? '',
        ...(answer?.headers ?? []).map(([name, value]) => `${name}: ${value}`),
        answer?.body.text ?? '',
      ])
      const wanted = [plain(spec.sentence), plain(impact), plain(fix), reproduce ?? '', ...sent]
      missing.push(...wanted.filter((one) => !text.includes(raw(one))).map((one) => `${id}: ${one}`))
    }
    expect(missing).toEqual([])
  })

  it('shows the first probe of a failed case as soon as that is opened', async () => {
    const { page } = await open('trusting', { hash: '#case-refusals/another-secret' })
    const one = page.locator('[id="case-refusals/another-secret"]')
    expect(await one.locator('pre', { hasText: 'X-Service-Signature' }).first().isVisible()).toBe(true)
  })

  it('has what failed before what passed, and first of all what to mend', async () => {
    const { page } = await open('elsewhere')
    const outcomes = await page
      .locator('section[data-section="effects"] > details')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-outcome')))
    const failed = outcomes.filter((outcome) => outcome === 'failed').length
    expect(failed).toBeGreaterThan(0)
    expect(outcomes.slice(0, failed)).toEqual(Array.from({ length: failed }, () => 'failed'))
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
    expect(headings).toEqual(['Failed, the gravest first', 'Sections', 'Cases'])
  })

  it('has the grade with its rule, and all rules', async () => {
    for (const name of ALL) {
      const report = await readReport(madeOf(name))
      const { letter, rule } = grade(report)
      const { page } = await open(name)
      await page.locator('header summary').click()
      const header = await page.locator('header').innerText()
      expect(header).toContain(`Grade ${letter}: ${rule}`)
      for (const one of GRADES) expect(header).toContain(one.rule)
    }
  })

  it('says nowhere the secret or a whole signature', async () => {
    for (const name of ALL) {
      const made = madeOf(name)
      const file = await readFile(made.html, 'utf8')
      expect(made.secrets.length).toBeGreaterThan(name === 'hostile' ? 10 : 0)
      expect([name, made.secrets.filter((one) => file.includes(one.slice(0, 12)))]).toEqual([name, []])
      expect([name, file.match(/v1=[0-9a-f]{9}|\b[0-9a-f]{64}\b/i)]).toEqual([name, null])
    }
  })
})

inChromium('the page by itself', (open) => {
  it('asks nobody for anything, and has no error to tell', async () => {
    for (const name of ALL) {
      const { page, requests, errors } = await open(name)
      await openAll(page)
      await page.getByRole('combobox', { name: 'Section' }).selectOption({ index: 1 })

      expect([name, requests, errors]).toEqual([name, [], []])
    }
  })

  it('keeps hostile text as text', async () => {
    const { page, requests, errors } = await open('hostile')
    await openAll(page)
    expect(await page.title()).toBe('hookproof: Not conformant, grade F')
    expect([requests, errors]).toEqual([[], []])
    expect(await page.locator('script').count()).toBe(1)
    expect(await page.locator('img').count()).toBe(0)
    const shown = page.locator('pre', { hasText: MARKUP })
    expect(await shown.count()).toBeGreaterThan(10)
    expect(await shown.first().isVisible()).toBe(true)
  })

  it('lets nothing run that gets in all the same', async () => {
    const { page, requests, errors } = await open('bundled')
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="document.title=1">');
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = "taken"' }))`)
    await expect.poll(() => errors.length).toBeGreaterThanOrEqual(2)
    expect(errors.filter((error) => !error.includes('Content Security Policy'))).toEqual([])
    expect(requests).toEqual([])
    expect(await page.title()).toContain('hookproof')
  })

  it('is all there without script, and offers no control that would do nothing', async () => {
    for (const viewport of Object.values(SIZES)) {
      const { page } = await open('trusting', { viewport, javaScriptEnabled: false })
      const { verdicts } = await readReport(madeOf('trusting'))
      expect(await shownCases(page)).toHaveLength(verdicts.length)
      expect(
        await page.locator('button:visible, input:visible, select:visible, output:visible').count(),
      ).toBe(0)
      const one = page.locator('[id="case-refusals/empty-key"]')
      await one.locator('summary').first().click()
      expect(await one.locator('dl').first().isVisible()).toBe(true)
    }
  })
})

import { readFile } from 'node:fs/promises'
import { expect, inject, it } from 'vitest'
import { GRADES, grade } from '../../conformance/report/grade.ts'
import { isNarrowed } from '../../conformance/report/summary.ts'
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

/** A sentence as the page shows it: its backquotes mark code. */
const plain = (sentence: string) => sentence.replaceAll('`', '')
/** Text as the page shows it: normalized line breaks, and invisible characters as their code point. */
const raw = (value: string) =>
  value
    .replaceAll('\r\n', '\n')
    .replaceAll(/[\u0080-\u009f\ufeff]/g, (invisible) => `\\u{${invisible.charCodeAt(0).toString(16)}}`)

inChromium('the content', (open) => {
  it('shows the requirement, impact, fix, command and every exchange of each failed case', async () => {
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
      missing.push(...wanted.filter((part) => !text.includes(raw(part))).map((part) => `${id}: ${part}`))
    }
    expect(missing).toEqual([])
  })

  it('shows the first probe of a failed case when the case is opened', async () => {
    const { page } = await open('trusting', { hash: '#case-refusals/another-secret' })
    const testCase = page.locator('[id="case-refusals/another-secret"]')
    expect(await testCase.locator('pre', { hasText: 'X-Service-Signature' }).first().isVisible()).toBe(true)
  })

  it('lists failures before passes, and what to fix first of all', async () => {
    const { page } = await open('elsewhere')
    const outcomes = await page
      .locator('section[data-section="effects"] > details')
      .evaluateAll((all) => all.map((details) => details.getAttribute('data-outcome')))
    const failed = outcomes.filter((outcome) => outcome === 'failed').length
    expect(failed).toBeGreaterThan(0)
    expect(outcomes.slice(0, failed)).toEqual(Array.from({ length: failed }, () => 'failed'))
    const headings = await page.getByRole('heading', { level: 2 }).allTextContents()
    const warnings = 'Warnings (SHOULD requirements not met)'
    const first = ['Causes of the failures', 'Other failures, which these causes do not explain']
    expect(headings).toEqual([...first, warnings, 'Sections', 'About this run', 'Cases'])
  })

  it('shows the grade with its rule and all rules, and none for selected cases', async () => {
    for (const name of ALL) {
      const report = await readReport(madeOf(name))
      const { letter, rule } = grade(report)
      const { page } = await open(name)
      if (isNarrowed(report)) {
        expect(await page.locator('header').innerText()).not.toContain('Grade')
        continue
      }
      expect(await page.locator('header').innerText()).toContain(`Grade ${letter}: ${rule}`)
      await page.locator('.run summary').click()
      const run = await page.locator('.run').innerText()
      for (const { rule: each } of GRADES) expect(run).toContain(each)
    }
  })

  it('contains neither the secret nor a complete signature', async () => {
    for (const name of ALL) {
      const made = madeOf(name)
      const file = await readFile(made.html, 'utf8')
      expect(made.secrets.length).toBeGreaterThan(name === 'hostile' ? 10 : 0)
      expect([name, made.secrets.filter((secret) => file.includes(secret.slice(0, 12)))]).toEqual([name, []])
      expect([name, file.match(/v1=[0-9a-f]{9}|\b[0-9a-f]{64}\b/i)]).toEqual([name, null])
    }
  })
})

inChromium('the page by itself', (open) => {
  it('sends no request and logs no error', async () => {
    for (const name of ALL) {
      const { page, requests, errors } = await open(name)
      await openAll(page)
      await page.getByRole('combobox', { name: 'Section' }).selectOption({ index: 1 })

      expect([name, requests, errors]).toEqual([name, [], []])
    }
  })

  it('shows hostile text as text', async () => {
    const { page, requests, errors } = await open('hostile')
    await openAll(page)
    expect(await page.title()).toBe('hookproof: Not conformant')
    expect([requests, errors]).toEqual([[], []])
    expect(await page.locator('script').count()).toBe(1)
    expect(await page.locator('img').count()).toBe(0)
    const shown = page.locator('pre', { hasText: MARKUP })
    expect(await shown.count()).toBeGreaterThan(10)
    expect(await shown.first().isVisible()).toBe(true)
  })

  it('runs nothing that gets into the page', async () => {
    const { page, requests, errors } = await open('bundled')
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="http://127.0.0.1:9/x" onerror="document.title=1">');
      document.body.append(Object.assign(document.createElement('script'), { textContent: 'document.title = "taken"' }))`)
    await expect.poll(() => errors.length).toBeGreaterThanOrEqual(2)
    expect(errors.filter((error) => !error.includes('Content Security Policy'))).toEqual([])
    expect(requests).toEqual([])
    expect(await page.title()).toContain('hookproof')
  })

  it('is complete without script, and then shows no useless controls', async () => {
    for (const viewport of Object.values(SIZES)) {
      const { page } = await open('trusting', { viewport, javaScriptEnabled: false })
      const { verdicts } = await readReport(madeOf('trusting'))
      expect(await shownCases(page)).toHaveLength(verdicts.length)
      expect(
        await page.locator('button:visible, input:visible, select:visible, output:visible').count(),
      ).toBe(0)
      const testCase = page.locator('[id="case-refusals/empty-key"]')
      await testCase.locator('summary').first().click()
      expect(await testCase.locator('dl').first().isVisible()).toBe(true)
    }
  })
})

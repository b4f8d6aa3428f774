import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** The violations that axe finds with all its rules, including best practices and experimental rules. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]))
  const options = { resultTypes: ['violations'], preload: false, rules }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds with every rule it has, best practice and the experimental ones included. */
export async function findings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]))
  const options = { resultTypes: ['violations'], preload: false, rules }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((one) => `${id}: ${one.html.slice(0, 200)} ${one.failureSummary}`),
  )
}

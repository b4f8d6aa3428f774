import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// For the scripts, which do not have the packages of this folder.
export { type AxeResults, axe }

/** The violations that axe finds with all its rules, including best practices and experimental rules. */
export async function findings(page: Page): Promise<string[]> {
  // A click returns once the next page has begun to load; its styles may not be there yet.
  await page.waitForLoadState('load')
  await page.evaluate(axe.source)
  const rules = Object.fromEntries(axe.getRules().map(({ ruleId }) => [ruleId, { enabled: true }]))
  const options = { resultTypes: ['violations'], preload: false, rules }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  )
}

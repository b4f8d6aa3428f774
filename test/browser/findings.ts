import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

// For the scripts, which do not have the packages of this folder.
export { type AxeResults, axe }

/** The rules whose result depends on the colors, which are all that a dark page changes. */
const OF_COLORS = ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block']

/**
 * The violations that axe finds with the rules of colors when the page is dark, and with all its rules, including best practices
 * and experimental rules, when it is light, as it then stays.
 */
export async function findings(page: Page): Promise<string[]> {
  // A click returns once the next page has begun to load; its styles may not be there yet.
  await page.waitForLoadState('load')
  await page.evaluate(axe.source)
  const ids = axe.getRules().map(({ ruleId }) => ruleId)
  const found: string[] = []
  for (const [colorScheme, enabled] of [
    ['dark', OF_COLORS],
    ['light', ids],
  ] as const) {
    // Without motion, so that the colors change at once.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const rules = Object.fromEntries(ids.map((id) => [id, { enabled: enabled.includes(id) }]))
    const options = { resultTypes: ['violations'], preload: false, rules }
    const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
    for (const { id, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        found.push(`${id}, ${colorScheme}: ${html.slice(0, 200)} ${failureSummary}`)
  }
  return found
}

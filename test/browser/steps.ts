import type { Page } from 'playwright-core'

/** Opens every details element of the page. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
}

/** The ids of the visible cases. */
export async function shownCases(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(
    "[...document.querySelectorAll('details[data-outcome]')].filter((one) => one.checkVisibility()).map((one) => one.id.slice('case-'.length))",
  )
}

/** The text that the filters announce to screen readers. */
export async function announced(page: Page): Promise<string> {
  return (await page.locator('output[aria-live="polite"]').textContent()) ?? ''
}

import type { Browser, Page } from 'playwright-core'

/** The share of the window that may move while the page loads: half of what browsers call good, to see a fault early. */
const MOST_LAYOUT_SHIFT = 0.05
const LAYOUT_SHIFT = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 100)
})`

/** How much a page has moved since it began to load, if that is too much. */
export async function shiftFaults(page: Page): Promise<string[]> {
  const shift = await page.evaluate<number>(LAYOUT_SHIFT)
  return shift > MOST_LAYOUT_SHIFT
    ? [`shifts its layout by ${shift.toFixed(2)} at ${page.viewportSize()?.width} pixels`]
    : []
}

/** The same for a page that arrives slowly: what is shown first must stay where it is. */
export async function slowFaults(browser: Browser, url: string, width: number): Promise<string[]> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, reducedMotion: 'reduce' })
  try {
    const page = await context.newPage()
    const response = await page.goto(url)
    if (response?.status() !== 200) return [`answers ${response?.status()}`]
    return await shiftFaults(page)
  } finally {
    await context.close()
  }
}

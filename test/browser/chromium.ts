import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { describeInBrowser, useBrowser } from './launch.ts'
import type { ReportName } from './reports.ts'

/** The browser on PATH; nothing is ever downloaded. */
export async function findChromium(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, 'chromium')
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (found) return path
  }
  return undefined
}

/** The tests use these sizes, in CSS pixels: a phone, a window beside another, a full screen. */
export const SIZES = {
  phone: { width: 360, height: 740 },
  window: { width: 900, height: 1000 },
  screen: { width: 1400, height: 900 },
} as const

/** The page of a test, with its forbidden requests and console errors. */
interface Opened {
  readonly page: Page
  readonly requests: readonly string[]
  readonly errors: readonly string[]
}

export type Open = (
  report: ReportName,
  options?: BrowserContextOptions & { readonly hash?: string },
) => Promise<Opened>

/** Tests that need the browser: skipped without one, which setup.ts has then logged. */
export function inChromium(name: string, tests: (open: Open) => void): void {
  describeInBrowser(name, () => {
    const browser = useBrowser()
    tests((report, options) => openIn(browser(), report, options))
  })
}

async function openIn(
  browser: Browser,
  report: ReportName,
  { hash = '', ...options }: Parameters<Open>[1] = {},
): Promise<Opened> {
  const made = inject('reports')[report]
  if (made === undefined) throw new Error(`no report ${report} was made`)
  const context = await browser.newContext({ viewport: SIZES.window, ...options })
  onTestFinished(() => context.close())
  const requests: string[] = []
  const errors: string[] = []
  const own = pathToFileURL(made.html).href
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (url.split('#')[0] === own) return route.continue()
    requests.push(url)
    return route.abort()
  })
  context.setDefaultTimeout(15_000)
  const page = await context.newPage()
  page.on('pageerror', ({ message }) => errors.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') errors.push(message.text())
  })
  await page.goto(`${own}${hash}`)
  return { page, requests, errors }
}

import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, inject } from 'vitest'

/** A browser for the tests of this file, or of the `describe` around it. @returns what answers it, from the first test on */
export function useBrowser(): () => Browser {
  const path = inject('chromium')
  let browser: Browser
  beforeAll(async () => {
    // CI runs as root, for whom Chromium's sandbox does not start.
    if (path !== null) browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  return () => browser
}

/** Tests that need the browser: skipped where there is none, which setup.ts has then said. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(inject('chromium') === null)(name, tests)
}

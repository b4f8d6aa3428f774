import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, inject } from 'vitest'

// For the scripts, which do not have the packages of this folder.
export { type Browser, chromium, type Page }

/** Starts a browser for the tests of this file, or of the enclosing `describe`. @returns a function that returns it during the tests */
export function useBrowser(): () => Browser {
  const path = inject('chromium')
  let browser: Browser
  beforeAll(async () => {
    // CI runs as root, and then Chromium's sandbox does not start.
    if (path !== null) browser = await chromium.launch({ executablePath: path, args: ['--no-sandbox'] })
  })
  afterAll(() => browser?.close())
  return () => browser
}

/** Tests that need the browser: skipped without one, which setup.ts has then logged. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(inject('chromium') === null)(name, tests)
}

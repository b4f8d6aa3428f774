import { expect, test } from 'vitest'

// Vitest runs no test of a file that can not be loaded, and Stryker then sees none fail. So that a change which breaks
// the loading of a mutated file is told as well, each is loaded here within a test.
test.each([
  ['conformance/expect.ts', () => import('../../conformance/case/expect.ts')],
  ['fixtures/sign.ts', () => import('../../fixtures/sign.ts')],
  ['receiver/verify.ts', () => import('../../receiver/verify.ts')],
])('%s can be loaded', async (_, load) => {
  expect(Object.keys(await load())).not.toEqual([])
})

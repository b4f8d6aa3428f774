import { expect, test } from 'vitest'

// Vitest runs no test of a file that cannot be loaded, so Stryker would see no failure. Loading each mutated file inside a
// test detects a change that breaks its loading.
test.each([
  [
    'conformance/contracts/payment-service/expectations/expect.ts',
    () => import('../../conformance/contracts/webhook/expectations/expect.ts'),
  ],
  [
    'conformance/contracts/payment-service/expectations/statuses.ts',
    () => import('../../conformance/contracts/webhook/expectations/statuses.ts'),
  ],
  ['fixtures/sign.ts', () => import('../../fixtures/sign.ts')],
  ['receiver/verify.ts', () => import('../../receiver/verify.ts')],
  ['receiver/receive.ts', () => import('../../receiver/receive.ts')],
])('%s can be loaded', async (_, load) => {
  expect(Object.keys(await load())).not.toEqual([])
})

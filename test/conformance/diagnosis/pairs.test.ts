import { expect, it } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { both } from '../../mutants/both.ts'
import { MUTANTS } from '../../mutants/mutants.ts'
import { smallReceiver } from '../small-receiver.ts'
import { SECRET } from '../support.ts'

// Each mistake alone has a cause; together they disproved each other's.
it.each<[string, string, string[]]>([
  [
    're-serializes the body',
    'answers 400 to a forged delivery',
    ['body-bytes/*-a*ed', 'transport', 'refusals/*secret*', 'signature-header/absent'],
  ],
  [
    'has no window',
    'refuses unknown labels',
    ['time-window/a-*', 'signature-header/unknown-*', 'signature-header/absent', 'refusals/another-secret'],
  ],
  [
    'accepts only one content type',
    'verifies only when there is a header',
    ['transport/content-type-*', 'signature-header/absent', 'signature-header/empty', 'bypass/*body*'],
  ],
])('the report names the cause of each: %s, and %s', async (one, other, only) => {
  const { url, effects } = await smallReceiver(both(one, other))
  const report = await check({ url, observe: effects, secret: SECRET, only, waitMs: 200, seed: 'pairs' })

  const codes = new Set((report.causes ?? []).map(({ code }) => code))
  expect(codes).toEqual(new Set([MUTANTS[one]?.cause, MUTANTS[other]?.cause]))
})

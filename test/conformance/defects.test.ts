import { describe, expect, it, test } from 'vitest'
import { check } from '../../conformance/check.ts'
import { DEFECTS } from './defects.ts'
import { smallReceiver } from './small-receiver.ts'
import { SECRET } from './support.ts'

const quick = { secret: SECRET, timeoutMs: 4_000, waitMs: 700 }

test('a small receiver without a defect is conformant, with nothing untested and nothing to advise', async () => {
  const report = await check({ ...quick, waitMs: 5_000, ...(await smallReceiver()) })

  expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report).toMatchObject({ profile: 'full', conclusion: 'conformant', diagnosis: null })
})

describe('one defect fails its own cases', () => {
  it.concurrent.for(Object.entries(DEFECTS))('%s', async ([, { does, fails }], context) => {
    const receiver = await smallReceiver({ behaviour: does, finished: context.onTestFinished })
    const report = await check({ ...quick, ...receiver, only: fails })

    const outcomes = report.verdicts.map(({ case: id, level, outcome }) => [id, level, outcome])
    context.expect(new Set(outcomes.map(([id]) => id))).toEqual(new Set(fails))
    for (const [id, level, outcome] of outcomes)
      context.expect([id, outcome]).toEqual([id, level === 'MUST' ? 'failed' : 'advised'])
  })
})

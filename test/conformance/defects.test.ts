import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { check } from '../../conformance/check.ts'
import { createSlots } from '../../conformance/slots.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import { DEFECTS, type Defect } from './defects.ts'
import { smallReceiver } from './small-receiver.ts'
import { SECRET } from './support.ts'

const quick = { secret: SECRET, timeoutMs: 4_000, waitMs: 700 }

test('a small receiver without a defect is conformant, with nothing untested and nothing to advise', async () => {
  const report = await check({ ...quick, waitMs: 5_000, ...(await smallReceiver()) })

  expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report).toMatchObject({ profile: 'full', conclusion: 'conformant', diagnosis: null })
})

describe('one defect fails its own cases', () => {
  const graded = new Map<string, ConformanceReport>()
  const clear: (() => void | Promise<void>)[] = []
  beforeAll(async () => {
    // Most of the time is spent waiting for effects that must not come, so that is done side by side.
    const slots = createSlots(12)
    const grade = async ([name, { does, fails }]: [string, Defect]) => {
      await slots.take()
      const receiver = await smallReceiver({ behaviour: does, finished: (stop) => clear.push(stop) })
      graded.set(name, await check({ ...quick, ...receiver, only: fails }))
      slots.give()
    }
    await Promise.all(Object.entries(DEFECTS).map(grade))
  })
  afterAll(async () => {
    for (const stop of clear) await stop()
  })

  it.each(Object.entries(DEFECTS))('%s', (name, { fails }) => {
    const { verdicts = [], conclusion } = graded.get(name) ?? {}

    expect(new Set(verdicts.map(({ case: id }) => id))).toEqual(new Set(fails))
    for (const { case: id, level, outcome } of verdicts)
      expect([id, outcome]).toEqual([id, level === 'MUST' ? 'failed' : 'advised'])
    expect(conclusion).not.toBe('conformant')
  })
})

import { describe, expect, it, test } from 'vitest'
import { createSemaphore } from '../../conformance/run/semaphore.ts'
import { amiss, MUSTS, toldBy } from './figures.ts'
import { outcomesOf, settingOf } from './matrix.ts'
import { MUTANTS } from './mutants.ts'
import { VARIANTS } from './variants.ts'

// The whole catalogue is run against each of them by tools/proof.ts; here it is the named cases alone.
const semaphore = createSemaphore(8)
const inLine = async <T>(work: () => Promise<T>): Promise<T> => {
  await semaphore.take()
  return work().finally(semaphore.give)
}

test('every MUST case has a mutant that it must fail', () => {
  const named = new Set<string>(Object.values(MUTANTS).flatMap(({ fails }) => fails))

  expect(MUSTS.filter((id) => !named.has(id))).toEqual([])
})

describe('one mistake fails its own cases', () => {
  it.concurrent.each(Object.entries(MUTANTS).filter(([, { timed }]) => timed !== true))(
    '%s',
    async (_, mutant) => {
      const only = mutant.fails
      const outcomes = await inLine(() =>
        outcomesOf(settingOf(mutant), { seed: 'mutants', waitMs: 700, only }),
      )

      expect(only.filter((id) => !toldBy(outcomes, id))).toEqual([])
    },
  )
})

describe('so does one that is a matter of moments', () => {
  it.each(Object.entries(MUTANTS).filter(([, { timed }]) => timed === true))('%s', async (_, mutant) => {
    const only = mutant.fails
    const outcomes = await outcomesOf(settingOf(mutant), { seed: 'mutants', waitMs: 700, only })

    expect(only.filter((id) => !toldBy(outcomes, id))).toEqual([])
  })
})

describe('a correct receiver fails nothing', () => {
  it.each(Object.entries(VARIANTS))('%s', async (_, variant) => {
    const outcomes = await outcomesOf(settingOf(variant), { seed: 'variants', waitMs: 3_000 })

    expect(amiss(outcomes, variant.warning ?? [])).toEqual([])
  })
})

import { describe, expect, it, test } from 'vitest'
import { createSemaphore } from '../../conformance/run/semaphore.ts'
import { detects, MUSTS } from './figures.ts'
import { outcomesOf, settingOf } from './matrix.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'

// `npm run proof` runs the entire catalogue against each mutant; here only the cases that must detect it run.
const WAIT_MS = 400
const semaphore = createSemaphore(16)
const all = Object.entries(MUTANTS)

async function undetectedBy(mutant: Mutant): Promise<string[]> {
  const only = mutant.fails
  const outcomes = await outcomesOf(settingOf(mutant), { seed: 'mutants', waitMs: WAIT_MS, only })
  return only.filter((id) => !detects(outcomes, id))
}

test('every MUST case detects a mutant', () => {
  const named = new Set<string>(all.flatMap(([, { fails }]) => fails))

  expect(MUSTS.filter((id) => !named.has(id))).toEqual([])
})

describe('every case of a mutant detects it', () => {
  it.concurrent.each(all.filter(([, { timed }]) => timed !== true))('%s', async (_, mutant) => {
    await semaphore.take()
    const undetected = await undetectedBy(mutant).finally(semaphore.give)

    expect(undetected).toEqual([])
  })
})

describe('every case of a timing-dependent mutant detects it', () => {
  it.each(all.filter(([, { timed }]) => timed === true))('%s', async (_, mutant) => {
    expect(await undetectedBy(mutant)).toEqual([])
  })
})

import { beforeAll, describe, expect, it, test } from 'vitest'
import { inBackground } from '../support/in-background.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { detects, MUSTS } from './proof/figures.ts'
import { gradeReceiver, settingOf } from './proof/grade.ts'

// `npm run proof` runs the entire catalogue against each mutant; here only the cases that must detect it run.
const WAIT_MS = 400

const mutantsWhere = (isIncluded: (mutant: Mutant) => boolean): Record<string, Mutant> =>
  Object.fromEntries(Object.entries(MUTANTS).filter(([, mutant]) => isIncluded(mutant)))
const isAlone = ({ timed, slow }: Mutant) => timed === true && slow !== true
const TIMED = mutantsWhere(isAlone)
const OTHERS = mutantsWhere((mutant) => !isAlone(mutant))

async function undetected(mutant: Mutant): Promise<string[]> {
  const { fails: only, mode = 'test' } = mutant
  const { outcomes } = await gradeReceiver(settingOf(mutant), {
    seed: 'mutants',
    waitMs: WAIT_MS,
    only,
    mode,
  })
  return only.filter((id) => !detects(outcomes, id))
}

test('every MUST case detects a mutant', () => {
  const named = new Set<string>(Object.values(MUTANTS).flatMap(({ fails }) => fails))

  expect(MUSTS.filter((id) => !named.has(id))).toEqual([])
})

describe('every case of a timing-dependent mutant detects it', () => {
  it.each(Object.entries(TIMED))('%s', async (_, mutant) => {
    expect(await undetected(mutant)).toEqual([])
  })
})

describe('every case of a mutant detects it', () => {
  let undetectedOf: (name: string) => Promise<string[]>
  beforeAll(() => {
    undetectedOf = inBackground(OTHERS, 16, undetected)
  })

  it.each(Object.keys(OTHERS))('%s', async (name) => {
    expect(await undetectedOf(name)).toEqual([])
  })
})

import { beforeAll, describe, expect, it, test } from 'vitest'
import { inBackground } from '../support/in-background.ts'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { detects, MUSTS } from './proof/detected.ts'
import { gradeReceiver, settingOf } from './proof/grade.ts'

// `npm run proof` runs the entire catalogue against each mutant with ten seeds. Here each case meets one mutant that it must
// detect, and no mutant whose timing matters.
const WAIT_MS = 400

const COVER: Readonly<Record<string, Mutant>> = Object.fromEntries(cover())

/** A mutant for every case: those that several cases detect come first, so that few mutants are enough. */
function cover(): Map<string, Mutant> {
  const left = new Set(Object.values(MUTANTS).flatMap(({ fails }) => fails))
  const chosen = new Map<string, Mutant>()
  const byCases = Object.entries(MUTANTS)
    .filter(([, { timed, slow }]) => timed !== true && slow !== true)
    .toSorted(([, a], [, b]) => b.fails.length - a.fails.length)
  for (const [name, mutant] of byCases) {
    if (!mutant.fails.some((id) => left.has(id))) continue
    chosen.set(name, mutant)
    for (const id of mutant.fails) left.delete(id)
  }
  return chosen
}

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

describe('every case of a mutant detects it', () => {
  let undetectedOf: (name: string) => Promise<string[]>
  beforeAll(() => {
    undetectedOf = inBackground(COVER, 16, undetected)
  })

  it.each(Object.keys(COVER))('%s', async (name) => {
    expect(await undetectedOf(name)).toEqual([])
  })
})

import { expect, test } from 'vitest'
import { MUTANTS } from './mutants.ts'
import { MUSTS } from './proof/detected.ts'

// `npm run proof` runs the catalogue against them.
test('every MUST case has a mutant that it must detect', () => {
  const named = new Set<string>(Object.values(MUTANTS).flatMap(({ fails }) => fails))
  expect(MUSTS.filter((id) => !named.has(id))).toEqual([])
})

// Runs `hookproof crash` against receivers with one mistake each, which it must detect, and against correct ones, which it
// must not fail: small ones with a journal, and the reference receiver on SQLite and Postgres.
// npm run proof -- durability [rounds] [--quick] [--seed <text>] [--only mutants|variants|sqlite|postgres] [--write]

import { prove } from '../shared/prove.ts'
import { gradeMutants, gradeReference, gradeVariants } from './grade.ts'

const PARTS = {
  mutants: gradeMutants,
  variants: gradeVariants,
  sqlite: gradeReference('sqlite'),
  postgres: gradeReference('postgres'),
}

await prove('durability', async (options) => {
  const parts = Object.entries(PARTS).filter(([name]) => options.only === undefined || options.only === name)
  if (parts.length === 0)
    throw new Error(`--only ${options.only} must be one of ${Object.keys(PARTS).join(', ')}`)
  const results = []
  for (const [, grade] of parts) results.push(await grade(options))
  return {
    figures: results.flatMap(({ figures }) => figures),
    violations: results.flatMap(({ violations }) => violations),
  }
})

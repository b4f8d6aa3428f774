// Kills receivers while they get deliveries, then checks that each acknowledged event took effect exactly once.
// npm run proof -- crash [kills] [--quick] [--seed <text>] [--only sqlite|postgres] [--write]

import { prove } from '../shared/prove.ts'
import { crashPostgres } from './postgres.ts'
import { crashSqlite } from './sqlite.ts'

const STORES = { sqlite: crashSqlite, postgres: crashPostgres }

await prove('crash', async (options) => {
  const results = []
  for (const [store, crash] of Object.entries(STORES)) {
    if (options.only === undefined || options.only === store) results.push(await crash(options))
  }
  if (results.length === 0)
    throw new Error(`--only ${options.only} must be one of ${Object.keys(STORES).join(', ')}`)
  return {
    figures: results.flatMap(({ figures }) => figures),
    violations: results.flatMap(({ violations }) => violations),
  }
})

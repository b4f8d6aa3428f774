// Kills receivers while deliveries come in, and looks whether each acknowledged event has its effect once.
// npm run proof:crash -- [kills] [--quick] [--seed <text>] [--only sqlite|postgres] [--write]

import { prove } from '../shared/program.ts'
import { crashPostgres } from './postgres.ts'
import { crashSqlite } from './sqlite.ts'

const STORES = { sqlite: crashSqlite, postgres: crashPostgres }

await prove('crash', async (asked) => {
  const results = []
  for (const [store, crash] of Object.entries(STORES)) {
    if (asked.only === undefined || asked.only === store) results.push(await crash(asked))
  }
  if (results.length === 0)
    throw new Error(`--only ${asked.only}: give one of ${Object.keys(STORES).join(', ')}`)
  return {
    figures: results.flatMap(({ figures }) => figures),
    broken: results.flatMap(({ broken }) => broken),
  }
})

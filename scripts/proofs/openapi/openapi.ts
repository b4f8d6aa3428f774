// Two tools that others wrote compare a running sandbox with the OpenAPI document that it serves: Schemathesis derives
// requests from it, and Prism, a proxy, validates every request and response of a client that uses all of the API.
// npm run proof -- openapi [examples per operation] [--quick] [--only schemathesis|prism] [--seed <number>] [--write]
import { prove } from '../shared/prove.ts'
import { runPrism } from './prism/prism.ts'
import { runSchemathesis } from './schemathesis.ts'

const PARTS = { schemathesis: runSchemathesis, prism: runPrism }

await prove('openapi', async (options) => {
  const { only } = options
  const parts = Object.entries(PARTS).filter(([name]) => only === undefined || name === only)
  if (parts.length === 0) throw new Error(`--only: must be one of ${Object.keys(PARTS).join(', ')}`)
  const results = []
  for (const [, run] of parts) results.push(await run(options))
  return {
    figures: results.flatMap(({ figures }) => figures),
    violations: results.flatMap(({ violations }) => violations),
  }
})

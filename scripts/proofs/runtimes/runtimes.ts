// Grades the built receiver package on Bun, Deno and workerd, in the full profile.
// npm run proof -- runtimes [--only <runtime>] [--seed <text>] [--write]
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { check } from '../../../conformance/index.ts'
import { withTemporaryFolder } from '../../shared/temporary-folder.ts'
import { prove } from '../shared/prove.ts'
import { install, RUNTIMES, type RuntimeName, versionOf } from './install.ts'
import { findMissingRefusals } from './limits.ts'
import { startReceiver } from './start.ts'

const SECRET = 'whsec_of_the_runtimes_1f6c6703'

await prove('runtimes', ({ dist, seed, only }) =>
  withTemporaryFolder(async (folder) => {
    const runtimes = RUNTIMES.filter((runtime) => only === undefined || runtime === only)
    if (runtimes.length === 0) throw new Error(`--only: must be one of ${RUNTIMES.join(', ')}`)
    const figures: [string, string][] = []
    const violations: string[] = []
    for (const runtime of runtimes) {
      const result = await grade(runtime, { folder: join(folder, runtime), dist, seed })
      figures.push([`${runtime} ${versionOf(runtime)}`, result.figure])
      violations.push(...result.violations.map((violation) => `${runtime}: ${violation}`))
    }
    return { figures, violations }
  }),
)

interface GradeOptions {
  readonly folder: string
  /** The folder of the built receiver program, which is beside the built package. */
  readonly dist: string
  readonly seed: string
}

/** Grades the package in a runtime. Everything that did not pass is a violation, also what could not be tested. */
async function grade(
  runtime: RuntimeName,
  { folder, dist, seed }: GradeOptions,
): Promise<{ figure: string; violations: string[] }> {
  mkdirSync(folder)
  const executable = await install(runtime, folder)
  const place = { folder: join(folder, 'app'), dist: join(dirname(dist), 'receiver/dist') }
  mkdirSync(place.folder)
  const program = startReceiver(runtime, executable, place, SECRET)
  const url = await program.listening
  if (url === undefined) throw new Error(`${runtime} does not start: ${program.stderr()}`)
  const refusals = findMissingRefusals(url)
  const report = await check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET, seed })
  const missing = await refusals
  await program.end('SIGKILL')
  const { verdicts, conclusion, profile } = report
  const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
  const violations = others.map((verdict) => `${verdict.outcome}: ${verdict.case}`)
  if (conclusion !== 'conformant' || profile !== 'full') violations.push(`${conclusion} in ${profile}`)
  const passed = `${verdicts.length - others.length} of ${verdicts.length} cases of the ${profile} profile passed`
  return { figure: `${passed}; ${conclusion}`, violations: [...violations, ...missing] }
}

// Installs and grades receivers around public libraries, each by the contract of the service whose deliveries it verifies.
//   npm run libraries -- [name...]            grades these libraries, those of these services, or all
//   npm run libraries -- [name...] --write    also writes docs/libraries.md and docs/results/libraries.json
//   npm run libraries -- [name...] --check    also fails if docs/libraries.md is out of date; scripts/proofs/proven.json records what held
//   npm run libraries -- [name...] --check --quick-if-proven    only the first of each service, if nothing has changed since all held
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { SERVICES } from '../../conformance/contracts/services.ts'
import { check } from '../../conformance/index.ts'
import { isInstalled, run, settingIn, whileRunning } from '../examples/running.ts'
import { isProven, recordProven } from '../proofs/shared/proven.ts'
import { type CaseResults, outdatedResults, readResults, resultsOf, writeResults } from '../shared/results.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type Library, readLibraries, serviceOf, withLibraries } from './library.ts'

const PAGE = 'docs/libraries.md'
/** What a verifier decides of the payment service's contract; the rest is up to the receiver. */
const SECTIONS = ['signature-header/*', 'time-window/*', 'body-bytes/*', 'refusals/*']

const SOURCES = ['conformance', 'examples/libraries', 'scripts/examples', 'scripts/libraries']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    'quick-if-proven': { type: 'boolean', default: false },
  },
})
const proof = ['libraries', ...positionals].join(' ')
const isShort = values['quick-if-proven'] && isProven(proof, SOURCES)

const graded = new Map<string, CaseResults>()
const named = positionals.flatMap((name) => {
  const ofService = readLibraries().filter((library) => serviceOf(library) === name)
  return ofService.length === 0 ? [name] : ofService.map((library) => library.name)
})
const chosen = readLibraries(named)
for (const library of isShort ? firstOfEachService(chosen) : chosen) {
  const { name, probe, folder } = library
  if (!isInstalled(name, probe, folder)) continue
  try {
    const results = await grade(library)
    graded.set(name, results)
    const others = Object.entries(results.others)
    console.log(
      `${name}: ${others.length === 0 ? 'every case passed' : `${others.length} cases did not pass`}`,
    )
    for (const [id, outcome] of others) console.log(`  ${outcome}: ${id}`)
  } catch (error) {
    fail(`${name}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

if (values.write) {
  const all = readLibraries()
  const names = all.map(({ name }) => name)
  const results = writeResults('libraries', graded, names)
  writeFileSync(PAGE, withLibraries(readFileSync(PAGE, 'utf8'), all, results))
} else if (values.check && outdatedResults(readResults('libraries'), graded).length > 0) {
  fail(`${PAGE} is out of date. Run \`npm run libraries -- --write\`.`)
} else if (values.check && graded.size === chosen.length && process.exitCode === undefined) {
  recordProven(proof, SOURCES)
}

async function grade(library: Library): Promise<CaseResults> {
  run(library.install, library.folder)
  const { signatureHeader } = library
  const service = serviceOf(library)
  const only = service === 'payment-service' ? SECTIONS : []
  const header = signatureHeader === undefined ? {} : { signatureHeader }
  return withTemporaryFolder(async (folder) => {
    const report = await whileRunning(library, await settingIn(folder), ({ url, secret }) =>
      check({ url, secret, profile: 'core', only, ...header }, SERVICES[service]),
    )
    const unclear = report.verdicts.filter(({ outcome }) => outcome === 'inconclusive')
    if (unclear.length > 0) throw new Error(`no result in ${unclear.map(({ case: id }) => id).join(', ')}`)
    return resultsOf(report)
  })
}

function firstOfEachService(libraries: readonly Library[]): Library[] {
  const firsts = new Map(libraries.toReversed().map((library) => [serviceOf(library), library]))
  return libraries.filter((library) => firsts.get(serviceOf(library)) === library)
}

function fail(message: string): void {
  console.error(message)
  process.exitCode = 1
}

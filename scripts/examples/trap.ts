import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import CAUSE_CASES from '../../conformance/diagnosis/cause-cases.json' with { type: 'json' }
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { createTemporaryFolder, withTemporaryFolder } from '../shared/temporary-folder.ts'
import { type Example, ODD_EVENTS, type Trap } from './example.ts'
import { faultsOfOddEvents, type OddFault } from './odd-events.ts'
import { run, type Setting, settingIn, whileRunning } from './running.ts'

/** A mistake in a copy of an example. */
export interface Sprung {
  readonly name: string
  /** What was found. */
  readonly found: string
  /** What is wrong with that; undefined if it is the mistake. */
  readonly fault: string | undefined
}

/**
 * Makes each mistake in one copy of an installed example, which keeps what its build can use again, and grades the copy. The
 * last one takes odd events for live money, and fails to handle refunds without an amount.
 * @throws Error if a patch does not apply, or the copy does not build or start
 */
export async function* springAll(example: Example): AsyncGenerator<Sprung> {
  const { traps = [] } = example
  const temporary = createTemporaryFolder()
  const copy = { ...example, folder: join(temporary.path, 'copy') }
  try {
    // A virtual environment contains links and absolute paths, which stay as they are.
    cpSync(example.folder, copy.folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    for (const trap of traps) {
      const report = await withPatch(trap.patch, () => spring(copy, trap))
      const found = report.diagnosis ?? `${report.counts.warning} warnings`
      yield { name: trap.name, found, fault: faultOf(trap, report) }
    }
    const found = await withPatch(ODD_EVENTS, () => whileCopyRuns(copy, faultsOfOddEvents))
    yield { name: 'odd-events', found: `${found.length} faults`, fault: missedIn(found) }
  } finally {
    temporary.remove()
  }

  async function withPatch<T>(path: string, work: () => Promise<T>): Promise<T> {
    const patch = resolve(example.folder, path)
    run(`git apply "${patch}"`, copy.folder)
    const result = await work()
    run(`git apply --reverse "${patch}"`, copy.folder)
    return result
  }
}

async function whileCopyRuns<T>(copy: Example, work: (setting: Setting) => Promise<T>): Promise<T> {
  if (copy.build !== undefined) run(copy.build, copy.folder)
  return withTemporaryFolder(async (folder) => whileRunning(copy, await settingIn(folder), work))
}

async function spring(
  copy: Example,
  { install, profile = 'core', cause, warning, only = casesFor(cause, warning) }: Trap,
): Promise<ConformanceReport> {
  if (install !== undefined) run(install, copy.folder)
  return whileCopyRuns(copy, ({ url, observe, secret }) =>
    check({ url, secret, profile, only, ...(profile === 'full' && { observe }) }),
  )
}

/** One delivery of each kind that must be refused: the statuses distinguish causes. */
const REFUSED = ['refusals/another-secret', 'signature-header/absent', 'time-window/a-year-ago']

/** The cases that show a mistake, with those of their sections, which tell its cause from others. */
function casesFor(cause: string | undefined, warning: string | undefined): readonly string[] {
  const cases = Object.entries(CAUSE_CASES).find(([code]) => code === cause)?.[1] ?? []
  const sections = [...cases, ...(warning === undefined ? [] : [warning])].map((id) => id.split('/')[0])
  return [...new Set(sections)].map((section) => `${section}/*`).concat(REFUSED)
}

/** What is wrong with the report about a mistake; undefined if it names the mistake first. */
export function faultOf({ cause, warning }: Trap, report: ConformanceReport): string | undefined {
  const { causes = [], counts, diagnosis, verdicts } = report
  const received = `${counts.failed} failed: ${diagnosis ?? 'no diagnosis'}`
  if (warning !== undefined) {
    const isWarned = verdicts.some((verdict) => verdict.case === warning && verdict.outcome === 'warning')
    return isWarned && counts.failed === 0 ? undefined : `expected a warning in ${warning}; ${received}`
  }
  if (cause !== undefined && counts.failed > 0 && causes[0]?.code === cause) return undefined
  const codes = causes.map(({ code }) => code).join(', ')
  return `expected the cause ${cause ?? '(none is stated)'}, received ${codes || 'none'}; ${received}`
}

/** The kinds of mistakes that odd events must show. */
const KINDS: readonly OddFault['code'][] = ['not_money', 'not_live', 'unhandled']

/** What is wrong with the faults of an example that makes every mistake with odd events; undefined if each kind was found. */
export function missedIn(faults: readonly OddFault[]): string | undefined {
  const missed = KINDS.filter((kind) => !faults.some(({ code }) => code === kind))
  return missed.length === 0 ? undefined : `odd events do not show: ${missed.join(', ')}`
}

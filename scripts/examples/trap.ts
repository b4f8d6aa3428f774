import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import CAUSE_CASES from '../../conformance/diagnosis/cause-cases.json' with { type: 'json' }
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { createTemporaryFolder, withTemporaryFolder } from '../shared/temporary-folder.ts'
import type { Example, Trap } from './example.ts'
import { run, settingIn, whileRunning } from './running.ts'

/** A mistake, and what the suite says about it. */
export interface Sprung {
  readonly trap: Trap
  readonly report: ConformanceReport
}

/**
 * Makes each mistake in one copy of an installed example, which keeps what its build can use again, and grades the copy.
 * @throws Error if a patch does not apply, or the copy does not build or start
 */
export async function* springAll(example: Example): AsyncGenerator<Sprung> {
  const { traps = [] } = example
  if (traps.length === 0) return
  const temporary = createTemporaryFolder()
  try {
    const copy = { ...example, folder: join(temporary.path, 'copy') }
    // A virtual environment contains links and absolute paths, which stay as they are.
    cpSync(example.folder, copy.folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    for (const trap of traps) {
      const patch = resolve(example.folder, trap.patch)
      run(`git apply "${patch}"`, copy.folder)
      yield { trap, report: await spring(copy, trap) }
      run(`git apply --reverse "${patch}"`, copy.folder)
    }
  } finally {
    temporary.remove()
  }
}

async function spring(
  copy: Example,
  { install, profile = 'core', cause, warning, only = casesFor(cause, warning) }: Trap,
): Promise<ConformanceReport> {
  if (install !== undefined) run(install, copy.folder)
  if (copy.build !== undefined) run(copy.build, copy.folder)
  return withTemporaryFolder(async (folder) =>
    whileRunning(copy, await settingIn(folder), ({ url, observe, secret }) =>
      check({ url, secret, profile, only, ...(profile === 'full' && { observe }) }),
    ),
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

import { cpSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import type { Example, Trap } from './example.ts'
import { run, settingIn, whileRunning } from './running.ts'

/**
 * Makes the mistake in a copy of an installed example, and grades the copy.
 * @throws Error if the patch does not apply, or the copy does not build or start
 */
export async function spring(
  example: Example,
  { patch, install, profile = 'core' }: Trap,
): Promise<ConformanceReport> {
  return withTemporaryFolder(async (folder) => {
    const copy = { ...example, folder: join(folder, 'copy') }
    // A virtual environment contains links and absolute paths, which stay as they are.
    cpSync(example.folder, copy.folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    run(`git apply "${resolve(example.folder, patch)}"`, copy.folder)
    if (install !== undefined) run(install, copy.folder)
    if (example.build !== undefined) run(example.build, copy.folder)
    return whileRunning(copy, await settingIn(folder), ({ url, observe, secret }) =>
      check({ url, secret, profile, ...(profile === 'full' && { observe }) }),
    )
  })
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

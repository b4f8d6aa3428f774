import { check } from '../../conformance/index.ts'
import { type CaseResults, resultsOf } from '../shared/results.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'
import { acknowledgmentMs } from './acknowledgment.ts'
import type { Example } from './example.ts'
import { faultsAfterFailing } from './failing.ts'
import { faultsOf } from './faults.ts'
import { faultsAfterCrashes } from './restart.ts'
import { settingIn, whileRunning } from './running.ts'

/** The result of an example. */
export interface Grade {
  /** Everything that is not as it should be, one line each; empty for an example that is right. */
  readonly faults: readonly string[]
  /** The conclusion, and the number of cases. */
  readonly result: string
  readonly acknowledgmentMs: number
  /** What is kept of its report. */
  readonly results: CaseResults
}

/**
 * Starts an installed example with an empty database, grades it in the full profile, and kills it if it is durable.
 * @param only globs of cases; all by default
 * @throws Error if it does not start, or does not answer
 */
export async function grade(example: Example, only: readonly string[] = []): Promise<Grade> {
  return withTemporaryFolder(async (folder) => {
    const started = await settingIn(folder, 'HOOKPROOF_SECRET')
    const { report, time } = await whileRunning(example, started, async ({ url, observe, secret }) => ({
      report: await check({ url, secret, profile: 'full', observe, only }),
      time: await acknowledgmentMs(url, secret),
    }))
    const faults = faultsOf(report)
    if (example.durable && only.length === 0) {
      faults.push(...(await faultsAfterCrashes(example, started)))
      if (example.store === 'SQLite') faults.push(...(await faultsAfterFailing(example, started)))
    }
    const { counts, verdicts, conclusion } = report
    const result = `${conclusion}, ${counts.passed} of ${verdicts.length} cases`
    return { faults, result, acknowledgmentMs: time, results: resultsOf(report) }
  })
}

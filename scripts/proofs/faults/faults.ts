// Breaks what a receiver depends on; checks how it answers meanwhile, and that it recovers without help.
// npm run proof -- faults [--quick] [--seed <text>] [--only <fault>] [--write]

import { type ProofResult, prove } from '../shared/prove.ts'
import { clockJump } from './clock.ts'
import { corruptFile } from './corrupt.ts'
import { diskFull, diskFullAtStop, movedAway, readOnlyAtStart, readOnlyWhileRunning } from './disk.ts'
import { diskFailing } from './failing-disk.ts'
import { type Fault, NotPossible } from './fault.ts'
import { postgresAsync, postgresDown } from './postgres.ts'

const FAULTS: Readonly<Record<string, Fault>> = {
  'disk-full': diskFull,
  'disk-full-stop': diskFullAtStop,
  'disk-failing': diskFailing,
  'read-only-start': readOnlyAtStart,
  'read-only-running': readOnlyWhileRunning,
  'file-moved': movedAway,
  'corrupt-file': corruptFile,
  'clock-jump': clockJump,
  'postgres-down': postgresDown,
  'postgres-async': postgresAsync,
}

await prove('faults', async (options) => {
  const figures: ProofResult['figures'][number][] = []
  const violations: string[] = []
  const chosen = Object.entries(FAULTS).filter(
    ([name]) => options.only === undefined || options.only === name,
  )
  if (chosen.length === 0)
    throw new Error(`--only ${options.only} must be one of ${Object.keys(FAULTS).join(', ')}`)
  for (const [name, fault] of chosen) {
    try {
      const result = await fault(options)
      figures.push(...result.figures)
      violations.push(...result.violations.map((violation) => `${name}: ${violation}`))
    } catch (error) {
      if (!(error instanceof NotPossible))
        throw new Error(`${name}: ${error instanceof Error ? error.stack : String(error)}`, { cause: error })
      figures.push([name, `NOT TESTED: this machine does not allow it (${error.message})`])
      if (process.env['CI']) violations.push(`${name}: could not be tested in CI: ${error.message}`)
    }
  }
  return { figures, violations }
})

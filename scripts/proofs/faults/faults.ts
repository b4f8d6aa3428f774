// Takes away what a receiver stands on, and looks what it answers, and whether it goes on by itself afterwards.
// npm run proof:faults -- [--quick] [--seed <text>] [--only <fault>] [--write]

import { prove, type Result } from '../shared/program.ts'
import { clockJump } from './clock.ts'
import { corruptFile } from './corrupt.ts'
import { diskFull, movedAway, readOnlyAtStart, readOnlyWhileRunning } from './disk.ts'
import { type Fault, NotPossible } from './fault.ts'
import { postgresGone } from './postgres.ts'

const FAULTS: Readonly<Record<string, Fault>> = {
  'disk-full': diskFull,
  'read-only-start': readOnlyAtStart,
  'read-only-running': readOnlyWhileRunning,
  'file-moved': movedAway,
  'corrupt-file': corruptFile,
  'clock-jump': clockJump,
  'postgres-gone': postgresGone,
}

await prove('faults', async (asked) => {
  const figures: Result['figures'][number][] = []
  const broken: string[] = []
  const chosen = Object.entries(FAULTS).filter(([name]) => asked.only === undefined || asked.only === name)
  if (chosen.length === 0)
    throw new Error(`--only ${asked.only}: give one of ${Object.keys(FAULTS).join(', ')}`)
  for (const [name, fault] of chosen) {
    try {
      const result = await fault(asked)
      figures.push(...result.figures)
      broken.push(...result.broken.map((promise) => `${name}: ${promise}`))
    } catch (error) {
      if (!(error instanceof NotPossible)) throw error
      figures.push([name, `NOT TRIED: this machine does not allow it (${error.message})`])
      if (process.env['CI']) broken.push(`${name}: could not be tried in CI: ${error.message}`)
    }
  }
  return { figures, broken }
})

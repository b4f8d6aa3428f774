// Cuts the power under receivers with a SQLite file, emulated by a library that knows what they synced; then checks that
// each acknowledged event is still there and takes effect exactly once.
// npm run proof -- powercut [cuts] [--quick] [--seed <text>] [--only one|two|control] [--write]

import { NotPossible } from '../faults/fault.ts'
import { type ProofOptions, type ProofResult, prove } from '../shared/prove.ts'
import { controlWithoutSyncs } from './control.ts'
import { cutPower } from './cuts.ts'

const cutsOf = ({ quick, amount }: ProofOptions): number => amount ?? (quick ? 5 : 36)

const PARTS: Readonly<Record<string, (options: ProofOptions) => Promise<ProofResult>>> = {
  one: (options) =>
    cutPower({ ...options, name: 'one receiver', processes: 1, cuts: cutsOf(options), firstMoment: 0 }),
  // A short run of both parts still has every moment.
  two: (options) =>
    cutPower({ ...options, name: 'two receivers', processes: 2, cuts: cutsOf(options), firstMoment: 4 }),
  control: controlWithoutSyncs,
}

await prove('powercut', async (options) => {
  const chosen = Object.entries(PARTS).filter(([name]) => options.only === undefined || options.only === name)
  if (chosen.length === 0)
    throw new Error(`--only ${options.only} must be one of ${Object.keys(PARTS).join(', ')}`)
  try {
    const results = []
    for (const [, run] of chosen) results.push(await run(options))
    return {
      figures: results.flatMap(({ figures }) => figures),
      violations: results.flatMap(({ violations }) => violations),
    }
  } catch (error) {
    if (!(error instanceof NotPossible)) throw error
    return {
      figures: [['power cuts', `NOT TESTED: this machine does not allow it (${error.message})`]],
      violations: process.env['CI'] ? [`could not be tested in CI: ${error.message}`] : [],
    }
  }
})

import { MUTANTS } from '../mutants.ts'
import { VARIANTS } from '../variants.ts'
import { type Graded, gradeReceiver, settingOf } from './grade.ts'
import { secretOf } from './secrets.ts'

/** How long to wait, in milliseconds: the effects of a mutant may never appear, and a busy machine delays a variant. */
const LIMITS = {
  mutant: { waitMs: 1_000 },
  itsCases: { waitMs: 400 },
  variant: { waitMs: 3_000, ackWithinMs: 10_000 },
}

/** One run against one mutant or variant. */
export interface Job {
  readonly kind: 'mutant' | 'variant'
  readonly name: string
  /** Each run has its own seed and secret, and every second one is in live mode. */
  readonly run: number
  /** Whether only the cases run that must detect the mutant. */
  readonly onlyItsCases?: true
}

/** Grades one mutant or variant. */
export async function perform({ kind, name, run, onlyItsCases }: Job): Promise<Graded> {
  const subject = kind === 'mutant' ? MUTANTS[name] : VARIANTS[name]
  if (subject === undefined) throw new Error(`there is no ${kind} "${name}"`)
  const own = 'fails' in subject ? subject : undefined
  return gradeReceiver(settingOf(subject), {
    seed: `proof-${run}`,
    ...LIMITS[onlyItsCases === true ? 'itsCases' : kind],
    secret: secretOf(run, own),
    redeliverAfterMs: own?.redeliverAfterMs,
    mode: own?.mode ?? (run % 2 === 0 ? 'test' : 'live'),
    ...(onlyItsCases === true && own !== undefined ? { only: own.fails } : {}),
  })
}

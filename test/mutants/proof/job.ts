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

/** After how long a variant gets a payment once more, in milliseconds. */
const REDELIVER_AFTER_MS = 1_000

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
  const isNarrowed = onlyItsCases === true && own !== undefined && own.needsAll !== true
  return gradeReceiver(settingOf(subject), {
    seed: `proof-${run}`,
    ...LIMITS[isNarrowed ? 'itsCases' : kind],
    secret: secretOf(run, own),
    // Without it the case about it does not run, which every variant has to pass.
    redeliverAfterMs: own === undefined ? REDELIVER_AFTER_MS : own.redeliverAfterMs,
    mode: own?.mode ?? (run % 2 === 0 ? 'test' : 'live'),
    ...(isNarrowed ? { only: own.fails } : {}),
  })
}

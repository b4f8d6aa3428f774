import { CATALOGUE } from '../../conformance/catalogue/index.ts'
import { check } from '../../conformance/check.ts'
import { createSemaphore } from '../../conformance/run/semaphore.ts'
import type { ConformanceReport } from '../../schemas/types.ts'
import type { Mutant, Variant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { type Setting, startReceiver } from './receiver.ts'
import { VARIANTS } from './variants.ts'

const SECRET = 'whsec_of_the_mutants_c2VjcmV0'
const LIVE_ONLY = new Set(CATALOGUE.filter(({ mode }) => mode === 'live').map(({ id }) => id))
const ALL = CATALOGUE.map(({ id }) => id)
/** How long to wait for effects: those of a mutant may never appear. */
const WAIT_MS = { mutant: 400, variant: 3_000 }
const RUNS = 3
const SAMPLE = 10

/** The outcome of each case. */
export type Outcomes = ReadonlyMap<string, ConformanceReport['verdicts'][number]['outcome']>

/** The outcomes of the entire catalogue for every mutant and, several times, for every variant. */
export interface Matrix {
  readonly mutants: ReadonlyMap<string, Outcomes>
  /** All variants and some mutants, each with the outcomes of its runs. */
  readonly repeated: ReadonlyMap<string, readonly Outcomes[]>
}

/** Runs the entire catalogue against every mutant and variant: two at a time, and alone if timing matters. */
export async function runMatrix(): Promise<Matrix> {
  const mutants = new Map<string, Outcomes>()
  const repeated = new Map<string, Outcomes[]>()
  const semaphore = createSemaphore(2)
  const outcomesInTurn = async (setting: Setting, run: number, waitMs: number) => {
    await semaphore.take()
    const outcomes = await outcomesOf(setting, { seed: `proof-${run}`, waitMs })
    semaphore.give()
    return outcomes
  }
  const entries = Object.entries(MUTANTS)
  const steady = entries.filter(([, { timed }]) => timed !== true)
  const sample = new Set(
    Array.from({ length: SAMPLE }, (_, n) => steady[Math.floor((n * steady.length) / SAMPLE)]?.[0]),
  )
  await Promise.all([
    ...steady.map(async ([name, mutant]) => {
      const runs = sample.has(name) ? RUNS : 1
      const outcomes = await Promise.all(
        Array.from({ length: runs }, (_, run) => outcomesInTurn(settingOf(mutant), run, WAIT_MS.mutant)),
      )
      if (outcomes[0] !== undefined) mutants.set(name, outcomes[0])
      if (runs > 1) repeated.set(name, outcomes)
    }),
    ...Object.entries(VARIANTS).map(async ([name, variant]) => {
      const runs = Array.from({ length: RUNS }, (_, run) =>
        outcomesInTurn(settingOf(variant), run, WAIT_MS.variant),
      )
      repeated.set(name, await Promise.all(runs))
    }),
  ])
  for (const [name, mutant] of entries)
    if (mutant.timed === true) mutants.set(name, await outcomesInTurn(settingOf(mutant), 0, WAIT_MS.mutant))
  return { mutants, repeated }
}

/** The setting of a mutant or a variant. */
export function settingOf(subject: Mutant | Variant): Setting {
  const { does } = subject
  const behavior = typeof does === 'function' ? does() : does
  return { ...('setting' in subject ? subject.setting : undefined), behavior }
}

/** Runs the catalogue, or a part of it, against one receiver: in test mode and, if a case needs it, in live mode. */
export async function outcomesOf(
  setting: Setting,
  run: { readonly seed: string; readonly waitMs: number; readonly only?: readonly string[] },
): Promise<Outcomes> {
  const receiver = await startReceiver(SECRET, setting)
  const options = {
    url: receiver.url,
    observe: receiver.effects,
    secret: SECRET,
    waitMs: run.waitMs,
    timeoutMs: 4_000,
    ackWithinMs: 2_000,
  }
  const outcomes = new Map<string, ConformanceReport['verdicts'][number]['outcome']>()
  try {
    for (const mode of ['test', 'live'] as const) {
      const only = (run.only ?? ALL).filter((id) => LIVE_ONLY.has(id) === (mode === 'live'))
      if (only.length === 0) continue
      const { verdicts } = await check({ ...options, mode, only, seed: `${run.seed}-${mode}` })
      for (const { case: id, outcome } of verdicts) outcomes.set(id, outcome)
    }
  } finally {
    receiver.stop()
  }
  return outcomes
}

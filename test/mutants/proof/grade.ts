import { CATALOGUE } from '../../../conformance/catalogue/index.ts'
import { check } from '../../../conformance/check.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import type { Mutant, Variant } from '../mutant.ts'
import { type Setting, startReceiver } from '../receiver.ts'
import { SECRETS } from './secrets.ts'

const MODES = ['test', 'live'] as const

/** The outcome of each case. */
export type Outcomes = ReadonlyMap<string, ConformanceReport['verdicts'][number]['outcome']>

/** How to grade a receiver. */
export interface Grading {
  readonly seed: string
  /** How long to wait for effects, in milliseconds. */
  readonly waitMs: number
  /** Both in milliseconds, and short by default: some mutants never answer, or late. */
  readonly timeoutMs?: number
  readonly ackWithinMs?: number
  /** The cases to run; default: all. */
  readonly only?: readonly string[]
  readonly secret?: string
  /** The mode of the cases that both modes have; default: `test`. */
  readonly mode?: 'test' | 'live'
}

/** The setting of a mutant or a variant. */
export function settingOf(subject: Mutant | Variant): Setting {
  const { does } = subject
  const behavior = typeof does === 'function' ? does() : does
  return { ...('setting' in subject ? subject.setting : undefined), behavior }
}

/** Runs the catalogue, or a part of it, against one receiver: each case in its own mode, if it has one. */
export async function outcomesOf(setting: Setting, grading: Grading): Promise<Outcomes> {
  const { seed, waitMs, timeoutMs = 4_000, ackWithinMs = 2_000, secret = SECRETS[0], only } = grading
  const cases = only === undefined ? CATALOGUE : CATALOGUE.filter(({ id }) => only.includes(id))
  const receiver = await startReceiver(secret, setting)
  const options = {
    url: receiver.url,
    observe: setting.observing === undefined ? receiver.effects : receiver.observe,
    secret,
    waitMs,
    timeoutMs,
    ackWithinMs,
  }
  const outcomes = new Map<string, ConformanceReport['verdicts'][number]['outcome']>()
  try {
    for (const mode of MODES) {
      const those = cases.filter((testCase) => (testCase.mode ?? grading.mode ?? 'test') === mode)
      if (those.length === 0) continue
      const ids = those.map(({ id }) => id)
      const { verdicts } = await check({ ...options, mode, only: ids, seed: `${seed}-${mode}` })
      for (const { case: id, outcome } of verdicts) outcomes.set(id, outcome)
    }
  } finally {
    receiver.stop()
  }
  return outcomes
}

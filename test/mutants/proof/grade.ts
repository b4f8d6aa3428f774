import { check } from '../../../conformance/check.ts'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import type { Mutant, Variant } from '../mutant.ts'
import { type Setting, startReceiver } from '../receiver.ts'
import { contradictions } from './contradictions.ts'
import { SECRETS } from './secrets.ts'

const MODES = ['test', 'live'] as const

/** The outcome of each case. */
export type Outcomes = ReadonlyMap<string, ConformanceReport['verdicts'][number]['outcome']>

/** The result of a run. */
export interface Graded {
  readonly outcomes: Outcomes
  /** The codes of the causes that the report names, in its order. */
  readonly causes: readonly string[]
}

/** How to grade a receiver. */
export interface Grading {
  readonly seed: string
  /** How long to wait for effects, in milliseconds. */
  readonly waitMs: number
  /** In milliseconds, and short by default: some mutants answer late. */
  readonly ackWithinMs?: number
  /** The cases to run; default: all. */
  readonly only?: readonly string[]
  readonly secret?: string
  /** The mode of the cases that both modes have; default: `test`. */
  readonly mode?: 'test' | 'live'
  readonly redeliverAfterMs?: number | undefined
}

/** The setting of a mutant or a variant. */
export function settingOf(subject: Mutant | Variant): Setting {
  const { does } = subject
  const behavior = typeof does === 'function' ? does() : does
  return { ...('setting' in subject ? subject.setting : undefined), behavior }
}

/** Runs the catalogue, or a part of it, against one receiver: each case in its own mode, if it has one. */
export async function gradeReceiver(setting: Setting, grading: Grading): Promise<Graded> {
  const { seed, waitMs, ackWithinMs = 2_000, secret = SECRETS[0], only } = grading
  const cases = only === undefined ? CATALOGUE : CATALOGUE.filter(({ id }) => only.includes(id))
  const outcomes = new Map<string, ConformanceReport['verdicts'][number]['outcome']>()
  const causes: string[] = []
  for (const mode of MODES) {
    const those = cases.filter((testCase) => (testCase.mode ?? grading.mode ?? 'test') === mode)
    if (those.length === 0) continue
    // One for each mode: a case may have ended the first.
    const receiver = await startReceiver(secret, setting)
    try {
      const report = await check({
        url: receiver.url,
        observe: setting.observing === undefined ? receiver.effects : receiver.observe,
        secret,
        waitMs,
        timeoutMs: 10_000,
        ackWithinMs,
        mode,
        ...(grading.redeliverAfterMs !== undefined && { redeliverAfterMs: grading.redeliverAfterMs }),
        // To name every case would take longer than to select all.
        only: only === undefined && mode === (grading.mode ?? 'test') ? [] : those.map(({ id }) => id),
        seed: `${seed}-${mode}`,
      })
      const [contradiction] = contradictions(report)
      if (contradiction !== undefined) throw new Error(`the report contradicts itself: ${contradiction}`)
      for (const { case: id, outcome } of report.verdicts) outcomes.set(id, outcome)
      // The cases of the other mode alone are too few to name a cause.
      if (mode === (grading.mode ?? 'test')) causes.push(...(report.causes ?? []).map(({ code }) => code))
    } finally {
      receiver.stop()
    }
  }
  return { outcomes, causes }
}

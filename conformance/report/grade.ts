import type { ConformanceReport } from '../../schemas/types.ts'
import { isNarrowed, isUndecidedMust } from './summary.ts'

/** From best to worst. */
export type Letter = 'A+' | 'A' | 'B' | 'C' | 'D' | 'F'

/** A grade and the rule that gave it. */
export interface Grade {
  readonly letter: Letter
  /** Why the report got this letter, in one sentence. */
  readonly rule: string
}

/** The part of a report that its grade depends on. */
export type Graded = Pick<ConformanceReport, 'profile'> & {
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly verdicts: readonly Pick<ConformanceReport['verdicts'][number], 'level' | 'outcome' | 'severity'>[]
}

/** The rules, worst grade first: the first match decides. */
const RULES: readonly (Grade & { readonly matches: (report: Graded) => boolean })[] = [
  {
    letter: 'F',
    rule: 'A security requirement failed.',
    matches: (report) => failed(report).some(({ severity }) => severity === 'security'),
  },
  {
    letter: 'F',
    rule: 'No case passed.',
    matches: ({ verdicts }) => verdicts.every(({ outcome }) => outcome !== 'passed'),
  },
  {
    letter: 'F',
    rule: 'At least as many cases failed or were inconclusive as passed.',
    matches: ({ verdicts }) =>
      verdicts.filter(({ outcome }) => outcome === 'passed').length <=
      verdicts.filter(({ outcome }) => outcome === 'failed' || outcome === 'inconclusive').length,
  },
  {
    letter: 'D',
    rule: 'A money requirement failed.',
    matches: (report) => failed(report).some(({ severity }) => severity === 'money'),
  },
  { letter: 'C', rule: 'A protocol requirement failed.', matches: (report) => failed(report).length > 0 },
  {
    letter: 'B',
    rule: 'The run was limited to selected cases.',
    matches: isNarrowed,
  },
  {
    letter: 'B',
    rule: 'A MUST requirement was not tested, or its result is inconclusive.',
    matches: ({ verdicts }) => verdicts.some(isUndecidedMust),
  },
  {
    letter: 'A',
    rule: 'A SHOULD requirement was not met or not tested.',
    matches: ({ verdicts }) => verdicts.some(({ outcome }) => outcome !== 'passed'),
  },
  {
    letter: 'A',
    rule: 'Every tested case passed, but the core profile does not test effects.',
    matches: ({ profile }) => profile === 'core',
  },
  {
    letter: 'A',
    rule: 'Every tested case passed, but the durable profile tests crashes only.',
    matches: ({ profile }) => profile === 'durable',
  },
  { letter: 'A+', rule: 'Every case of the full profile passed.', matches: () => true },
]

/** Every rule with its letter, best grade first. */
export const GRADES: readonly Grade[] = RULES.map(({ letter, rule }) => ({ letter, rule })).toReversed()

/**
 * Grades a report from A+ to F, by its verdicts alone. The lowest matching grade applies.
 *
 * A run in which nothing passed is an F even if nothing failed: a case that was not tested earns nothing.
 */
export function grade(report: Graded): Grade {
  const { letter, rule } = RULES.find(({ matches }) => matches(report)) ?? { letter: 'F' as const, rule: '' }
  return { letter, rule }
}

function failed({ verdicts }: Graded): Graded['verdicts'] {
  return verdicts.filter(({ outcome }) => outcome === 'failed')
}

import type { ConformanceReport } from '../../schemas/types.ts'

/** From best to worst. */
export type Letter = 'A+' | 'A' | 'B' | 'C' | 'D' | 'F'

/** A grade and the rule that gave it. */
export interface Grade {
  readonly letter: Letter
  /** What the letter means, as one sentence. */
  readonly rule: string
}

/** What is graded; a report has it. */
export type Graded = Pick<ConformanceReport, 'profile'> & {
  readonly selection: { readonly only: readonly string[]; readonly skip: readonly string[] }
  readonly verdicts: readonly Pick<ConformanceReport['verdicts'][number], 'level' | 'outcome' | 'severity'>[]
}

/** The rules, worst first: the first one that holds gives the grade. */
const RULES: readonly (Grade & { readonly holds: (report: Graded) => boolean })[] = [
  {
    letter: 'F',
    rule: 'A MUST that guards security failed, or no more cases passed than failed.',
    holds: (report) =>
      failed(report).some(({ severity }) => severity === 'security') ||
      report.verdicts.filter(({ outcome }) => outcome === 'passed').length <= failed(report).length,
  },
  {
    letter: 'D',
    rule: 'No security failure, but a MUST that guards money failed.',
    holds: (report) => failed(report).some(({ severity }) => severity === 'money'),
  },
  {
    letter: 'C',
    rule: 'Neither security nor money is touched, but another MUST failed.',
    holds: (report) => failed(report).length > 0,
  },
  {
    letter: 'B',
    rule: 'No failure, but a MUST was not tested, or the run was narrowed to some cases.',
    holds: ({ selection, verdicts }) =>
      selection.only.length + selection.skip.length > 0 ||
      verdicts.some(({ level, outcome }) => level === 'MUST' && outcome === 'untested'),
  },
  {
    letter: 'A',
    rule: 'Every MUST of the profile passed, but advice is open, or effects were not part of it.',
    holds: ({ profile, verdicts }) =>
      profile !== 'full' || verdicts.some(({ outcome }) => outcome !== 'passed'),
  },
  { letter: 'A+', rule: 'Every case of the full profile passed, advice included.', holds: () => true },
]

/** Every grade with its rule, best first. */
export const GRADES: readonly Grade[] = RULES.map(({ letter, rule }) => ({ letter, rule })).toReversed()

/**
 * Grades a report from A+ to F, by its verdicts alone.
 *
 * A run in which nothing passed is an F even if nothing failed: what was not tested earns nothing.
 */
export function grade(report: Graded): Grade {
  const { letter, rule } = RULES.find(({ holds }) => holds(report)) ?? { letter: 'F' as const, rule: '' }
  return { letter, rule }
}

function failed({ verdicts }: Graded): Graded['verdicts'] {
  return verdicts.filter(({ outcome }) => outcome === 'failed')
}

import type { ConformanceReport } from '../../schemas/types.ts'
import type { Outcome } from '../contracts/model.ts'

/** The labels of a verdict's details, the same in every format. */
export const LABELS = {
  case: 'Case',
  cases: 'Cases',
  impact: 'Impact',
  fix: 'Fix',
  sent: 'Sent',
  expected: 'Expected',
  received: 'Received',
  body: 'Body',
  reproduce: 'Reproduce',
  docs: 'Docs',
} as const

/** The headings of the lists of verdicts, the same in every format. */
export const HEADINGS = {
  causes: 'Causes of the failures',
  failures: 'Failures, most severe first',
  inconclusive: 'Inconclusive: the valid control delivery was rejected',
  warnings: 'Warnings (SHOULD requirements not met)',
  untested: 'Not tested',
  /** Before the failures that no cause explains, when there are causes. */
  otherFailures: 'Other failures, which these causes do not explain',
  moreFailures: 'More failures',
  /** Before the name of a framework or a language. */
  example: 'Example in',
  /** After that, where the rest did not fit. */
  beginning: 'how it reads the body',
  /** Before a command that prints one. */
  exampleBy: 'Code for your framework',
  /** The same, where only the language is known and the example is in its most common framework. */
  exampleByOther: 'Code for another framework',
  /** A link to the page of a cause. */
  aboutCause: 'About this cause',
} as const

/** The conclusions as people read them. */
export const CONCLUSIONS = {
  conformant: 'Conformant',
  'not-conformant': 'Not conformant',
  incomplete: 'Incomplete',
} as const satisfies Record<ConformanceReport['conclusion'], string>

/** The outcomes, in the order in which they are counted. */
export const OUTCOMES = [
  'passed',
  'failed',
  'warning',
  'inconclusive',
  'untested',
] as const satisfies readonly Outcome[]

/** The outcome of one case as people read it. */
export const OUTCOME_NAMES = {
  passed: 'passed',
  failed: 'failed',
  warning: 'warning',
  inconclusive: 'inconclusive',
  untested: 'not tested',
} as const satisfies Record<Outcome, string>

/** The outcome of several cases, as the heading of a column. */
export const OUTCOME_COLUMNS = { ...OUTCOME_NAMES, warning: 'warnings' } as const satisfies Record<
  Outcome,
  string
>

/** A number of cases with one outcome: `1 warning`, `2 warnings`, `3 not tested`. */
export function countOf(outcome: Outcome, count: number): string {
  return `${count} ${(count === 1 ? OUTCOME_NAMES : OUTCOME_COLUMNS)[outcome]}`
}

/** A number of things: `1 case`, `2 cases`. */
export function counted(count: number, one: string, several = `${one}s`): string {
  return `${count} ${count === 1 ? one : several}`
}

/** So many names say enough where nearly all cases may be meant. */
const MOST_NAMED = 10

/** The first of several names, and how many follow: `a, b and 3 more`. */
export function namesIn(names: readonly string[], most = MOST_NAMED): string {
  const more = names.length > most ? ` and ${names.length - most} more` : ''
  return `${names.slice(0, most).join(', ')}${more}`
}

import { replaceMarked, tableOf } from '../shared/marked.ts'
import type { CaseResults, Results } from '../shared/results.ts'
import type { Example } from './example.ts'

const HEAD = ['stack', 'language', 'lines', 'packages', 'store', 'result', 'acknowledged in']

/** Writes the table of all examples into docs/examples.md: what their files say, and their last results. */
export function withExamples(page: string, examples: readonly Example[], results: Results): string {
  const rows = examples.map(({ title, name, language, file, lines, packages, store, durable }) => [
    `[${title}](../examples/${name}/${file})`,
    language,
    lines,
    Object.entries(packages)
      .map((entry) => entry.join(' '))
      .join(', ') || 'none',
    durable ? store : `${store}, not durable`,
    ...lastGradeOf(results[name]),
  ])
  return replaceMarked(page, 'examples', tableOf(HEAD, rows))
}

/** The last result of an example, and the time in which it acknowledged a delivery. */
export function lastGradeOf(results: CaseResults | undefined): [result: string, time: string] {
  if (results === undefined) return ['not graded', '']
  const { conclusion, passed, others, acknowledgedInMs = Number.NaN } = results
  const count = Object.values(passed).reduce((sum, more) => sum + more, 0)
  const failed = Object.keys(others).length
  const result = failed === 0 ? conclusion : `${conclusion}, ${count} of ${count + failed} cases`
  return [result, `${acknowledgedInMs.toFixed(1)} ms`]
}

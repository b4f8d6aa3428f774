import type { ConformanceReport } from '../../../schemas/types.ts'
import { JAVASCRIPT } from './javascript.ts'
import { OTHERS } from './others.ts'
import { PYTHON } from './python.ts'
import { type Example, exampleOf, ONCE, type Snippet } from './snippet.ts'
import { topicsOf } from './topics.ts'

const SNIPPETS = { ...JAVASCRIPT, ...PYTHON, ...OTHERS } as const satisfies Readonly<Record<string, Snippet>>

/** The name of a framework, as `--framework` takes it. */
export type Framework = keyof typeof SNIPPETS

/** Every framework that has a snippet. */
export const FRAMEWORKS = Object.keys(SNIPPETS) as readonly Framework[]

/** The parts of a handler in a framework. */
export function snippetOf(framework: Framework): Snippet {
  return SNIPPETS[framework]
}

/** The code that helps against the failures of a report; empty when none is known to. */
export function examplesFor(report: ConformanceReport): Example[] {
  const topics = topicsOf(report)
  const ofHandler = [...topics].some((topic) => topic !== 'once')
  return [
    ...(report.framework !== undefined && ofHandler ? [exampleOf(snippetOf(report.framework), topics)] : []),
    ...(topics.has('once') ? [ONCE] : []),
  ]
}

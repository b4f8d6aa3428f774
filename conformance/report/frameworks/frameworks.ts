import type { ConformanceReport } from '../../../schemas/types.ts'
import { JAVASCRIPT } from './javascript.ts'
import { OTHERS } from './others.ts'
import { PYTHON } from './python.ts'
import { type Example, ONCE, type Snippet, type Topic } from './snippet.ts'
import { topicOf, topicsOf } from './topics.ts'

const SNIPPETS = { ...JAVASCRIPT, ...PYTHON, ...OTHERS } as const satisfies Readonly<Record<string, Snippet>>

/** The name of a framework, as `--framework` takes it. */
export type Framework = keyof typeof SNIPPETS

/** Every framework that has a snippet. */
export const FRAMEWORKS = Object.keys(SNIPPETS) as readonly Framework[]

/** The handler in a framework. */
export function snippetOf(framework: Framework): Snippet {
  return SNIPPETS[framework]
}

/** The code that helps against the failures of a report; empty when none is known to. */
export function examplesFor(report: ConformanceReport): Example[] {
  const topics = topicsOf(report)
  const helping = (topic: Topic, snippet: Snippet | undefined): Example[] => {
    if (!topics.has(topic) || snippet === undefined) return []
    const codes = (report.causes ?? []).map(({ code }) => code)
    return [{ ...snippet, causes: codes.filter((code) => topicOf(code) === topic) }]
  }
  return [
    ...helping('handler', report.framework === undefined ? undefined : snippetOf(report.framework)),
    ...helping('once', ONCE),
  ]
}

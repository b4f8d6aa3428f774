import type { ConformanceReport } from '../../../schemas/types.ts'
import { JAVASCRIPT } from './javascript.ts'
import { OTHERS } from './others.ts'
import { PARSING } from './parsing.ts'
import { PYTHON } from './python.ts'
import { type Example, ONCE, type Snippet, type Topic } from './snippet.ts'
import { topicsOf, topicsOfCause } from './topics.ts'

const SNIPPETS = { ...JAVASCRIPT, ...PYTHON, ...OTHERS } as const satisfies Readonly<Record<string, Snippet>>

/** The name of a framework, as `--framework` takes it. */
export type Framework = keyof typeof SNIPPETS

/** Every framework that has a snippet. */
export const FRAMEWORKS = Object.keys(SNIPPETS) as readonly Framework[]

/** The handler in a framework. */
export function snippetOf(framework: Framework): Snippet {
  return SNIPPETS[framework]
}

/** The lines of a handler that parse the verified body. */
export function parsingOf(framework: Framework): Snippet {
  const { title, language } = snippetOf(framework)
  return { title: `${title}, after the signature check`, language, code: PARSING[framework] }
}

/** The code that helps against the failures of a report; empty when none is known to. */
export function examplesFor(report: ConformanceReport): Example[] {
  const { framework, causes = [] } = report
  const topics = topicsOf(report)
  const helping = (topic: Topic, snippet: Snippet | undefined): Example[] => {
    if (!topics.has(topic) || snippet === undefined) return []
    const helped = causes.filter((cause) => topicsOfCause(cause).includes(topic))
    return [{ ...snippet, causes: helped.map(({ code }) => code) }]
  }
  return [
    ...helping('parsing', framework && parsingOf(framework)),
    ...helping('handler', framework && snippetOf(framework)),
    ...helping('once', ONCE),
  ]
}

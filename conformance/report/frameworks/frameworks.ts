import { JAVASCRIPT } from './javascript.ts'
import { OTHERS } from './others.ts'
import { PYTHON } from './python.ts'
import type { Snippet } from './snippet.ts'

const SNIPPETS = { ...JAVASCRIPT, ...PYTHON, ...OTHERS } as const satisfies Readonly<Record<string, Snippet>>

/** The name of a framework, as `--framework` takes it. */
export type Framework = keyof typeof SNIPPETS

/** Every framework that has a snippet. */
export const FRAMEWORKS = Object.keys(SNIPPETS) as readonly Framework[]

/** How to read the raw body in a framework. */
export function snippetOf(framework: Framework): Snippet {
  return SNIPPETS[framework]
}

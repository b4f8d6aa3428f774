import type { ReportCause, ReportVerdict } from '../../../schemas/types.ts'
import { JAVASCRIPT } from './javascript.ts'
import { OTHERS } from './others.ts'
import { PYTHON } from './python.ts'
import { recognize } from './recognize.ts'
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

/**
 * The framework whose snippet helps: where the raw body is the problem, and the framework is named or its responses show it.
 *
 * @param named the framework that the user named
 */
export function frameworkFor(
  verdicts: readonly ReportVerdict[],
  causes: readonly ReportCause[],
  named: Framework | undefined,
): Framework | undefined {
  const isAboutBody =
    causes.some(({ code }) => code.startsWith('body_') || code === 'content_type_required') ||
    verdicts.some(({ section, outcome }) => section === 'body-bytes' && outcome === 'failed')
  return isAboutBody ? (named ?? recognize(verdicts)) : undefined
}

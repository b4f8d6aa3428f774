import type { ReportCause, ReportVerdict } from '../../../schemas/types.ts'
import type { Framework } from './frameworks.ts'
import { recognize } from './recognize.ts'

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

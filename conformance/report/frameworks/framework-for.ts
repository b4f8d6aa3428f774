import type { ReportCause, ReportVerdict } from '../../../schemas/types.ts'
import type { Framework } from './frameworks.ts'
import { recognize } from './recognize.ts'
import { topicsOf } from './topics.ts'

/**
 * The framework whose code helps: where the handler is the problem, and the framework is named or its responses
 * show it.
 *
 * @param named the framework that the user named
 */
export function frameworkFor(
  verdicts: readonly ReportVerdict[],
  causes: readonly ReportCause[],
  named: Framework | undefined,
): Framework | undefined {
  const topics = topicsOf({ causes: [...causes], verdicts: [...verdicts] })
  return topics.has('handler') || topics.has('parsing') ? (named ?? recognize(verdicts)) : undefined
}

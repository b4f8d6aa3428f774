import type { ConformanceReport } from '../../../schemas/types.ts'
import type { Topic } from './snippet.ts'

/** Which code helps against which cause, by the start of the cause's code. */
const BY_CAUSE: readonly (readonly [start: string, topic: Topic])[] = [
  ['body_', 'handler'],
  ['content_type_required', 'handler'],
  ['signed_text_differs', 'handler'],
  ['signature_', 'handler'],
  ['other_function_accepted', 'handler'],
  ['no_verification', 'handler'],
  ['unsigned_accepted', 'handler'],
  ['one_refusal_status', 'handler'],
  ['statuses_swapped', 'handler'],
  ['wrong_refusal_status', 'handler'],
  ['refusal_with_5xx', 'handler'],
  ['refusals_acknowledged', 'handler'],
  ['error_not_caught', 'handler'],
  ['entries_', 'handler'],
  ['label_by_prefix', 'handler'],
  ['unknown_labels_refused', 'handler'],
  ['t_parsed_leniently', 'handler'],
  ['no_window', 'handler'],
  ['window_', 'handler'],
  ['future_refused', 'handler'],
  ['milliseconds', 'handler'],
  ['deduplicated_', 'once'],
  ['no_deduplication', 'once'],
  ['not_atomic', 'once'],
]

/** What code helps against a cause; undefined where none does. */
export function topicOf(code: string): Topic | undefined {
  return BY_CAUSE.find(([start]) => code.startsWith(start))?.[1]
}

/** What code helps against the failures: by their causes, or against a wrong body if no cause is known. */
export function topicsOf({
  causes = [],
  verdicts,
}: Pick<ConformanceReport, 'causes' | 'verdicts'>): ReadonlySet<Topic> {
  const isAboutBody = verdicts.some(
    ({ case: id, section, outcome }) =>
      section === 'body-bytes' && outcome === 'failed' && !causes.some(({ cases }) => cases.includes(id)),
  )
  return new Set([
    ...causes.flatMap(({ code }) => topicOf(code) ?? []),
    ...(isAboutBody ? (['handler'] as const) : []),
  ])
}

import type { ConformanceReport } from '../../../schemas/types.ts'
import type { Topic } from './snippet.ts'

/** Which code helps against which cause, by the start of the cause's code. */
const BY_CAUSE: readonly (readonly [start: string, topics: readonly Topic[]])[] = [
  ['body_', ['body']],
  ['content_type_required', ['body']],
  ['signed_text_differs', ['hmac']],
  ['signature_', ['hmac']],
  ['other_function_accepted', ['hmac']],
  ['no_verification', ['body', 'status']],
  ['unsigned_accepted', ['hmac', 'status']],
  ['one_refusal_status', ['status']],
  ['statuses_swapped', ['status']],
  ['wrong_refusal_status', ['status']],
  ['refusal_with_5xx', ['status']],
  ['refusals_acknowledged', ['status']],
  ['error_not_caught', ['status']],
  ['deduplicated_', ['once']],
  ['no_deduplication', ['once']],
  ['not_atomic', ['once']],
]

/** What code helps against the failures: by their causes, or against a wrong body if no cause is known. */
export function topicsOf({
  causes = [],
  verdicts,
}: Pick<ConformanceReport, 'causes' | 'verdicts'>): ReadonlySet<Topic> {
  const topics = causes.flatMap(({ code }) => BY_CAUSE.find(([start]) => code.startsWith(start))?.[1] ?? [])
  const isAboutBody = verdicts.some(
    ({ case: id, section, outcome }) =>
      section === 'body-bytes' && outcome === 'failed' && !causes.some(({ cases }) => cases.includes(id)),
  )
  return new Set([...topics, ...(isAboutBody ? (['body'] as const) : [])])
}

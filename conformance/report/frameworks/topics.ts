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

/** A cause, and the cases that show it. */
interface CauseShown {
  readonly code: string
  readonly cases: readonly string[]
}

/** What code helps against a cause that these cases show; empty where none does. */
export function topicsOfCause({ code, cases }: CauseShown): readonly Topic[] {
  if (code === 'error_not_caught') return uncaught(cases)
  return BY_CAUSE.filter(([start]) => code.startsWith(start)).map(([, topic]) => topic)
}

/** An error of reading the header, or of parsing a body that is validly signed. */
function uncaught(cases: readonly string[]): Topic[] {
  const isAboutHeader = (id: string) => id.startsWith('signature-header/')
  return [
    ...(cases.every(isAboutHeader) ? [] : (['parsing'] as const)),
    ...(cases.some(isAboutHeader) ? (['handler'] as const) : []),
  ]
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
  return new Set([...causes.flatMap(topicsOfCause), ...(isAboutBody ? (['handler'] as const) : [])])
}

import type { ReportVerdict } from '../../schemas/types.ts'

const LABEL_WIDTH = 10
/** How many different requests are named before the rest is only counted. */
const SHOWN = 3

/** A labeled line of text, with the values of all such lines in one column: `  Fix       Compare the MACs.` */
export function row(
  label: string,
  text: string,
  { indent = 2, paint = (label: string) => label } = {},
): string {
  return `${' '.repeat(indent)}${paint(label.padEnd(LABEL_WIDTH))}${text}`
}

/** The requests of a case in one line, without its controls if it has others: `POST payment.completed, empty key (2 times)`. */
export function sent({ exchanges }: ReportVerdict): string {
  if (exchanges.length === 0) return 'nothing by itself: it judges the deliveries of the other cases'
  if (exchanges.every(wasRefused))
    return 'nothing that arrived: the receiver refused every connection, most likely since an earlier case'
  const own = exchanges.filter(({ role }) => role !== 'control')
  const requests = (own.length === 0 ? exchanges : own).map(
    ({ delivery, label }) =>
      `${delivery.method}${delivery.event === null ? '' : ` ${delivery.event}`}, ${label}`,
  )
  const distinct = [...new Set(requests)].map((request) => {
    const times = requests.filter((other) => other === request).length
    return times === 1 ? request : `${request} (${times} times)`
  })
  const more = distinct.length > SHOWN ? `; and ${distinct.length - SHOWN} more` : ''
  return `${distinct.slice(0, SHOWN).join('; then ')}${more}`
}

/** Whether nothing listened any more: the request was never sent. */
export function wasRefused({ answer, error }: ReportVerdict['exchanges'][number]): boolean {
  return answer === null && error?.includes('ECONNREFUSED') === true
}

/** How many characters of what was received, beside a failure that has no card. */
const SHOWN_RECEIVED = 60

/** What was received, as a remark beside something else. */
export function shortened(text: string): string {
  return text.length > SHOWN_RECEIVED ? `${text.slice(0, SHOWN_RECEIVED)}...` : text
}

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

/** The requests of a case in one line, without its controls: `POST payment.completed, empty key (2 times)`. */
export function sent({ exchanges }: ReportVerdict): string {
  const requests = exchanges
    .filter(({ role }) => role !== 'control')
    .map(
      ({ delivery, label }) =>
        `${delivery.method}${delivery.event === null ? '' : ` ${delivery.event}`}, ${label}`,
    )
  const distinct = [...new Set(requests)].map((request) => {
    const times = requests.filter((other) => other === request).length
    return times === 1 ? request : `${request} (${times} times)`
  })
  if (distinct.length === 0) return 'nothing'
  const more = distinct.length > SHOWN ? `; and ${distinct.length - SHOWN} more` : ''
  return `${distinct.slice(0, SHOWN).join('; then ')}${more}`
}

import type { PaymentSort } from '../../store/queries/payments.ts'

/** A column heading; it is a link if the list can be sorted by it. */
interface Column {
  readonly text: string
  readonly href?: string
  /** The value of `aria-sort` if the list is sorted by this column. */
  readonly order?: 'ascending' | 'descending'
}

/** The columns that sort: the order of the first click, then the opposite one. */
const SORTED: Readonly<Record<string, readonly [descending: PaymentSort, ascending: PaymentSort]>> = {
  Amount: ['highest', 'lowest'],
  Created: ['newest', 'oldest'],
}

/** The column headings of the payments. @param path of the list @param query its filter */
export const columnsOf = (path: string, query: URLSearchParams, sort: PaymentSort): Column[] =>
  ['Amount', 'Status', 'Method', 'Created'].map((text) => {
    const [descending, ascending] = SORTED[text] ?? []
    if (descending === undefined || ascending === undefined) return { text }
    const params = new URLSearchParams(query)
    params.set('sort', sort === descending ? ascending : descending)
    return {
      text,
      href: `${path}?${params.toString()}`,
      ...(sort === descending && { order: 'descending' }),
      ...(sort === ascending && { order: 'ascending' }),
    }
  })

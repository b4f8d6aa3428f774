/** The links to the neighboring pages of a list; undefined if there is none. */
export interface Paging {
  readonly newer: string | undefined
  readonly older: string | undefined
}

/** Where a page of a list starts, from its URL. */
export interface Position {
  /** The id after which the page starts. */
  readonly before: string | undefined
  /** The id before which the page ends. */
  readonly after: string | undefined
}

/**
 * Cuts a page from the entries that were found, and links to its neighbors.
 * @param found up to one more entry than fit on a page: it shows that the list goes on in the direction of the request
 * @param list path: of the list; query: its filter; size: how many entries fit on a page
 */
export function pageOf<Entry>(
  found: readonly Entry[],
  { before, after }: Position,
  list: { path: string; query: URLSearchParams; size: number; idOf: (entry: Entry) => string },
): { page: Entry[] } & Paging {
  const { path, query, size, idOf } = list
  const isBackwards = after !== undefined
  const goesOn = found.length > size
  const page = isBackwards ? found.slice(-size) : found.slice(0, size)
  const linkTo = (name: keyof Position, entry: Entry | undefined): string | undefined => {
    if (entry === undefined) return undefined
    const params = new URLSearchParams(query)
    params.set(name, idOf(entry))
    return `${path}?${params.toString()}`
  }
  return {
    page,
    newer: (isBackwards ? goesOn : before !== undefined) ? linkTo('after', page[0]) : undefined,
    older: isBackwards || goesOn ? linkTo('before', page.at(-1)) : undefined,
  }
}

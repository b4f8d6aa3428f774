import { type EventQuery, searchParamsFor } from '../shared/event-filter.ts'

/** A link to the events whose deliveries are in one state. */
interface Tab {
  readonly text: string
  readonly href: string
  /** How many events match; undefined where counting would take as long as a search. */
  readonly count: number | undefined
  readonly isCurrent: boolean
}

/** The states that need attention. */
const TAB_STATES = ['failing', 'failed', 'paused'] as const

/**
 * The tabs above the events. They keep the rest of the filter.
 * @param path of the list
 * @param count counts the events that match the filter with another state
 */
export function tabsOf(
  filter: EventQuery,
  path: string,
  count: (state: EventQuery['state']) => number,
): Tab[] {
  const tab = (text: string, state: EventQuery['state'], shown: number | undefined): Tab => {
    const query = searchParamsFor({ ...filter, state }).toString()
    return {
      text,
      href: query === '' ? path : `${path}?${query}`,
      count: shown,
      isCurrent: filter.state === state,
    }
  }
  return [
    tab('all', undefined, undefined),
    ...TAB_STATES.map((state) => tab(state, state, filter.text === undefined ? count(state) : undefined)),
  ]
}

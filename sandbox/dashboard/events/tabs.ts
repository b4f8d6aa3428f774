import { COUNTED_STATES, type CountedState } from '../../store/queries/events.ts'
import { type EventQuery, searchParamsFor } from '../shared/event-filter.ts'

/** A link to the events whose deliveries are in one state. */
interface Tab {
  readonly text: string
  readonly href: string
  /** How many events it leads to; undefined if they were not counted. */
  readonly count: string | undefined
  readonly isCurrent: boolean
}

/** More than this are not counted, so that the page stays fast. */
export const MOST_COUNTED = 100

/**
 * The tabs above the events. They keep the rest of the filter; if there is any filter, they have no counts.
 * @param path of the list
 * @param count counts the events in a state, up to one more than {@link MOST_COUNTED}
 */
export function tabsOf(filter: EventQuery, path: string, count: (state: CountedState) => number): Tab[] {
  const isWhole = searchParamsFor(filter).toString() === ''
  const countOf = (state: CountedState) => (isWhole ? shown(count(state)) : undefined)
  const tab = (state: EventQuery['state'], counted?: string): Tab => {
    const query = searchParamsFor({ ...filter, state }).toString()
    return {
      text: state ?? 'all',
      href: query === '' ? path : `${path}?${query}`,
      count: counted,
      isCurrent: filter.state === state,
    }
  }
  return [tab(undefined), ...COUNTED_STATES.map((state) => tab(state, countOf(state)))]
}

const shown = (count: number): string => (count > MOST_COUNTED ? `${MOST_COUNTED}+` : String(count))

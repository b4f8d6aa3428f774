import { diffLines } from 'diff'
import type { Request, Response, Router } from 'express'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { addressNames } from '../../pages/addresses.ts'
import { text } from '../shared/filters.ts'
import { indentJson, textOf } from '../shared/json.ts'
import { ownOf, type Show } from '../shared/screen.ts'

/** Compares two deliveries of an event. */
export function compareRoutes(router: Router, context: Context, show: Show): void {
  const { store } = context
  const nameOf = addressNames(context)

  function page(request: Request<{ id: string }>, response: Response): void {
    const event = ownOf(response, store.events.get(request.params.id), 'event')
    const deliveries = store.deliveries.ofEvent(event.id)
    const left = deliveries.find(({ id }) => id === text(request.query['a'])) ?? deliveries[0]
    const right = deliveries.find(({ id }) => id === text(request.query['b'])) ?? deliveries.at(-1)
    if (left === undefined || right === undefined) throw new ApiError(404, 'The event has no deliveries.')
    const bodyOf = ({ body }: typeof left): string => textOf(body ?? event.body)
    const headersOf = ({ id }: typeof left): string => {
      const headers = Object.entries(store.deliveries.attempts(id).at(-1)?.requestHeaders ?? {})
      return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
    }
    show(response, 'event/compare', `Compare deliveries of ${event.name}`, {
      event,
      left: left.id,
      right: right.id,
      deliveries: deliveries.map((delivery) => ({
        id: delivery.id,
        text: `${nameOf(delivery)} (${delivery.id})`,
      })),
      headers: lineDiff(headersOf(left), headersOf(right)),
      body: lineDiff(readable(bodyOf(left)), readable(bodyOf(right))),
      isSame: bodyOf(left) === bodyOf(right),
    })
  }

  router.get('/events/:id/compare', page)
}

/** JSON with one field a line, which makes a difference visible; other text is unchanged. */
const readable = (body: string): string => indentJson(body) ?? body

const LONGEST = 256 * 1024
/** The most lines of a text that is compared: each becomes a row of the page. */
const MOST_LINES = 5_000
/** The most added and removed lines; the time grows with the square of their number. */
const MOST_CHANGES = 500

/**
 * Compares two texts line by line, in a limited time.
 * @returns undefined if they are too long or too different
 */
export function lineDiff(left: string, right: string) {
  if (isLong(left) || isLong(right)) return undefined
  return diffLines(`${left}\n`, `${right}\n`, { maxEditLength: MOST_CHANGES })?.flatMap(
    ({ value, added, removed }) =>
      value
        .replace(/\n$/, '')
        .split('\n')
        .map((text) => ({ text, change: added ? 'added' : removed ? 'removed' : 'same' })),
  )
}

const isLong = (text: string): boolean =>
  text.length > LONGEST || text.split('\n', MOST_LINES + 1).length > MOST_LINES

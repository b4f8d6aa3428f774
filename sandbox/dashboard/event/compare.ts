import { diffLines } from 'diff'
import type { Request, Response, Router } from 'express'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field } from '../../http/bodies.ts'
import { addressNames } from '../../pages/addresses.ts'
import { text } from '../shared/filters.ts'
import { indentJson, textOf } from '../shared/json.ts'
import { ownOf, type Show } from '../shared/screen.ts'

/** Compares two deliveries of an event, or the signed bytes of one with the bytes that a receiver read. */
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
    const echoed = request.method === 'POST' ? field(request, 'echoed') : undefined
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
      echoed,
      echo: echoed === undefined ? undefined : echoOf(bodyOf(left), echoed.replaceAll('\r\n', '\n')),
    })
  }

  router.get('/events/:id/compare', page)
  router.post('/events/:id/compare', page)
}

/** Where the bytes that a receiver read first differ from those that were signed. */
function echoOf(signed: string, echoed: string) {
  const [a, b] = [Buffer.from(signed), Buffer.from(echoed)]
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a[at] === b[at]) at += 1
  let same = 0
  while (same < length - at && a[a.length - 1 - same] === b[b.length - 1 - same]) same += 1
  const isSame = a.equals(b)
  return {
    isSame,
    signed: a.length,
    echoed: b.length,
    at,
    isOnlyFormat: !isSame && readable(signed) === readable(echoed),
    parts: [
      { name: 'Signed', change: 'removed', ...around(a, at, a.length - same) },
      { name: 'Read', change: 'added', ...around(b, at, b.length - same) },
    ],
    lines: lineDiff(readable(signed), readable(echoed)),
  }
}

/** How many bytes are shown before and after those that differ, and how many of the latter. */
const CONTEXT = 40
const MOST_DIFFERENT = 160

/** The bytes that differ, with some before and after them, as text that shows white space. */
function around(bytes: Buffer, from: number, to: number) {
  const start = characterAt(bytes, from)
  const end = characterAt(bytes, Math.min(to, start + MOST_DIFFERENT))
  const shown = (first: number, last: number) =>
    textOf(bytes.subarray(characterAt(bytes, first), last))
      .replaceAll('\r', '\\r')
      .replaceAll('\n', '\\n')
      .replaceAll('\t', '\\t')
  return {
    before: shown(Math.max(0, start - CONTEXT), start),
    different: shown(start, end),
    after: shown(end, characterAt(bytes, Math.min(bytes.length, end + CONTEXT))),
  }
}

/** Where the character begins that has the byte at an offset in UTF-8. */
function characterAt(bytes: Buffer, offset: number): number {
  let at = offset
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return at
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

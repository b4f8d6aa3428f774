import { type Request, type Response, Router } from 'express'
import type { Context } from '../../context.ts'
import { ApiError } from '../../http/api-error.ts'
import { addressNames, field } from '../../pages/index.ts'
import { attempts } from '../../store/attempts.ts'
import { indentJson } from '../shared/indent-json.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import { text } from '../shared/query.ts'
import type { Show } from '../shared/screen.ts'
import { lineDiff } from './line-diff.ts'

/** Compares two deliveries of an event, or the signed bytes of one with the bytes that a receiver read. */
export function compareRoutes(context: Context, show: Show): Router {
  const { store } = context
  const ended = attempts(store.database)
  const nameOf = addressNames(context)
  const router = Router()

  function page(request: Request<{ id: string }>, response: Response): void {
    const event = store.events.get(request.params.id)
    if (event?.organizationId !== scopeOf(response).organization.id) {
      throw new ApiError(404, 'There is no event with this id.')
    }
    const deliveries = store.deliveries.ofEvent(event.id)
    const left = deliveries.find(({ id }) => id === text(request.query['a'])) ?? deliveries[0]
    const right = deliveries.find(({ id }) => id === text(request.query['b'])) ?? deliveries.at(-1)
    if (left === undefined || right === undefined) throw new ApiError(404, 'The event has no deliveries.')
    const bodyOf = ({ body }: typeof left): string => textOf(body ?? event.body)
    const headersOf = ({ id }: typeof left): string => {
      const headers = Object.entries(ended.ofDelivery(id).at(-1)?.requestHeaders ?? {})
      return headers.map(([name, value]) => `${name}: ${value}`).join('\n')
    }
    const echoed = request.method === 'POST' ? field(request, 'echoed') : undefined
    show(response, {
      template: 'event/compare',
      title: `Compare deliveries of ${event.name}`,
      entry: '/events',
      data: {
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
      },
    })
  }

  router.get('/events/:id/compare', page)
  router.post('/events/:id/compare', page)
  return router
}

/** Where the bytes that a receiver read first differ from those that were signed. */
function echoOf(signed: string, echoed: string) {
  const [a, b] = [Buffer.from(signed), Buffer.from(echoed)]
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a[at] === b[at]) at += 1
  const isSame = a.equals(b)
  return {
    isSame,
    signed: a.length,
    echoed: b.length,
    at,
    isOnlyFormat: !isSame && readable(signed) === readable(echoed),
    lines: lineDiff(readable(signed), readable(echoed)),
  }
}

/** JSON with one field a line, which makes a difference visible; other text is unchanged. */
const readable = (body: string): string => indentJson(body) ?? body

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

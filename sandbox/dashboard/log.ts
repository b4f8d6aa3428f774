import { Router } from 'express'
import type { Context } from '../context.ts'
import type { ApiCall } from '../model.ts'
import { callList } from '../store/queries/calls.ts'
import type { Mark } from './delivery-view.ts'
import { deskOf, type Show } from './desk.ts'
import { text } from './query.ts'

const PAGE = 50

/** The log of API calls, with what was asked and answered. */
export function logRoutes({ store }: Context, show: Show): Router {
  const list = callList(store)
  const router = Router()
  router.get('/log', ({ query }, response) => {
    const { organization, base } = deskOf(response)
    const refused = query['only'] === 'refused'
    const before = Number(text(query['before'])) || undefined
    const found = list({ organizationId: organization.id, refused, before, limit: PAGE + 1 })
    const shown = found.slice(0, PAGE)
    const keys = new Map(store.keys.ofOrganization(organization.id).map(({ id, shown }) => [id, shown]))
    const older = new URLSearchParams({
      ...(refused && { only: 'refused' }),
      before: String(shown.at(-1)?.id),
    })
    show(response, {
      template: 'log',
      title: 'API log',
      entry: '/log',
      data: {
        calls: shown.map((call) => ({
          ...call,
          mark: markOf(call),
          key: call.keyId === null ? undefined : keys.get(call.keyId),
          request: indented(call.requestBody),
          response: indented(call.responseBody),
        })),
        refused,
        older: found.length > PAGE ? `${base}/log?${older.toString()}` : undefined,
      },
    })
  })
  return router
}

function markOf({ status }: ApiCall): Mark {
  if (status >= 500) return { text: String(status), tone: 'bad' }
  return { text: String(status), tone: status >= 400 ? 'odd' : 'good' }
}

/** JSON over several lines; what was cut off, and so is none, stays as it is. */
function indented(body: string | null): string | undefined {
  if (body === null) return undefined
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

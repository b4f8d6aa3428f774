import type { Router } from 'express'
import type { Context } from '../../compose.ts'
import type { ApiCall } from '../../model.ts'
import { searchParams, text } from '../shared/filters.ts'
import { indentJson } from '../shared/json.ts'
import { type Show, scopeOf } from '../shared/screen.ts'
import type { Badge } from '../shared/views.ts'

const PAGE_SIZE = 50

/** The API log screen: requests to the API, with their bodies and responses. */
export function logRoutes(router: Router, { store }: Context, show: Show): void {
  router.get('/log', ({ query }, response) => {
    const { organization, base } = scopeOf(response)
    const onlyFailed = query['only'] === 'failed'
    const before = Number(text(query['before'])) || undefined
    const filter = { organizationId: organization.id, refused: onlyFailed, before }
    const found = store.log.list({ ...filter, limit: PAGE_SIZE + 1 })
    const page = found.slice(0, PAGE_SIZE)
    const keys = new Map(store.keys.ofOrganization(organization.id).map(({ id, shown }) => [id, shown]))
    const older = searchParams({ only: onlyFailed ? 'failed' : undefined, before: String(page.at(-1)?.id) })
    show(response, 'log/log', 'API log', {
      calls: page.map((call) => ({
        ...call,
        badge: badgeOf(call),
        key: call.keyId === null ? undefined : keys.get(call.keyId),
        request: indented(call.requestBody),
        response: indented(call.responseBody),
      })),
      onlyFailed,
      latest: before === undefined ? undefined : `${base}/log${onlyFailed ? '?only=failed' : ''}`,
      older: found.length > PAGE_SIZE ? `${base}/log?${older.toString()}` : undefined,
    })
  })
}

function badgeOf({ status }: ApiCall): Badge {
  if (status >= 500) return { text: String(status), tone: 'error' }
  return { text: String(status), tone: status >= 400 ? 'warning' : 'success' }
}

const indented = (body: string | null): string | undefined =>
  body === null ? undefined : (indentJson(body) ?? body)

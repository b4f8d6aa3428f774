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
    const search = text(query['q'])
    const filter = { organizationId: organization.id, refused: onlyFailed, text: search, before }
    const found = store.log.list({ ...filter, limit: PAGE_SIZE + 1 })
    const page = found.slice(0, PAGE_SIZE)
    const keys = new Map(store.keys.ofOrganization(organization.id).map(({ id, shown }) => [id, shown]))
    const addressOf = (fields: Parameters<typeof searchParams>[0]) => {
      const params = searchParams({ q: search, ...fields }).toString()
      return `${base}/log${params === '' ? '' : `?${params}`}`
    }
    const only = onlyFailed ? 'failed' : undefined
    show(response, 'log/log', 'API log', {
      calls: page.map((call) => ({
        ...call,
        badge: badgeOf(call),
        key: call.keyId === null ? undefined : keys.get(call.keyId),
        request: indented(call.requestBody),
        response: indented(call.responseBody),
      })),
      onlyFailed,
      search,
      tabs: { all: addressOf({}), failed: addressOf({ only: 'failed' }) },
      latest: before === undefined ? undefined : addressOf({ only }),
      older: found.length > PAGE_SIZE ? addressOf({ only, before: String(page.at(-1)?.id) }) : undefined,
    })
  })
}

function badgeOf({ status }: ApiCall): Badge {
  if (status >= 500) return { text: String(status), tone: 'error' }
  return { text: String(status), tone: status >= 400 ? 'warning' : 'success' }
}

const indented = (body: string | null): string | undefined =>
  body === null ? undefined : (indentJson(body) ?? body)

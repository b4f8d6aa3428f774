import { type Request, type Response, Router } from 'express'
import { ApiError } from '../api/errors.ts'
import type { Context } from '../context.ts'
import { type Mode, SCOPES } from '../model.ts'
import { field, fields } from '../pages/index.ts'
import { deskOf, type Show } from './desk.ts'
import { environment } from './env.ts'
import { onceOnly } from './once.ts'
import { choice } from './query.ts'
import { leadTo } from './said.ts'

const MODES = ['test', 'live'] as const satisfies readonly Mode[]

/** API keys: the list, a form that makes one, which is shown once, and how one is revoked. Interface 5.1 and 5.4. */
export function keyRoutes({ store, keys, origin }: Context, show: Show): Router {
  const router = Router()
  const once = onceOnly()

  function list(response: Response, more: { problem?: string; status?: number } = {}): void {
    const { organization } = deskOf(response)
    show(response, {
      template: 'keys',
      title: 'API keys',
      entry: '/keys',
      status: more.status ?? 200,
      data: {
        keys: store.keys.ofOrganization(organization.id).toReversed(),
        choices: { modes: MODES, scopes: SCOPES },
        problem: more.problem,
        once: once.token(),
      },
    })
  }

  router.get('/keys', (_request, response) => list(response))

  router.post('/keys', (request: Request, response) => {
    const { organization, base } = deskOf(response)
    const chosen = fields(request, 'scopes')
    const scopes = SCOPES.filter((scope) => chosen.includes(scope))
    if (scopes.length === 0) return list(response, { problem: 'Choose at least one scope.', status: 400 })
    // The page of a new key that is loaded anew sends the form again.
    if (!once.use(field(request, 'once'))) return leadTo(response, `${base}/keys`, 'key_made_before')
    const mode = choice(field(request, 'mode'), MODES) ?? 'test'
    const { value } = keys.create({ organizationId: organization.id, mode, scopes })
    const apiUrl = `${origin()}/v1`
    // No redirect: this answer is the only one that holds the key.
    show(response, {
      template: 'key-created',
      title: 'New API key',
      entry: '/keys',
      status: 201,
      data: {
        value,
        mode,
        scopes,
        env: environment({ apiUrl, apiKey: value, secret: organization.webhookUrlSecret }),
        canPay: scopes.includes('payments:write'),
        apiUrl,
      },
    })
  })

  router.post('/keys/:id/revoke', ({ params }, response) => {
    const { organization, base } = deskOf(response)
    if (!keys.revoke(organization.id, params['id'])) {
      throw new ApiError(404, 'There is no such key in use: it may have been revoked already.')
    }
    leadTo(response, `${base}/keys`, 'key_revoked')
  })

  return router
}

import type { Request, Response, Router } from 'express'
import type { Context } from '../../compose.ts'
import { ApiError } from '../../errors.ts'
import { field, fields } from '../../http/bodies.ts'
import { SCOPES } from '../../model.ts'
import { choice, MODES } from '../shared/filters.ts'
import { redirectTo, type Show, scopeOf } from '../shared/screen.ts'
import { envFile } from '../start/routes.ts'

/** The API keys screen: the list, a form that creates a key and shows it once, and revocation. Interface 5.1 and 5.4. */
export function keyRoutes(router: Router, { store, keys, origin }: Context, show: Show): void {
  function list(
    response: Response,
    { problem, status = 200 }: { problem?: string; status?: number } = {},
  ): void {
    const { organization } = scopeOf(response)
    show(response.status(status), 'keys/keys', 'API keys', {
      keys: store.keys.ofOrganization(organization.id).toReversed(),
      choices: { modes: MODES, scopes: SCOPES },
      problem,
    })
  }

  router.get('/keys', (_request, response) => list(response))

  router.post('/keys', (request: Request, response) => {
    const { organization } = scopeOf(response)
    const chosen = fields(request, 'scopes')
    const scopes = SCOPES.filter((scope) => chosen.includes(scope))
    if (scopes.length === 0) return list(response, { problem: 'Choose at least one scope.', status: 400 })
    const mode = choice(field(request, 'mode'), MODES) ?? 'test'
    const { value } = keys.create({ organizationId: organization.id, mode, scopes })
    const apiUrl = `${origin()}/v1`
    // No redirect: only this response contains the key.
    show(response.status(201), 'keys/key-created', 'New API key', {
      value,
      mode,
      scopes,
      env: envFile(apiUrl, value, organization.webhookUrlSecret),
      canPay: scopes.includes('payments:write'),
      apiUrl,
    })
  })

  router.post('/keys/:id/revoke', ({ params }, response) => {
    const { organization, base } = scopeOf(response)
    if (!keys.revoke(organization.id, params['id'])) {
      throw new ApiError(404, 'There is no active key with this id. It may have been revoked already.')
    }
    redirectTo(response, `${base}/keys`, 'key_revoked')
  })
}

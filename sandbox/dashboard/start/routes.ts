import { Router } from 'express'
import type { Context } from '../../context.ts'
import { addressNames, isIdleListener } from '../../pages/index.ts'
import { recipients } from '../../store/queries/recipients.ts'
import { envFile } from '../shared/env-file.ts'
import { healthOf } from '../shared/health.ts'
import { scopeOf } from '../shared/organization-scope.ts'
import type { Show } from '../shared/screen.ts'
import { defaultKeys } from './default-keys.ts'
import { nonDefaultSettings } from './non-default-settings.ts'

/** Where the commands look for a sandbox by default. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4100'

/** The Start screen: everything that a receiver and its first payment need. */
export function startRoutes(context: Context, show: Show): Router {
  const { store, origin, routes } = context
  const nameOf = addressNames(context)
  const recipientsOf = recipients(store.database)
  const router = Router()
  router.get('/', (_request, response) => {
    const { organization } = scopeOf(response)
    const { id, webhookUrlSecret } = organization
    const apiUrl = `${origin()}/v1`
    const keys = store.keys.ofOrganization(id).filter(({ revokedAt }) => revokedAt === null)
    const defaults = defaultKeys(context, organization)
    const apiKey = defaults.find(({ mode }) => mode === 'test')?.value
    const found = recipientsOf(id)
    const isWaiting = (endpointId: string) =>
      found.some((recipient) => recipient.endpointId === endpointId && recipient.paused > 0)
    // A `hookproof listen` that is not running matters only if deliveries wait for it.
    const endpoints = store.endpoints
      .ofOrganization(id)
      .filter((endpoint) => !isIdleListener(endpoint) || isWaiting(endpoint.id))
    show(response, {
      template: 'start/start',
      title: 'Start',
      entry: '',
      data: {
        apiUrl,
        sandboxUrl: origin() === DEFAULT_ORIGIN ? '' : origin(),
        keys: keys.map(({ id, mode, shown }) => {
          const complete = defaults.find((key) => key.id === id)?.value
          return { mode, value: complete ?? shown, isComplete: complete !== undefined }
        }),
        hasKey: apiKey !== undefined,
        settings: nonDefaultSettings(context),
        secret: webhookUrlSecret,
        env: envFile({ apiUrl, apiKey, secret: webhookUrlSecret }),
        recipients: healthOf(found, endpoints).map((health) => ({
          ...health,
          url: nameOf(health),
        })),
        routes: routes.map(({ from, to }) => ({ from: from.href, to: to.href })),
      },
    })
  })
  return router
}

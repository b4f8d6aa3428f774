import { Router } from 'express'
import type { Context } from '../context.ts'
import { addressNames, isIdleListener } from '../pages/index.ts'
import { recipients } from '../store/queries/recipients.ts'
import { deskOf, type Show } from './desk.ts'
import { environment } from './env.ts'
import { firstKeys } from './first-keys.ts'
import { healthOf } from './health.ts'
import { unusualOf } from './unusual.ts'

/** The first screen: everything that a receiver and its first payment need. */
export function startRoutes(context: Context, show: Show): Router {
  const { store, origin, routes } = context
  const nameOf = addressNames(context)
  const latest = recipients(store.database)
  const router = Router()
  router.get('/', (_request, response) => {
    const { organization } = deskOf(response)
    const { id, webhookUrlSecret } = organization
    const apiUrl = `${origin()}/v1`
    const keys = store.keys.ofOrganization(id).filter(({ revokedAt }) => revokedAt === null)
    const first = firstKeys(context, organization)
    const apiKey = first.find(({ mode }) => mode === 'test')?.value
    const endpoints = store.endpoints.ofOrganization(id)
    const receivers = endpoints.filter((one) => !isIdleListener(one))
    show(response, {
      template: 'start',
      title: 'Start',
      entry: '',
      data: {
        apiUrl,
        keys: keys.map(({ id, mode, shown }) => ({
          mode,
          value: first.find((one) => one.id === id)?.value ?? shown,
        })),
        hasKey: apiKey !== undefined,
        unusual: unusualOf(context),
        secret: webhookUrlSecret,
        env: environment({ apiUrl, apiKey, secret: webhookUrlSecret }),
        recipients: healthOf(latest(id), receivers).map((one) => ({ ...one, url: nameOf(one) })),
        routes: routes.map(({ from, to }) => ({ from: from.href, to: to.href })),
      },
    })
  })
  return router
}

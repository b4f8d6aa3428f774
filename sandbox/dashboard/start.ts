import { Router } from 'express'
import type { Context } from '../context.ts'
import { recipients } from '../store/dashboard-recipients.ts'
import { deskOf, type Show } from './desk.ts'
import { environment } from './env.ts'
import { healthOf } from './health.ts'

/** The first screen: everything that a receiver and its first payment need. */
export function startRoutes(context: Context, show: Show): Router {
  const { store, origin, routes } = context
  const latest = recipients(store.database)
  const router = Router()
  router.get('/', (_request, response) => {
    const { organisation } = deskOf(response)
    const { id, webhookUrlSecret } = organisation
    const apiUrl = `${origin()}/v1`
    const keys = store.keys.ofOrganisation(id).filter(({ revokedAt }) => revokedAt === null)
    const testKey = keys.find(({ mode }) => mode === 'test')?.shown ?? 'svc_test_…'
    show(response, {
      template: 'start',
      title: 'Start',
      entry: '',
      data: {
        apiUrl,
        keys,
        secret: webhookUrlSecret,
        env: environment({ apiUrl, apiKey: testKey, secret: webhookUrlSecret }),
        recipients: healthOf(latest(id), store.endpoints.ofOrganisation(id)),
        routes: routes.map(({ from, to }) => ({ from: from.href, to: to.href })),
      },
    })
  })
  return router
}

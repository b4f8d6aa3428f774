import type { Router } from 'express'
import type { Context } from '../../compose.ts'
import type { Organization } from '../../model.ts'
import { addressNames, isIdleListener } from '../../pages/addresses.ts'
import { seededOrganizations } from '../../service/keys.ts'
import { recipients } from '../../store/health.ts'
import { redirectTo, type Show, scopeOf } from '../shared/screen.ts'
import { healthOf } from '../shared/views.ts'

/** Where the commands look for a sandbox by default. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4100'

/** The Start screen: everything that a receiver and its first payment need. */
export function startRoutes(router: Router, context: Context, show: Show): void {
  const { store, origin, routes, payments } = context
  const nameOf = addressNames(context)
  const recipientsOf = recipients(store.database)
  router.post('/test-event', (_request, response) => {
    const { organization, base } = scopeOf(response)
    const event = store.transaction(() => {
      const payment = payments.create({
        organizationId: organization.id,
        mode: 'test',
        amount: '25.00',
        currency: 'USD',
        metadata: { note: 'test event' },
      })
      return payments.act(payment.id, { type: 'succeed', simulated: true }).event
    })
    redirectTo(response, `${base}/events/${event.id}`, 'test_sent')
  })

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
    show(response, 'start/start', 'Start', {
      apiUrl,
      sandboxUrl: origin() === DEFAULT_ORIGIN ? '' : origin(),
      keys: keys.map(({ id, mode, shown }) => {
        const complete = defaults.find((key) => key.id === id)?.value
        return { mode, value: complete ?? shown, isComplete: complete !== undefined }
      }),
      hasKey: apiKey !== undefined,
      settings: context.settings,
      secret: webhookUrlSecret,
      env: envFile(apiUrl, apiKey, webhookUrlSecret),
      recipients: healthOf(found, endpoints).map((health) => ({ ...health, url: nameOf(health) })),
      routes: routes.map(({ from, to }) => ({ from: from.href, to: to.href })),
    })
  })
}

/**
 * The organization's default keys that are not revoked, the test key first. They are derived from the seed, so they can
 * always be shown, as in the terminal; of any other key only a hash is stored. Interface 5.1.
 */
function defaultKeys({ seed, keys }: Pick<Context, 'seed' | 'keys'>, { id }: Organization) {
  const seeded = seededOrganizations(seed()).find((organization) => organization.id === id)
  if (seeded === undefined) return []
  return [seeded.testKey, seeded.liveKey].flatMap((value) => {
    const key = keys.find(value)
    return key === undefined || key.revokedAt !== null ? [] : [{ id: key.id, mode: key.mode, value }]
  })
}

/**
 * The lines of an `.env` file that connects a shop and its receiver to this sandbox.
 * @param apiKey undefined if no complete key is known: part of a key would look like a key
 */
export const envFile = (apiUrl: string, apiKey: string | undefined, secret: string): string =>
  [
    `PAYMENT_BASE_URL=${apiUrl}`,
    ...(apiKey === undefined ? ['# Create a test key under API keys; it is shown once.'] : []),
    `PAYMENT_API_KEY=${apiKey ?? ''}`,
    `WEBHOOK_SECRET=${secret}`,
  ].join('\n')

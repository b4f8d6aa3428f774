import { HarnessError } from '../harness-error.ts'
import { nearest, suggestion } from './nearest.ts'

/** The services whose receivers can be graded. A folder beside this file has the contract of each. */
export const SERVICE_NAMES = [
  'payment-service',
  'standard-webhooks',
  'stripe',
  'github',
  'slack',
  'shopify',
] as const

/** The name of a service. */
export type ServiceId = (typeof SERVICE_NAMES)[number]

/** The name itself. @throws HarnessError `bad_option` for one that is not known, with the nearest ones */
export function requireServiceName(id: string): ServiceId {
  const known = SERVICE_NAMES.find((name) => name === id)
  if (known !== undefined) return known
  const hint = suggestion(nearest(id, SERVICE_NAMES), `choose from ${SERVICE_NAMES.join(', ')}`)
  throw new HarnessError('bad_option', `"service" is not known: ${id}; ${hint}`, { names: ['service'] })
}

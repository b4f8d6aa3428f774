import { HarnessError } from '../harness-error.ts'
import { github } from './github/index.ts'
import { nearest, suggestion } from './nearest.ts'
import { paymentService } from './payment-service/index.ts'
import { SERVICE_NAMES, type ServiceId } from './service-names.ts'
import { standardWebhooks } from './standard-webhooks/index.ts'
import { stripe } from './stripe/index.ts'
import type { WebhookContract } from './webhook/contract.ts'

/** The contract of each service. */
export const SERVICES: Readonly<Record<ServiceId, WebhookContract>> = {
  'payment-service': paymentService,
  'standard-webhooks': standardWebhooks,
  stripe,
  github,
}

/** The contract of a service. @throws HarnessError `bad_option` for one that is not known */
export function requireService(id: string): WebhookContract {
  const known = SERVICE_NAMES.find((name) => name === id)
  if (known !== undefined) return SERVICES[known]
  const hint = suggestion(nearest(id, SERVICE_NAMES), `choose from ${SERVICE_NAMES.join(', ')}`)
  throw new HarnessError('bad_option', `"service" is not known: ${id}; ${hint}`, { names: ['service'] })
}

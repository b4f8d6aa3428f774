import { github } from './github/index.ts'
import { paymentService } from './payment-service/index.ts'
import { requireServiceName, type ServiceId } from './service-names.ts'
import { shopify } from './shopify/index.ts'
import { slack } from './slack/index.ts'
import { standardWebhooks } from './standard-webhooks/index.ts'
import { stripe } from './stripe/index.ts'
import type { WebhookContract } from './webhook/contract.ts'

/** The contract of each service. */
export const SERVICES: Readonly<Record<ServiceId, WebhookContract>> = {
  'payment-service': paymentService,
  'standard-webhooks': standardWebhooks,
  stripe,
  github,
  slack,
  shopify,
}

/** The contract of a service. @throws HarnessError `bad_option` for one that is not known */
export const requireService = (id: string): WebhookContract => SERVICES[requireServiceName(id)]

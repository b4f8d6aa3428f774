import { SCHEME, WINDOW_SECONDS } from '../../conformance/contracts/payment-service/scheme.ts'
import type { Scheme } from '../../conformance/contracts/webhook/scheme.ts'

/** A service whose deliveries the page verifies. */
export interface DebuggedService {
  readonly id: string
  readonly title: string
  readonly scheme: Scheme
  readonly windowSeconds: number
  /** A delivery with a mistake. */
  readonly example: {
    readonly header: string
    /** The id and the time, where headers of their own state them. */
    readonly id?: string
    readonly time?: string
    readonly body: string
    readonly secret: string
    /** The time of the verification, in Unix seconds. */
    readonly at: string
  }
}

/** The service of SPEC.md. */
export const PAYMENT_SERVICE: DebuggedService = {
  id: 'payment-service',
  title: 'the payment service',
  scheme: SCHEME,
  windowSeconds: WINDOW_SECONDS,
  example: {
    header: 't=1750000000,v1=99930e1560bfc528133a7e1c661499a0a8ba679a72bb5750c488dd661c7ef43b',
    body: '{"event":"payment.completed","payment_id":"tx_1","amount":"25.00","currency":"USD"}\n',
    secret: 'whsec_example',
    at: '1750000000',
  },
}

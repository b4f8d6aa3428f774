import { sign } from '../../../fixtures/index.ts'
import type { Delivery as Sendable } from '../../engine/delivery.ts'

export type { HeaderLine, Transport } from '../../engine/delivery.ts'

/** A delivery of the payment service: signed, and possibly changed after signing. */
export interface Delivery extends Sendable {
  /** The event that it carries, if any. */
  readonly event: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly livemode: boolean | undefined
  /** The value of each signature header line; none, one or several. */
  readonly signature: readonly string[]
  /** How the name of the signature header is capitalized. */
  readonly nameCase: 'as-is' | 'lower' | 'upper'
  /** How the text of the signature becomes bytes. Default UTF-8; in `latin1` each character is one byte. */
  readonly signatureEncoding?: 'latin1'
  /** The valid signature of this delivery and its parts, whatever the header contains now. */
  readonly signed: { readonly secret: string; readonly t: string; readonly v1: string }
  /** The clock that it was signed by, in Unix seconds: `signed.t` may be another time. */
  readonly madeAt?: number
}

/** What a delivery is about, as far as the sender knows. */
export interface About {
  readonly event?: string | undefined
  readonly paymentId?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly livemode?: boolean | undefined
}

/**
 * Makes a valid delivery of a body (SPEC.md 2).
 *
 * @param t Unix time in seconds, or the literal text to sign and send instead.
 */
export function validDelivery(body: Buffer, secret: string, t: number | string, about: About): Delivery {
  const { t: text, v1, header } = sign({ secret, t, body })
  return {
    role: 'probe',
    event: about.event,
    paymentId: about.paymentId,
    isEffective: about.event === 'payment.completed',
    amount: about.amount,
    currency: about.currency,
    livemode: about.livemode,
    change: undefined,
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    signature: [header],
    nameCase: 'as-is',
    body,
    signed: { secret, t: text, v1 },
    transport: undefined,
  }
}

/** The same delivery as the control: the valid one beside a probe. */
export function asControl(delivery: Delivery): Delivery {
  return { ...delivery, role: 'control' }
}

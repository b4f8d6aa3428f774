import type { HeaderLine, Delivery as Sendable } from '../../engine/delivery.ts'
import {
  headerWith,
  olderOf,
  type Scheme,
  type Signing,
  signatureBy,
  signingKey,
  stampsWith,
} from './scheme.ts'

export type { HeaderLine, Transport } from '../../engine/delivery.ts'

/** A webhook delivery: signed, and possibly changed after signing. */
export interface Delivery extends Sendable {
  /** The event that it carries, if any. */
  readonly event: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly livemode: boolean | undefined
  /** The value of each signature header line; none, one or several. */
  readonly signature: readonly string[]
  /** The same of the header for older receivers, where the service sends one. */
  readonly olderSignature: readonly string[]
  /** The header lines that state what is signed beside the body, where the signature header does not. */
  readonly stamps: readonly HeaderLine[]
  /** How the names of these headers are capitalized. */
  readonly nameCase: 'as-is' | 'lower' | 'upper'
  /** How the text of the signature becomes bytes. Default UTF-8; in `latin1` each character is one byte. */
  readonly signatureEncoding?: 'latin1'
  /** The valid signature of this delivery and its parts, whatever the header contains now. */
  readonly signed: {
    readonly scheme: Scheme
    readonly secret: string
    readonly id: string
    readonly t: string
    readonly v1: string
    /** Those of the header for older receivers. */
    readonly older?: { readonly scheme: Scheme; readonly v1: string } | undefined
  }
  /** The clock that it was signed by, in Unix seconds: `signed.t` may be another time. */
  readonly madeAt?: number
}

/** What a delivery is about, as far as the sender knows. */
export interface About {
  readonly event?: string | undefined
  /** What its effects are observed by, such as the id of its payment. */
  readonly key?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly livemode?: boolean | undefined
}

/** Makes a valid delivery. */
export function validDelivery(
  scheme: Scheme,
  signing: Signing & { readonly body: Buffer },
  secret: string,
  about: About,
): Delivery {
  const key = signingKey(scheme, secret)
  const v1 = signatureBy(scheme, key, signing)
  const olderScheme = olderOf(scheme)
  const older = olderScheme && { scheme: olderScheme, v1: signatureBy(olderScheme, key, signing) }
  const { id, t, body } = signing
  return {
    role: 'probe',
    event: about.event,
    key: about.key,
    isEffective: false,
    amount: about.amount,
    currency: about.currency,
    livemode: about.livemode,
    change: undefined,
    method: 'POST',
    headers: [['Content-Type', 'application/json']],
    signature: [headerWith(scheme, t, v1)],
    olderSignature: older === undefined ? [] : [headerWith(older.scheme, t, older.v1)],
    stamps: stampsWith(scheme, signing),
    nameCase: 'as-is',
    body,
    signed: { scheme, secret, id, t, v1, older },
    transport: undefined,
  }
}

/** The same delivery as the control: the valid one beside a probe. */
export function asControl(delivery: Delivery): Delivery {
  return { ...delivery, role: 'control' }
}

/**
 * A recent time that the delivery is not signed for, in Unix seconds: a clock may tick between a delivery and its redelivery.
 * @param now in Unix seconds
 */
export function anotherTime({ signed }: Delivery, now: number): number {
  return signed.t === String(now - 1) ? now - 2 : now - 1
}

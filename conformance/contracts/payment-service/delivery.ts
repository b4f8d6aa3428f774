import { sign } from '../../../fixtures/index.ts'

/** A header line as it is written, name and value. */
export type HeaderLine = readonly [name: string, value: string]

/** How the bytes are sent, where it differs from what a plain HTTP client does. */
export type Transport =
  | { readonly kind: 'chunked'; readonly cuts: readonly number[] }
  | { readonly kind: 'drip'; readonly pieces: number; readonly gapMs: number }
  | { readonly kind: 'truncated'; readonly after: number }
  | { readonly kind: 'expect-continue' }
  /** Written to a separate socket as it stands, since HTTP clients refuse some of it. */
  | {
      readonly kind: 'raw'
      readonly version: '1.0' | '1.1'
      /** Set when no header line states the length of the body, unless the delivery has one. */
      readonly unframed?: true
      /** How long to wait for a response before the connection is closed, in milliseconds; default: the timeout of the run. */
      readonly withinMs?: number
    }

/** One HTTP request as it will be sent: signed, and possibly changed after signing. */
export interface Delivery {
  /** `probe` is what the case is about, `control` is a valid delivery beside it, `context` is sent but not judged. */
  readonly role: 'probe' | 'control' | 'context'
  /** The event that it carries, if any. */
  readonly event: string | undefined
  readonly paymentId: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly livemode: boolean | undefined
  /** What was changed, for people to read; undefined in a valid delivery. */
  readonly change: string | undefined
  readonly method: string
  /** Header lines besides the signature, in order. */
  readonly headers: readonly HeaderLine[]
  /** The value of each signature header line; none, one or several. */
  readonly signature: readonly string[]
  /** How the name of the signature header is capitalized. */
  readonly nameCase: 'as-is' | 'lower' | 'upper'
  /** How the text of the signature becomes bytes. Default UTF-8; in `latin1` each character is one byte. */
  readonly signatureEncoding?: 'latin1'
  /** Changes the path and query of the endpoint. Default: they are sent as given. */
  readonly route?: (path: string) => string
  readonly body: Buffer
  /** The valid signature of this delivery and its parts, whatever the header contains now. */
  readonly signed: { readonly secret: string; readonly t: string; readonly v1: string }
  readonly transport: Transport | undefined
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

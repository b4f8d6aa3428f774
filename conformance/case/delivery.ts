import { sign } from '../../fixtures/index.ts'

/** A header line as it is written, name and value. */
export type HeaderLine = readonly [name: string, value: string]

/** How the bytes get onto the wire, where a plain HTTP client would do it otherwise. */
export type Transport =
  | { readonly kind: 'chunked'; readonly cuts: readonly number[] }
  | { readonly kind: 'drip'; readonly pieces: number; readonly gapMs: number }
  | { readonly kind: 'truncated'; readonly after: number }
  | { readonly kind: 'expect-continue' }

/** One HTTP request as it will be sent: signed, and perhaps changed after signing. */
export interface Delivery {
  /** `probe` is what the case is about, `control` a genuine one beside it, `context` is sent but not judged. */
  readonly role: 'probe' | 'control' | 'context'
  /** The event it carries, as far as there is one. */
  readonly event: string | undefined
  readonly paymentId: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly livemode: boolean | undefined
  /** What was changed, for people; undefined in a genuine delivery. */
  readonly change: string | undefined
  readonly method: string
  /** Header lines besides the signature, in order. */
  readonly headers: readonly HeaderLine[]
  /** The value of each signature header line; none, one or several. */
  readonly signature: readonly string[]
  /** How the name of the signature header is written. */
  readonly nameCase: 'as-is' | 'lower' | 'upper'
  readonly body: Buffer
  /** What a right signature of this delivery is made of, kept beside whatever the header says now. */
  readonly signed: { readonly secret: string; readonly t: string; readonly v1: string }
  readonly transport: Transport | undefined
}

/** What a delivery is about, as far as its sender knows. */
export interface About {
  readonly event?: string | undefined
  readonly paymentId?: string | undefined
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly livemode?: boolean | undefined
}

/**
 * Makes a genuine delivery of a body (SPEC.md 2).
 *
 * @param t Unix time in seconds, or the literal text to sign and send in its place.
 */
export function genuine(body: Buffer, secret: string, t: number | string, about: About): Delivery {
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

/** The same delivery as the genuine one that stands beside a probe (SPEC.md, Words). */
export function asControl(delivery: Delivery): Delivery {
  return { ...delivery, role: 'control' }
}

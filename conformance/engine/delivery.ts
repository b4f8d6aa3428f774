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
      /** Set when it is then reset instead. */
      readonly isReset?: true
    }

/** One HTTP request as it will be sent. What it means is known to the contract alone, which adds fields of its own. */
export interface Delivery {
  /** `probe` is what the case is about, `control` is a valid delivery beside it, `context` is sent but not judged. */
  readonly role: 'probe' | 'control' | 'context'
  /** What it is about: the effects of all deliveries with this key are observed together. */
  readonly key: string | undefined
  /** Whether a receiver that acknowledges it has to show an effect. */
  readonly isEffective: boolean
  /** The statuses that acknowledge it, from the first to the last. Default: 200 alone. */
  readonly acknowledgedBy?: readonly [from: number, to: number]
  /** What was changed, for people to read; undefined in a valid delivery. */
  readonly change: string | undefined
  readonly method: string
  /** Header lines besides those that the target adds, in order. */
  readonly headers: readonly HeaderLine[]
  /** Changes the path and query of the endpoint. Default: they are sent as given. */
  readonly route?: (path: string) => string
  readonly body: Buffer
  readonly transport: Transport | undefined
}

import { sign } from '../../../fixtures/index.ts'
import type { Chaos } from '../chaos.ts'

/** The input of a signature. */
export interface Signing {
  /** The recipient's signing secret. */
  readonly secret: string
  /** The exact bytes that are sent. */
  readonly body: Uint8Array
  /** Real time, in milliseconds since 1970. */
  readonly now: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Faults to inject. */
  readonly chaos?: Chaos | null
}

/**
 * The value of X-Service-Signature for one attempt (interface 5.3): each attempt has a new `t` and the same body. `t` is
 * real time even if the sandbox's clock was advanced, because receivers compare it with their own clock; `timestamp` in
 * the body is the sandbox's time.
 */
export function signatureFor({ secret, body, now, attempt, chaos }: Signing): string {
  const { badSignature, staleBySeconds = 0, extraLabel, faultyAttempts = Infinity } = chaos ?? {}
  const faulty = attempt <= faultyAttempts
  const t = Math.floor(now / 1000) - (faulty ? staleBySeconds : 0)
  // A different key produces a well-formed but invalid signature.
  const { header, v1 } = sign({
    secret: faulty && badSignature === true ? `${secret}.wrong` : secret,
    t,
    body,
  })
  // A later scheme may add labels (interface 9): receivers must read v1 by its label.
  return extraLabel === true ? `${header},v2=${v1.split('').toReversed().join('')}` : header
}

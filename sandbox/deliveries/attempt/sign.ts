import { sign } from '../../../fixtures/index.ts'
import type { Chaos } from '../chaos.ts'

/** What one attempt is signed with. */
export interface Signing {
  /** The recipient's signing secret. */
  readonly secret: string
  /** The very bytes that will be sent. */
  readonly body: Uint8Array
  /** The time of the wall clock, in milliseconds. */
  readonly now: number
  /** 1 for the first attempt. */
  readonly attempt: number
  /** What is to go wrong on purpose. */
  readonly chaos?: Chaos | null
}

/**
 * The value of X-Service-Signature for one attempt (interface 5.3): a fresh `t` over frozen bytes. `t` follows the wall
 * clock even when the sandbox's clock was moved, because receivers hold it against theirs; `timestamp` in the body
 * follows the sandbox's.
 */
export function signatureFor({ secret, body, now, attempt, chaos }: Signing): string {
  const { badSignature, staleBySeconds = 0, extraLabel, faultyAttempts = Infinity } = chaos ?? {}
  const faulty = attempt <= faultyAttempts
  const t = Math.floor(now / 1000) - (faulty ? staleBySeconds : 0)
  // Another key makes a signature that is well-formed and wrong.
  const { header, v1 } = sign({
    secret: faulty && badSignature === true ? `${secret}.wrong` : secret,
    t,
    body,
  })
  // A later scheme may sign otherwise (interface 9): receivers read the entry v1 by its name.
  return extraLabel === true ? `${header},v2=${v1.split('').toReversed().join('')}` : header
}

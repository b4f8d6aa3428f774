import { requirePositiveIntegers } from '../shared/options.ts'
import { createOverload, type Overload } from './overload.ts'

/** Limits on the size, the time and the load of deliveries. */
export interface LimitOptions {
  /** The maximum size of a body, in bytes. Default: 1 MiB. */
  limitBytes?: number
  /** How long a body may take to arrive, in milliseconds. Default: 10 seconds. */
  bodyTimeoutMs?: number
  /** Limits the load; handlers that share it share its limits. */
  overload?: Overload
}

/** The limits of one handler. */
export interface Limits {
  readonly limitBytes: number
  readonly timeoutMs: number
  readonly overload: Overload
}

/** @throws TypeError if a number is not an integer of at least 1. */
export function limitsOf(options: LimitOptions): Limits {
  const { limitBytes = 1024 * 1024, bodyTimeoutMs = 10_000, overload = createOverload() } = options
  requirePositiveIntegers({ limitBytes, bodyTimeoutMs })
  return { limitBytes, timeoutMs: bodyTimeoutMs, overload }
}

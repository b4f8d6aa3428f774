import type { SecretOptions } from '../../shared/secret.ts'
import type { TrustOptions } from '../../shared/trust.ts'

/** What `--export` writes. */
export type Export = 'k6' | 'k6-operator'

/** The options of `hookproof load`; times are in milliseconds. */
export interface LoadCommandOptions extends SecretOptions, TrustOptions {
  readonly signatureHeader?: string
  readonly header?: readonly (readonly [string, string])[]
  readonly connections?: number
  readonly duration?: number
  readonly rate?: number
  readonly duplicates?: string
  readonly timeout?: number
  readonly seed?: string
  readonly allowRemote?: true
  readonly json?: true
  /** The files to merge. */
  readonly merge?: readonly string[]
  readonly export?: Export
}

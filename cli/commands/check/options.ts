import type { Mode, ReportProfile } from '../../../conformance/contracts/payment-service/model.ts'
import type { Framework } from '../../../conformance/report/snippets.ts'
import type { SecretOptions } from '../../shared/secret.ts'
import type { TrustOptions } from '../../shared/trust.ts'
import type { BaselineOptions } from './baseline.ts'

/** The options of `hookproof check`; times are in milliseconds. */
export interface CheckCommandOptions extends SecretOptions, BaselineOptions, TrustOptions {
  readonly signatureHeader?: string
  readonly header?: readonly (readonly [string, string])[]
  readonly observe?: string
  readonly observeCommand?: string
  readonly profile?: ReportProfile
  readonly contract?: string
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly seed?: string
  readonly concurrency?: number
  readonly rate?: number
  readonly timeout?: number
  readonly ackWithin?: number
  readonly wait?: number
  readonly start?: string
  readonly repeat?: number
  readonly report?: readonly string[]
  readonly mode?: Mode
  /** Grade the bundled receiver, and read no config file. */
  readonly bundled?: true
  /** Every failure with its details. */
  readonly verbose?: true
  readonly framework?: Framework
  /** The config file, or false for none. */
  readonly config?: string | false
}

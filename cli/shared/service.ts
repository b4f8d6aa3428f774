import type { ServiceId } from '../../conformance/contracts/service-names.ts'
import type { WebhookContract } from '../../conformance/contracts/webhook/contract.ts'
import { HarnessError } from '../../conformance/harness-error.ts'
import { requireKey } from '../../conformance/options.ts'

import { readConfig } from './config.ts'
import type { Io } from './io.ts'
import { readSecretAndEnd, type SecretOptions } from './secret.ts'

/** The option of commands that work for several services. */
export interface ServiceOptions {
  readonly service?: ServiceId
}

/**
 * The service that the command line names, or else the config file of the working directory.
 *
 * @returns undefined where neither does: the payment service
 * @throws UsageError, HarnessError `bad_option` when there is a config file that cannot be used
 */
export async function namedService({ service }: ServiceOptions, io: Io): Promise<ServiceId | undefined> {
  return service ?? (await readConfig(undefined, io))?.config.service
}

/**
 * Reads the signing secret, as the service can use it.
 * @throws UsageError when there is none; HarnessError `bad_option` when no key can be made of it
 */
export async function readKeySecret(
  contract: WebhookContract,
  options: SecretOptions,
  io: Io,
): Promise<{ readonly secret: string; readonly lineBreakIn: string | undefined }> {
  const read = await readSecretAndEnd(options, io)
  requireKey(read.secret, contract)
  return read
}

/** An option that this service has no use for. */
export const unusedOption = (name: string, why: string): HarnessError =>
  new HarnessError('bad_option', `"${name}" ${why}: leave it out`, { names: [name] })

import { createHmac } from 'node:crypto'
import { createVerifier, readDelivery, WebhookError } from '@hookproof/receiver'
import type { Hmac } from '../../../conformance/diagnosis/mismatch/explain.ts'
import {
  adviceOn,
  comparisonOf,
  lineBreakAfter,
  REFUSED_ANYWAY,
} from '../../../conformance/report/words/signature.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { readBytes, unixTime } from '../../shared/read-file.ts'
import { readSecret, readSecretAndEnd, type SecretOptions } from '../../shared/secret.ts'

/** The options of `hookproof verify`. */
export interface VerifyCommandOptions extends SecretOptions {
  readonly at?: string
  /** In seconds. */
  readonly tolerance: string
  /** Where the secrets of other endpoints are: environment variables or files. */
  readonly also?: readonly string[]
}

const hmac: Hmac = (hash, key, message) =>
  createHmac(hash.replace('-', '').toLowerCase(), key).update(message).digest()

const hints = { old: 'pass its t as --at', others: 'pass the secrets of other endpoints with --also' }

/** Refusals that another body, secret or header may explain; a verified body that is no event is none. */
const IS_ABOUT_SIGNATURE = /^(?:header|t|v1|timestamp|signature)_/

/** `hookproof verify`: verifies a signature header and a body as the reference receiver does. */
export async function verifyBody(
  header: string,
  file: string,
  options: VerifyCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const toleranceSeconds = Number(options.tolerance)
  if (!(toleranceSeconds > 0 && toleranceSeconds <= 86_400)) {
    throw new UsageError(
      `--tolerance ${options.tolerance} must be more than 0 and at most 86400 seconds, for example 300; to verify an old delivery, pass --at`,
    )
  }
  const at = unixTime(options.at) * 1000
  const { secret, lineBreakIn } = await readSecretAndEnd(options, io)
  const note = lineBreakIn === undefined ? '' : `${lineBreakAfter(lineBreakIn)}\n`
  const verify = createVerifier({ secrets: secret, toleranceSeconds, clock: () => at })
  const body = await readBytes(file, io)
  try {
    const { name, paymentId } = readDelivery(verify, { signature: [header], body })
    io.stdout.write(
      `valid: ${name} of payment ${paymentId}\n${REFUSED_ANYWAY} ${await comparisonOf({ body, secret })}\n${note}`,
    )
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    io.stdout.write(`refused with ${error.status} ${error.code}: ${error.message}\n`)
    if (IS_ABOUT_SIGNATURE.test(error.code)) {
      const refused = { header, body, secret, also: await readOthers(options.also, io) }
      const { text } = await adviceOn(refused, { isLate: error.code.startsWith('timestamp_'), hmac, hints })
      io.stdout.write(`${text}\n${note}`)
    }
    return EXIT.failed
  }
}

/**
 * Reads the secrets of other endpoints by the names of variables or files.
 * @throws UsageError when one cannot be read
 */
async function readOthers(names: readonly string[] = [], io: Io): Promise<Record<string, string>> {
  const secrets = names.map(async (name) => {
    const source = io.env[name] === undefined ? { secretFile: name } : { secretEnv: name }
    return [name, await readSecret(source, io)] as const
  })
  return Object.fromEntries(await Promise.all(secrets))
}

import { createVerifier, readDelivery, WebhookError } from '@hookproof/receiver'
import { lineBreakAfter } from '../../../conformance/diagnosis/mismatch/valid.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { readBytes, unixTime } from '../../shared/input.ts'
import type { Io } from '../../shared/io.ts'
import { readSecretAndEnd, type SecretOptions } from '../../shared/secret.ts'
import { adviceFor, adviceOnValid, readOthers } from './advice.ts'

/** The options of `hookproof verify`. */
export interface VerifyCommandOptions extends SecretOptions {
  readonly at?: string
  /** In seconds. */
  readonly tolerance: string
  /** Where the secrets of other endpoints are: environment variables or files. */
  readonly also?: readonly string[]
}

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
      `valid: ${name} of payment ${paymentId}\n${await adviceOnValid({ body, secret })}\n${note}`,
    )
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    io.stdout.write(`refused with ${error.status} ${error.code}: ${error.message}\n`)
    if (IS_ABOUT_SIGNATURE.test(error.code)) {
      const refused = { header, body, secret, also: await readOthers(options.also, io) }
      io.stdout.write(`${await adviceFor(refused, error.code)}\n${note}`)
    }
    return EXIT.failed
  }
}

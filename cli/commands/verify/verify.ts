import { createVerifier, readDelivery, WebhookError } from '@hookproof/receiver'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { readBytes, unixTime } from '../../shared/input.ts'
import type { Io } from '../../shared/io.ts'
import { readSecret, type SecretOptions } from '../../shared/secret.ts'

/** The options of `hookproof verify`. */
export interface VerifyCommandOptions extends SecretOptions {
  readonly at?: string
  /** In seconds. */
  readonly tolerance: string
}

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
  const verify = createVerifier({ secrets: await readSecret(options, io), toleranceSeconds, clock: () => at })
  try {
    const received = { signature: [header], body: await readBytes(file, io) }
    const { name, paymentId } = readDelivery(verify, received)
    io.stdout.write(`valid: ${name} of payment ${paymentId}\n`)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    io.stdout.write(`refused with ${error.status} ${error.code}: ${error.message}\n`)
    return EXIT.failed
  }
}

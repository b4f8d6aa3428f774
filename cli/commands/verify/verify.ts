import { createVerifier, WebhookError } from '../../../receiver/verify.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { readBytes, unixTime } from '../../shared/input.ts'
import { readSecret, type SecretOptions } from '../../shared/options.ts'

/** The options of `hookproof verify`. */
export interface VerifyCommandOptions extends SecretOptions {
  readonly at?: string
  /** Seconds, as given. */
  readonly tolerance: string
}

/** `hookproof verify`: what the reference receiver would say of this header and these bytes. */
export async function verifyBody(
  header: string,
  file: string,
  options: VerifyCommandOptions,
): Promise<ExitCode> {
  const toleranceSeconds = Number(options.tolerance)
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
    throw new UsageError(
      `--tolerance ${options.tolerance} is not a number of seconds above 0: give one, such as 300`,
    )
  }
  const at = unixTime(options.at) * 1000
  const verify = createVerifier({ secrets: await readSecret(options), toleranceSeconds, clock: () => at })
  try {
    const { name, paymentId } = verify(await readBytes(file), header)
    process.stdout.write(`genuine: ${name} of payment ${paymentId}\n`)
    return EXIT.ok
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    process.stdout.write(`refused with ${error.status} ${error.code}: ${error.message}\n`)
    return EXIT.failed
  }
}

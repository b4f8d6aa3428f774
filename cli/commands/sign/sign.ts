import { sign } from '../../../fixtures/sign.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { readBytes, unixTime } from '../../shared/input.ts'
import { readSecret, type SecretOptions } from '../../shared/options.ts'

/** `hookproof sign`: the value of the signature header for the exact bytes given. */
export async function signBody(
  file: string,
  options: SecretOptions & { readonly at?: string },
): Promise<ExitCode> {
  const t = unixTime(options.at)
  const secret = await readSecret(options)
  process.stdout.write(`${sign({ secret, t, body: await readBytes(file) }).header}\n`)
  return EXIT.ok
}

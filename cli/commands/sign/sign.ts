import { sign } from '../../../fixtures/sign.ts'
import { EXIT, type ExitCode } from '../../shared/exit.ts'
import { readBytes, unixTime } from '../../shared/input.ts'
import type { Io } from '../../shared/io.ts'
import { readSecret, type SecretOptions } from '../../shared/secret.ts'

/** `hookproof sign`: prints the value of the signature header for the exact bytes of a body. */
export async function signBody(
  file: string,
  options: SecretOptions & { readonly at?: string },
  io: Io,
): Promise<ExitCode> {
  const t = unixTime(options.at)
  const secret = await readSecret(options, io)
  io.stdout.write(`${sign({ secret, t, body: await readBytes(file, io) }).header}\n`)
  return EXIT.ok
}

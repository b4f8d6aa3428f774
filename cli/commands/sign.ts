import type { Command } from 'commander'
import { sign } from '../../fixtures/sign.ts'
import { EXIT, type ExitCode, type RunCommand } from '../shared/exit.ts'
import type { Io } from '../shared/io.ts'
import { secretFileOption, secretOption } from '../shared/options.ts'
import { readBytes, unixTime } from '../shared/read-file.ts'
import { readSecret, type SecretOptions } from '../shared/secret.ts'

/** Adds `hookproof sign`. */
export function addSignCommand(program: Command, run: RunCommand): void {
  program
    .command('sign')
    .summary('sign a body')
    .description(
      'Print the value of the signature header for the exact bytes of a file or of standard input.',
    )
    .argument('[file]', 'file with the exact body, or - for standard input', '-')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .option('--at <t>', 'time of signing, Unix time in seconds (default: now)')
    .action((file, options) => run((io) => signBody(file, options, io)))
}

/** `hookproof sign`: prints the value of the signature header for the exact bytes of a body. */
async function signBody(
  file: string,
  options: SecretOptions & { readonly at?: string },
  io: Io,
): Promise<ExitCode> {
  const t = unixTime(options.at)
  const secret = await readSecret(options, io)
  io.stdout.write(`${sign({ secret, t, body: await readBytes(file, io) }).header}\n`)
  return EXIT.ok
}

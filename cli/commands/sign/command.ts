import type { Command } from 'commander'
import type { Run } from '../../shared/run.ts'
import { secretFileOption, secretOption } from '../../shared/secret.ts'

/** Adds `hookproof sign`. */
export function addSignCommand(program: Command, run: Run): void {
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
    .action((file, options) => run(async (io) => (await import('./sign.ts')).signBody(file, options, io)))
}

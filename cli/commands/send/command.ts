import type { Command } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import {
  headerOption,
  modeOption,
  SIGNATURE_HEADER,
  secretOptions,
  signatureHeaderOption,
  timeoutOption,
  trustOptions,
  withOptions,
} from '../../shared/options.ts'

/** Adds `hookproof send`. */
export function addSendCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('send')
    .summary('send one event or one case')
    .description('Send a generated event, or the deliveries of one case, signed now, and show the responses.')
    .argument(
      '<event or case>',
      'event, scenario or case, for example payment.completed or refusals/empty-key',
    )
    .argument('<url>', 'URL of the webhook endpoint')
  withOptions(command, [
    ...secretOptions(),
    signatureHeaderOption().default(SIGNATURE_HEADER),
    headerOption('extra header'),
    ...trustOptions(),
  ])
    .option('--seed <text>', 'seed for generating the event (default: random)')
    .addOption(timeoutOption())
    .addOption(modeOption().default('test'))
    .addHelpText(
      'after',
      '\nExit codes: 0 the event was accepted or the case passed; 1 it was not accepted or failed; 2 it could not be sent.',
    )
    .action((name, url, options) =>
      run(async (io) => (await import('./send.ts')).send(name, url, options, io)),
    )
}

import type { Command } from 'commander'
import { headerLine } from '../../shared/options.ts'
import type { Run } from '../../shared/run.ts'
import { secretFileOption, secretOption } from '../../shared/secret.ts'
import {
  caOption,
  insecureOption,
  modeOption,
  SIGNATURE_HEADER,
  signatureHeaderOption,
  timeoutOption,
} from '../../shared/shared-options.ts'

/** Adds `hookproof send`. */
export function addSendCommand(program: Command, run: Run): void {
  program
    .command('send')
    .summary('send one event or one case')
    .description('Send a generated event, or the deliveries of one case, signed now, and show the responses.')
    .argument(
      '<event or case>',
      'event, scenario or case, for example payment.completed or refusals/empty-key',
    )
    .argument('<url>', 'URL of the webhook endpoint')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(signatureHeaderOption().default(SIGNATURE_HEADER))
    .option('--header <line>', 'extra header, as "Name: value"; repeatable', headerLine)
    .addOption(caOption())
    .addOption(insecureOption())
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

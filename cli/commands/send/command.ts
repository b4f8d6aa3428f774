import { type Command, Option } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import {
  headerOption,
  modeOption,
  secretOptions,
  serviceOption,
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
    .description(
      'Send a generated event, the deliveries of one case, or a delivery that `hookproof listen --capture` saved, and show the responses.',
    )
    .argument(
      '[event or case]',
      'event, sample event or case, for example payment.completed or refusals/empty-key',
    )
    .argument('[url]', 'URL of the webhook endpoint')
  withOptions(command, [
    serviceOption(),
    ...secretOptions(),
    signatureHeaderOption(' (default: that of the service)'),
    headerOption('extra header'),
    ...trustOptions(),
  ])
    .option('--capture <file>', 'send this captured delivery again, as it was; takes only the URL')
    .option('--sign', 'with --capture: replace the time and the signature with current ones')
    .addOption(
      new Option(
        '--test <runner>',
        'with --capture: print a test that signs and sends it, and send nothing',
      ).choices(['vitest', 'node']),
    )
    .option('--list', 'list the sample events of the service, and send nothing')
    .option('--seed <text>', 'seed for generating the event (default: random)')
    .addOption(timeoutOption())
    .addOption(modeOption().default('test'))
    .addHelpText(
      'after',
      '\nExit codes: 0 the event was accepted or the case passed; 1 it was not accepted or failed; 2 it could not be sent.',
    )
    .action((name, url, options) =>
      run(async (io) => {
        const { capture, ...others } = options
        if (capture === undefined) return (await import('./send.ts')).send(name, url, others, io)
        const urls = [name, url].filter((given) => given !== undefined)
        return (await import('./replay.ts')).replay(capture, urls, others, io)
      }),
    )
}

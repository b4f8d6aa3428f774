import { type Command, Option } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import {
  seconds,
  serviceOption,
  targetOptions,
  timeoutOption,
  wholeNumber,
  withOptions,
} from '../../shared/options.ts'

/** The options that an exported load test does not use. */
const OF_A_RUN = ['secret', 'secretFile', 'header', 'duplicates', 'allowRemote', 'ca', 'insecure', 'json']

/** Adds `hookproof load`. */
export function addLoadCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('load')
    .summary('load-test a receiver')
    .description(
      'Send individually signed deliveries over keep-alive connections, and show throughput and latency.',
    )
    .argument('[url]', 'URL of the webhook endpoint; on this machine, unless --allow-remote')
  withOptions(command, [serviceOption(), ...targetOptions()])
    .option(
      '--event <sample>',
      'sample event of the service, as `hookproof send --list` lists them (default: the first)',
    )
    .option('--duration <seconds>', 'how long to send, in seconds (default: 10)', seconds)
    .option(
      '--connections <n>',
      'number of connections, each with one delivery in flight (default: 50)',
      wholeNumber,
    )
    .option(
      '--rate <n>',
      'deliveries per second, with latency from when each was due (default: the next one follows a response)',
      wholeNumber,
    )
    .option('--duplicates <percent>', 'percentage of deliveries that repeat an earlier event (default: 0)')
    .addOption(timeoutOption())
    .option('--seed <text>', 'seed for generating events (default: random for each run)')
    .option('--allow-remote', 'allow a receiver on another machine: load-test only your own machines')
    .option('--json', 'print the result as JSON')
    .addOption(
      new Option(
        '--export <tool>',
        'print a k6 script of this load, or a TestRun of k6-operator for it, and send nothing',
      )
        .choices(['k6', 'k6-operator'])
        .conflicts(OF_A_RUN),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 every delivery was acknowledged; 1 some did not; 2 no response to any.',
    )
    .action((url, options) => run(async (io) => (await import('./load.ts')).load(url, options, io)))
}

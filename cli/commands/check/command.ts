import { type Command, Option } from 'commander'
import { FRAMEWORKS } from '../../../conformance/report/snippets.ts'
import type { RunCommand } from '../../shared/exit.ts'
import {
  configOptions,
  contractOption,
  modeOption,
  observeOptions,
  repeated,
  reportOption,
  seconds,
  serviceOption,
  startOption,
  targetOptions,
  timeoutOption,
  verboseOption,
  wholeNumber,
  withOptions,
} from '../../shared/options.ts'

const CONFIG = `
Options can also be set in hookproof.config.json in the working directory, or in the --config file, except for the
signing secret. Options on the command line override the file. \`hookproof init\` writes one.`

const EXIT_CODES = `
Exit codes: 0 conformant in the tested profile; 1 not conformant; 2 could not run; 3 incomplete: nothing failed, but
some required (MUST) case gave no result.`

/** Adds `hookproof check`. */
export function addCheckCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('check')
    .summary('grade a receiver')
    .description(
      'Send signed deliveries to a receiver and grade its responses. Without a URL, grade the receiver in the config file. Without either, grade the bundled reference receiver; in CI and where a signing secret is set, that needs --bundled.',
    )
    .argument('[url]', 'URL of the webhook endpoint')
    .option('--bundled', 'grade the bundled reference receiver, and read no config file')
  withOptions(command, [...configOptions(), ...targetOptions(), ...observeOptions()])
    .addOption(
      new Option(
        '--profile <profile>',
        'core: HTTP responses only; full: effects too; durable: the same as `hookproof crash`, needs --start (default: full if effects can be observed, otherwise core)',
      ).choices(['core', 'full', 'durable']),
    )
    .addOption(serviceOption())
    .addOption(contractOption())
    .option('--only <glob>', 'run only these cases, for example "duplicates/*"; repeatable', repeated)
    .option('--skip <glob>', 'skip these cases; repeatable', repeated)
    .option(
      '--seed <text>',
      'seed for generating events; payment ids are unique per run, except in a run of one case (default: random for each run)',
    )
    .option('--concurrency <n>', 'run up to n cases at the same time (default: 8)', wholeNumber)
    .option('--rate <n>', 'send at most n deliveries a second (default: no limit)', wholeNumber)
    .addOption(timeoutOption())
    .option(
      '--ack-within <seconds>',
      'how long an acknowledgment may take, in seconds (default: what the service waits, 5 for the payment service)',
      seconds,
    )
    .option(
      '--wait <seconds>',
      'how long to wait for effects after the last change, in seconds (default: 5)',
      seconds,
    )
    .option(
      '--redeliver-after <seconds>',
      'with --observe: deliver a handled event again after this time, in seconds, such as the longest time between two attempts of the service, at most 3600; the run takes as long (default: not tested)',
      seconds,
    )
    .addOption(
      new Option(
        '--framework <name>',
        "the receiver's framework, for code that fixes the failures (default: as its responses show it)",
      ).choices(FRAMEWORKS),
    )
    .option('--baseline <file>', 'file of known failures to ignore')
    .option('--update-baseline', 'write the failures of this run to the --baseline file')
    .option(
      '--repeat <n>',
      'run n times; a case whose verdict differs between runs is unstable, and fails',
      wholeNumber,
    )
    .addOption(startOption('; stopped after the run'))
    .addOption(reportOption())
    .addOption(verboseOption())
    .addOption(modeOption(' (default: test)'))
    .addHelpText('after', CONFIG)
    .addHelpText('after', EXIT_CODES)
    .action((url, options) => run(async (io) => (await import('./check.ts')).check(url, options, io)))
}

import type { Command } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import {
  configOptions,
  contractOption,
  environmentVariable,
  modeOption,
  observeOptions,
  reportOption,
  seconds,
  startOption,
  targetOptions,
  timeoutOption,
  verboseOption,
  wholeNumber,
  withOptions,
} from '../../shared/options.ts'

const MORE = `
Use a test instance with a store of its own. Only a SIGKILL is tried: it shows what a crash of the process loses, not what
a power cut does. docs/crash.md explains the method.

Exit codes: 0 conformant in the durable profile; 1 not conformant; 2 could not run; 3 incomplete: nothing failed, but
some required (MUST) case gave no result.`

/** Adds `hookproof crash`. */
export function addCrashCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('crash')
    .summary('kill a receiver under load, and check that no payment is lost or doubled')
    .description(
      'Start a receiver, kill it with SIGKILL while it handles payments, start it again, and check that every acknowledged payment survives and none is handled twice. Also check what it does without a secret, and what it prints.',
    )
    .argument('[url]', 'URL of the webhook endpoint (default: that of the config file)')
  withOptions(command, [startOption(), ...observeOptions()])
    .option('--rounds <n>', 'how many times to kill the receiver under load (default: 10)', wholeNumber)
    .option('--round <n>', 'run only round n, to repeat it with the --seed of a report', wholeNumber)
    .option(
      '--recover-within <seconds>',
      'how long nothing may change before an absent effect counts as lost, in seconds (default: 30)',
      seconds,
    )
    .option(
      '--kill-command <command>',
      'command that kills a receiver outside the process group of --start, for example "docker kill shop"',
    )
    .option(
      '--rotate-env <NAME=value>',
      'also rotate the secret: the variable gets this value while the receiver has both secrets, with {old} and {new} for them, for example "OLD_SECRET={old}"; repeatable',
      environmentVariable,
    )
    .option(
      '--fsync-trace',
      'also count how many acknowledgments follow a sync of the store; needs Linux, strace and an http URL',
    )
    .option('--receiver-log <file>', 'file for what the receiver prints, without the signing secret')
  withOptions(command, [...configOptions(), ...targetOptions()])
    .option(
      '--seed <text>',
      'seed for the events and the moments of the kills; payment ids are unique per run (default: random for each run)',
    )
    .addOption(timeoutOption())
    .addOption(contractOption())
    .addOption(reportOption())
    .addOption(verboseOption())
    .addOption(modeOption(' (default: test)'))
    .addHelpText('after', MORE)
    .action((url, options) => run(async (io) => (await import('./crash.ts')).crash(url, options, io)))
}

import type { Command } from 'commander'
import { headerLine, seconds, wholeNumber } from '../../shared/options.ts'
import type { Run } from '../../shared/run.ts'
import { secretFileOption, secretOption } from '../../shared/secret.ts'
import { signatureHeaderOption } from '../../shared/shared-options.ts'

/** Adds `hookproof load`. */
export function addLoadCommand(program: Command, run: Run): void {
  program
    .command('load')
    .summary('load-test a receiver')
    .description(
      'Send individually signed deliveries over kept-alive connections, and show rate and latency.',
    )
    .argument('<url>', 'URL of the webhook endpoint; on this machine, unless --allow-remote')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(signatureHeaderOption(' (default: X-Service-Signature)'))
    .option('--header <line>', 'extra header for every delivery, as "Name: value"; repeatable', headerLine)
    .option('--duration <seconds>', 'how long to send, in seconds (default: 10)', seconds)
    .option(
      '--connections <n>',
      'number of connections, each with one delivery at a time (default: 50)',
      wholeNumber,
    )
    .option('--rate <n>', 'deliveries per second (default: as many as are answered)', wholeNumber)
    .option('--duplicates <percent>', 'percentage of deliveries that repeat an earlier event (default: 0)')
    .option('--timeout <seconds>', 'how long to wait for a response, in seconds (default: 10)', seconds)
    .option('--seed <text>', 'seed of the generated events (default: random per run)')
    .option('--allow-remote', 'allow a receiver on another machine: only load-test machines that are yours')
    .option('--json', 'print the result as JSON; times in milliseconds')
    .addHelpText(
      'after',
      '\nExit codes: 0 every delivery was answered 200; 1 not every one; 2 none was answered.',
    )
    .action((url, options) => run(async (io) => (await import('./load.ts')).load(url, options, io)))
}

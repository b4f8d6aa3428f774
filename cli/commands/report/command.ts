import type { Command } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import { reportOption, verboseOption } from '../../shared/options.ts'

/** Adds `hookproof report`. */
export function addReportCommand(program: Command, run: RunCommand): void {
  program
    .command('report')
    .summary('convert a saved report')
    .description('Convert a JSON report to other formats, or show what changed between two reports.')
    .argument('<file...>', 'JSON report, or - for standard input; with --diff the older and the newer report')
    .addOption(reportOption())
    .addOption(verboseOption())
    .option('--diff', 'show what changed from the first report to the second')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 --diff found new failures; 2 a file could not be read or written.',
    )
    .action((files, options) => run(async (io) => (await import('./report.ts')).report(files, options, io)))
}

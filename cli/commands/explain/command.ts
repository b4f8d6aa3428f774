import type { Command } from 'commander'
import type { Run } from '../../shared/run.ts'

/** Adds `hookproof explain`. */
export function addExplainCommand(program: Command, run: Run): void {
  program
    .command('explain')
    .summary('explain a case, requirement or section')
    .description(
      'Show what a case requires and sends, and the impact of a failure; or the cases of a requirement or section of SPEC.md.',
    )
    .argument('<case|requirement|section>', 'for example refusals/empty-key, 7.4 or duplicates')
    .action((name) => run(async (io) => (await import('./explain.ts')).explain(name, io)))
}

import { type Command, Option } from 'commander'
import { FRAMEWORKS } from '../../../conformance/report/snippets.ts'
import type { Run } from '../../shared/run.ts'

/** Adds `hookproof explain`. */
export function addExplainCommand(program: Command, run: Run): void {
  program
    .command('explain')
    .summary('explain a case, requirement, section or cause')
    .description(
      'Show what a case requires and sends, and the impact of a failure; the cases of a requirement or section of SPEC.md; or a cause that a report names, with its fix.',
    )
    .argument(
      '<case|requirement|section|cause>',
      'for example refusals/empty-key, 7.4, duplicates or body_reserialized',
    )
    .addOption(
      new Option(
        '--framework <name>',
        "the receiver's framework, for an example of the fix of a cause",
      ).choices(FRAMEWORKS),
    )
    .action((name, options) => run(async (io) => (await import('./explain.ts')).explain(name, options, io)))
}

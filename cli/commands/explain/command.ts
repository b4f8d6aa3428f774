import { type Command, Option } from 'commander'
import { FRAMEWORKS } from '../../../conformance/report/snippets.ts'
import type { RunCommand } from '../../shared/exit.ts'
import { serviceOption } from '../../shared/options.ts'

/** Adds `hookproof explain`. */
export function addExplainCommand(program: Command, run: RunCommand): void {
  program
    .command('explain')
    .summary('explain a case or a cause')
    .description(
      'Show what a case requires and sends, and the impact of a failure; or a cause that a report names, with its fix.',
    )
    .argument(
      '[case|cause]',
      'for example refusals/empty-key or body_reserialized; without it, all causes are listed',
    )
    .addOption(serviceOption())
    .addOption(
      new Option(
        '--framework <name>',
        "the receiver's framework, for an example of the fix of a cause",
      ).choices(FRAMEWORKS),
    )
    .action((name, options) => run(async (io) => (await import('./explain.ts')).explain(name, options, io)))
}

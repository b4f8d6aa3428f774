import { type Command, Option } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import { serviceOption } from '../../shared/options.ts'

/** Adds `hookproof cases`. */
export function addCasesCommand(program: Command, run: RunCommand): void {
  program
    .command('cases')
    .summary('list the cases')
    .description(
      'List the conformance cases, each with its level and its requirement in SPEC.md or in the contract of the service.',
    )
    .argument('[pattern...]', 'cases to list, as for check --only, for example duplicates or "*/refund*"')
    .addOption(serviceOption())
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'same as --format json').implies({ format: 'json' }))
    .action((patterns, options) =>
      run(async (io) => (await import('./cases.ts')).cases(patterns, options, io)),
    )
}

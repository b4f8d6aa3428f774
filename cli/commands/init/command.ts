import { type Command, Option } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import { serviceOption } from '../../shared/options.ts'

/** Adds `hookproof init`. */
export function addInitCommand(program: Command, run: RunCommand): void {
  program
    .command('init')
    .summary('write a config file and a CI workflow')
    .description(
      'Write hookproof.config.json, and a GitHub workflow that starts the receiver and grades it, into the working directory.',
    )
    .option('--url <url>', 'URL of the webhook endpoint', 'http://localhost:3000/webhooks')
    .addOption(serviceOption())
    .option(
      '--observe <url|path>',
      'URL that returns the effects of a payment, or its path, for example /observe; written to the config',
    )
    .option(
      '--start <command>',
      'command that starts the receiver in the workflow (default: by the files of the project); its PORT is that of --url',
    )
    .option(
      '--baseline <file>',
      'file of known failures; written to the config, and created by `hookproof check --update-baseline`',
    )
    .addOption(
      new Option('--workflow <kind>', 'workflow to write').choices(['github', 'none']).default('github'),
    )
    .option('--force', 'overwrite existing files')
    .addHelpText(
      'after',
      '\nExit codes: 0 written; 2 a file already exists or cannot be written; nothing was written.',
    )
    .action((options) => run(async (io) => (await import('./init.ts')).init(options, io)))
}

import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ExitCode } from '../../shared/exit.ts'
import { wholeNumber } from '../../shared/options.ts'

const EXIT_CODES = '\nExit codes: 0 done; 2 could not be done, and nothing was changed.'

/** Adds `hookproof inbox` and its subcommands. */
export function addInboxCommands(program: Command, done: (code: ExitCode) => void): void {
  const inbox = program
    .command('inbox')
    .summary('look into the inbox of a receiver')
    .description('Shows what a receiver has acknowledged, and mends it. It may be running meanwhile.')
    .addHelpText('after', EXIT_CODES)
  const command = (words: string, description: string) =>
    inbox
      .command(words)
      .description(description)
      .option(
        '--inbox <store>',
        'SQLite file, or URL of the Postgres database (default: INBOX or ./inbox.sqlite)',
      )
      .addHelpText('after', EXIT_CODES)

  command('list', 'Lists entries, those of each state oldest first; without --state those that are not done.')
    .addOption(new Option('--state <state>', 'only these').choices(['pending', 'processing', 'done', 'dead']))
    .option('--limit <n>', 'how many at most (default: 50)', wholeNumber)
    .option('--json', 'print them as JSON')
    .action(async (options) => done(await (await import('./inbox.ts')).list(options)))

  command('show', 'Shows one entry.')
    .argument('<id>', 'its id')
    .option('--body', 'the body too, as text')
    .option('--json', 'print it as JSON')
    .action(async (id, options) => done(await (await import('./inbox.ts')).show(id, options)))

  command('retry', 'Has dead entries handled again, with their attempts counted anew.')
    .argument('[id...]', 'their ids')
    .option('--all-dead', 'all that are dead')
    .action(async (ids, options) => done(await (await import('./inbox.ts')).retry(ids, options)))

  command(
    'purge',
    'Deletes entries that are done. A redelivery of a deleted one is taken for a new event: keep them for as long as one may come.',
  )
    .requiredOption('--older-than <time>', 'accepted longer ago than this, such as 90d or 36h', duration)
    .option('--dry-run', 'only tell how many')
    .action(async (options) => done(await (await import('./inbox.ts')).purge(options)))
}

/** Parses days or hours into milliseconds. */
function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? []
  if (count === undefined) throw new InvalidArgumentError('Give days or hours, such as 90d or 36h.')
  return Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000)
}

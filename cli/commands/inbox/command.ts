import { type Command, InvalidArgumentError, Option } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import { wholeNumber } from '../../shared/options.ts'

const EXIT_CODES = '\nExit codes: 0 done; 2 could not be done, and nothing was changed.'

/** Adds `hookproof inbox` and its subcommands. */
export function addInboxCommands(program: Command, run: RunCommand): void {
  const inbox = program
    .command('inbox')
    .summary("inspect and repair a receiver's inbox")
    .description("Inspect and repair a receiver's inbox; safe while it is running.")
    .addHelpText('after', EXIT_CODES)
  const command = (name: string, summary: string, description: string) =>
    inbox
      .command(name)
      .summary(summary)
      .description(description)
      .option(
        '--inbox <store>',
        'SQLite file, or URL of the Postgres database (default: INBOX or ./inbox.sqlite)',
      )
      .addHelpText('after', EXIT_CODES)

  command(
    'list',
    'list entries',
    'List entries, oldest first within each state; by default, all that are not done.',
  )
    .addOption(
      new Option('--state <state>', 'only entries in this state').choices([
        'pending',
        'processing',
        'done',
        'dead',
      ]),
    )
    .option('--limit <n>', 'maximum number of entries (default: 50)', wholeNumber)
    .option('--json', 'print as JSON')
    .action((options) => run(async (io) => (await import('./inbox.ts')).listEntries(options, io)))

  command('show', 'show one entry', 'Show one entry.')
    .argument('<id>', 'id of the entry')
    .option('--body', 'include the body, as text')
    .option('--json', 'print as JSON')
    .action((id, options) => run(async (io) => (await import('./inbox.ts')).show(id, options, io)))

  command('retry', 'requeue dead entries', 'Requeue dead entries, with their attempt count reset to 0.')
    .argument('[id...]', 'ids of dead entries')
    .option('--all-dead', 'requeue all dead entries')
    .action((ids, options) => run(async (io) => (await import('./inbox.ts')).retry(ids, options, io)))

  command(
    'purge',
    'delete entries that are done',
    'Delete entries that are done. A redelivery of a deleted entry counts as a new event: keep entries for as long as redeliveries can arrive.',
  )
    .requiredOption('--older-than <time>', 'minimum age in days or hours, for example 90d or 36h', duration)
    .action((options) => run(async (io) => (await import('./inbox.ts')).purge(options, io)))
}

/** Parses days or hours into milliseconds. */
function duration(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,4})([dh])$/.exec(text) ?? []
  if (count === undefined)
    throw new InvalidArgumentError('It must be in days or hours, for example 90d or 36h.')
  return Number(count) * (unit === 'd' ? 86_400_000 : 3_600_000)
}

import type { Command } from 'commander'
import type { RunCommand } from '../../shared/exit.ts'
import { envFileOption, portNumber, secretFileOption, secretOption } from '../../shared/options.ts'

/** Adds `hookproof receive`. */
export function addReceiveCommand(program: Command, run: RunCommand): void {
  program
    .command('receive')
    .summary('run the reference receiver')
    .description(
      'Run the reference receiver: POST /webhooks, GET /healthz, GET /readyz and, with --observe, GET /observe. It records events in a demo ledger.',
    )
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(envFileOption())
    .option('--port <n>', 'port to listen on, 0 for any free port (default: PORT or 3000)', portNumber)
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option(
      '--inbox <path>',
      'SQLite file, URL of a Postgres database, or "memory" (default: INBOX or ./inbox.sqlite)',
    )
    .option('--observe', 'serve the effects of a payment at GET /observe?payment_id=<id>')
    .addHelpText(
      'after',
      '\nEverything else is set by environment variables, for example METRICS_PORT; docs/operations.md lists them.',
    )
    .addHelpText('after', '\nExit codes: 0 stopped by Ctrl-C or SIGTERM; 2 could not start.')
    .action((options) => run(async (io) => (await import('./receive.ts')).receive(options, io)))
}

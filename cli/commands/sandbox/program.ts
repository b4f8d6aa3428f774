import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ExitCode } from '../../shared/exit.ts'
import { repeated, wholeNumber } from '../../shared/options.ts'

const EXIT_CODES = '\nExit codes: 0 done; 2 could not be done.'

const sandboxOption = () =>
  new Option('--sandbox <url>', 'where it runs (default: HOOKPROOF_SANDBOX or http://127.0.0.1:4100)')

const chaosOption = (whose: string) =>
  new Option(
    '--chaos <name[=value]>',
    `what is to go wrong with ${whose}, as listed below; repeatable`,
  ).argParser(repeated)

const CHAOS = `
What --chaos takes:
  duplicate=<n>         so many copies more
  delayMs=<ms>          the first attempt comes so much later
  reorderWithinMs=<ms>  the first attempt comes within this time: events overtake one another
  dropFirst=<n>         so many attempts are lost on the way
  badSignature          v1 is made with another secret
  staleBySeconds=<s>    t lies so far back
  faultyAttempts=<n>    these two in so many attempts only
  extraLabel            the header has a v2 too
  unknownField          the body has a field that nobody knows`

/** Adds `hookproof sandbox`, and what works with one that runs. */
export function addSandboxCommands(program: Command, done: (code: ExitCode) => void): void {
  program
    .command('sandbox')
    .summary('run a payment service of your own')
    .description(
      'Serves a stand-in for the payment service on this machine: its API, checkout, webhooks and a dashboard. No money moves.',
    )
    .option('--port <n>', 'port to listen on, 0 for any free one (default: 4100)', portNumber)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--exposed', 'allow a --host that others can reach: the sandbox has no passwords')
    .option('--file <path>', 'SQLite file that keeps everything (default: ./sandbox.sqlite)')
    .option('--memory', 'keep nothing')
    .option('--reset', 'forget what the file holds, first')
    .option('--seed <text>', 'where the first keys and secrets come from: the same text, the same keys')
    .option(
      '--route <from=to>',
      'where to send what is meant for a public address, as https://shop.example/=http://localhost:3000/; repeatable',
      repeated,
    )
    .addOption(
      new Option('--schedule <name>', 'when failed deliveries are tried again (default: fast)').choices([
        'fast',
        'realistic',
      ]),
    )
    .addOption(
      new Option('--ack <what>', 'which answers acknowledge: strict takes 200 only (default: 2xx)').choices([
        '2xx',
        'strict',
      ]),
    )
    .option('--bot-protection', 'turn away requests whose User-Agent is missing or looks automated')
    .option('--clock <time>', 'move its clock on to this time, such as 2030-01-31T12:00:00Z')
    .addOption(chaosOption('every delivery'))
    .option('--json', 'tell address and keys as a line of JSON')
    .addHelpText('after', CHAOS)
    .addHelpText('after', '\nExit codes: 0 stopped by Ctrl-C or SIGTERM; 2 could not start.')
    .action(async (options) => done(await (await import('./sandbox.ts')).sandbox(options)))

  program
    .command('listen')
    .summary('send the events of a sandbox to a receiver')
    .description(
      'Has the events of a running sandbox sent to a receiver on this machine for as long as it runs, and prints each attempt. Without --forward-to it prints the attempts at all deliveries.',
    )
    .option('--forward-to <url>', 'the receiver, such as http://localhost:3000/webhooks')
    .option('--events <names>', 'only these, with commas between them; repeatable', repeated)
    .addOption(formatOption())
    .addOption(sandboxOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 stopped by Ctrl-C; 2 could not begin, or the output could not be written.',
    )
    .action(async (options) => done(await (await import('../listen/listen.ts')).listen(options)))

  program
    .command('trigger')
    .summary('make an event happen in a sandbox')
    .description(
      'Makes a payment in a running sandbox and takes it through what leads to the event: all of it, or nothing when the event can not be as asked. A refund comes after a completion; for payment.expired the clock of the sandbox moves on by 24 hours.',
    )
    .argument('<event>', 'such as payment.completed')
    .option(
      '--override <field=value>',
      'a field of the event, such as amount=12.50, metadata.order=7, failure_code=card_declined, type=chargeback, livemode=true; repeatable',
      repeated,
    )
    .option('--method <method>', 'what the customer pays with, such as pix')
    .option('--payment <id>', 'a payment that is there, in place of a new one')
    .addOption(chaosOption('the deliveries'))
    .option('--json', 'print what happened as JSON')
    .addOption(sandboxOption())
    .addHelpText('after', CHAOS)
    .addHelpText(
      'after',
      '\nExit codes: 0 it happened, even if nobody gets it; 2 it did not, and nothing was changed.',
    )
    .action(async (event, options) =>
      done(await (await import('../trigger/trigger.ts')).trigger(event, options)),
    )

  const events = program
    .command('events')
    .summary('the events of a sandbox')
    .description('Lists the events of a running sandbox, and sends them again.')
    .addHelpText('after', EXIT_CODES)
  events
    .command('list')
    .description('Lists events, newest first, with what became of their deliveries.')
    .option('--payment <id>', 'only those of this payment')
    .option('--limit <n>', 'how many at most, up to 100 (default: 20)', wholeNumber)
    .option('--json', 'print them as JSON')
    .addOption(sandboxOption())
    .addHelpText('after', EXIT_CODES)
    .action(async (options) => done(await (await import('../events/events.ts')).list(options)))
  events
    .command('resend')
    .description(
      'Sends an event again to everyone who should have it now, or one delivery to its own recipient: the same bytes, signed anew.',
    )
    .argument('<id>', 'of an event (evt_…) or of a delivery (dlv_…)')
    .addOption(sandboxOption())
    .addHelpText('after', '\nExit codes: 0 queued; 1 nobody is to have it; 2 could not be done.')
    .action(async (id, options) => done(await (await import('../events/events.ts')).resend(id, options)))
}

const formatOption = () =>
  new Option('--format <format>', 'how to print them').choices(['text', 'json']).default('text')

/** Parses a port. */
function portNumber(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw new InvalidArgumentError('Give a whole number from 0 to 65535.')
}

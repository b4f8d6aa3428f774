import { type Command, InvalidArgumentError, Option } from 'commander'
import { CAPTURE_FOLDER } from '../../shared/capture.ts'
import type { RunCommand } from '../../shared/exit.ts'
import {
  headerOption,
  once,
  portNumber,
  repeated,
  secretOptions,
  serviceOption,
  signatureHeaderOption,
  trustOptions,
  wholeNumber,
  withOptions,
} from '../../shared/options.ts'

const sandboxOption = () =>
  new Option('--sandbox <url>', 'URL of the sandbox (default: HOOKPROOF_SANDBOX or http://127.0.0.1:4100)')

const chaosOption = (target: string) =>
  new Option(
    '--chaos <name[=value]>',
    `fault to inject into ${target}, from the list below; repeatable`,
  ).argParser(repeated)

const CHAOS = `
Faults for --chaos:
  duplicate=<n>         send n extra copies
  delayMs=<ms>          delay the first attempt by this many milliseconds
  reorderWithinMs=<ms>  delay the first attempt by a random time up to this many milliseconds, so that events arrive out of order
  dropFirst=<n>         drop the first n attempts
  badSignature          sign v1 with a different secret
  staleBySeconds=<s>    make t this many seconds old
  extraLabel            add a v2 label to the signature header
  unknownField          add an unknown field to the body`

/** Adds `hookproof sandbox`, and the commands that call a running sandbox. */
export function addSandboxCommands(program: Command, run: RunCommand): void {
  addSandboxCommand(program, run)
  addListenCommand(program, run)
  addTriggerCommand(program, run)
  addEventsCommands(program, run)
}

function addSandboxCommand(program: Command, run: RunCommand): void {
  program
    .command('sandbox')
    .summary('run the local payment sandbox')
    .description(
      'Run a stand-in for the payment service on this machine: its API, checkout, webhooks and a dashboard. No money moves.',
    )
    .option('--port <n>', 'port to listen on, 0 for any free port (default: 4100)', portNumber)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--exposed', 'allow a --host that other machines can reach')
    .option(
      '--dashboard-password <text>',
      'password for the dashboard on other machines, at least 8 characters (default: HOOKPROOF_DASHBOARD_PASSWORD, or a random one with --exposed)',
    )
    .option('--file <path>', 'SQLite file that stores everything (default: ./sandbox.sqlite)')
    .option('--memory', 'keep everything in memory; write no file')
    .option('--reset', 'delete all stored data before starting')
    .option(
      '--seed <text>',
      'seed for the default keys and secrets; the same seed always gives the same ones',
    )
    .option(
      '--route <from=to>',
      'forward webhooks for a public address, for example https://shop.example/=http://localhost:3000/; repeatable',
      repeated,
    )
    .addOption(
      new Option('--schedule <name>', 'when to retry failed deliveries (default: fast)').choices([
        'fast',
        'realistic',
      ]),
    )
    .addOption(
      new Option(
        '--ack <statuses>',
        'statuses that acknowledge a delivery; strict: 200 only (default: 2xx)',
      ).choices(['2xx', 'strict']),
    )
    .option('--bot-protection', 'refuse requests whose User-Agent is missing or looks automated')
    .option('--clock <time>', 'advance the sandbox clock to this time, for example 2030-01-31T12:00:00Z')
    .addOption(chaosOption('every delivery'))
    .option('--json', 'print the address and keys as one line of JSON')
    .addHelpText('after', CHAOS)
    .addHelpText('after', '\nExit codes: 0 stopped by Ctrl-C or SIGTERM; 2 could not start.')
    .action((options) => run(async (io) => (await import('./sandbox.ts')).sandbox(options, io)))
}

function addListenCommand(program: Command, run: RunCommand): void {
  const command = program
    .command('listen')
    .summary('forward, save and print deliveries')
    .description(
      'Forward the events of a running sandbox, or with --port those of any service, to a receiver on this machine until stopped, and print each attempt. Without --forward-to, print the attempts of all deliveries.',
    )
    .option(
      '--forward-to <url>',
      'URL of the receiver, for example http://localhost:3000/webhooks; repeatable: each receiver gets every event',
      repeated,
    )
    .option('--events <names>', 'only these events, separated by commas; repeatable', repeated)
  withOptions(command, [
    headerOption('extra header for every delivery'),
    ...trustOptions(),
    ...secretOptions(),
  ])
    .addOption(
      new Option(
        '--backfill [hours]',
        'first send the events of the last hours that the receiver has not been sent, at most 1000',
      )
        .preset('24')
        .argParser(hours),
    )
    .addOption(
      new Option(
        '--capture [folder]',
        'save each delivery byte for byte, with its signature, for `hookproof send --capture`',
      ).preset(CAPTURE_FOLDER),
    )
    .option(
      '--port <n>',
      'instead of a sandbox, receive any deliveries at this port of 127.0.0.1, for example through a tunnel; the sender gets the response of the first receiver',
      portNumber,
    )
    .addOption(serviceOption('with --port: whose deliveries they are'))
    .addOption(signatureHeaderOption(' with --port (default: that of the service)'))
    .addOption(new Option('--format <format>', 'output format').choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'same as --format json').implies({ format: 'json' }))
    .addOption(sandboxOption())
    .addHelpText(
      'after',
      '\nExit codes: 0 stopped by Ctrl-C or SIGTERM; 2 could not start, or the output could not be written.',
    )
    .action(({ port, ...options }) =>
      run(async (io) =>
        port === undefined
          ? (await import('../listen/listen.ts')).listen(options, io)
          : (await import('../listen/relay.ts')).relay({ ...options, port }, io),
      ),
    )
}

function addTriggerCommand(program: Command, run: RunCommand): void {
  program
    .command('trigger')
    .summary('trigger an event')
    .description(
      'Create a payment in a running sandbox and take it through the steps that lead to the event, and print what became of the first attempt of each delivery. Nothing is changed when the event cannot be produced as requested. A refund follows a completion.',
    )
    .argument('<event>', 'event to trigger, for example payment.completed')
    .option(
      '--override <field=value>',
      'set a field of the event, for example amount=12.50, metadata.order=7, failure_code=card_declined, type=chargeback, livemode=true; repeatable',
      repeated,
    )
    .option('--method <method>', 'payment method, for example pix', once)
    .option('--payment <id>', 'use an existing payment instead of a new one', once)
    .addOption(chaosOption('the deliveries'))
    .option('--json', 'print the events as JSON')
    .addOption(sandboxOption())
    .addHelpText('after', CHAOS)
    .addHelpText(
      'after',
      `
Exit codes: 0 delivered, or with --chaos sent to a recipient; 1 triggered, but not delivered: no endpoint is subscribed, or a
receiver did not acknowledge the first attempt; 2 not triggered, and nothing was changed.`,
    )
    .action((event, options) =>
      run(async (io) => (await import('../trigger/trigger.ts')).trigger(event, options, io)),
    )
}

function addEventsCommands(program: Command, run: RunCommand): void {
  const exitCodes = '\nExit codes: 0 done; 2 could not be done.'
  const events = program
    .command('events')
    .summary('list and resend sandbox events')
    .description('List and resend the events of a running sandbox.')
    .addHelpText('after', exitCodes)
  events
    .command('list')
    .summary('list events')
    .description('List events, newest first, with the state of their deliveries.')
    .option('--payment <id>', 'only events of this payment')
    .option('--limit <n>', 'maximum number of events, up to 100 (default: 20)', wholeNumber)
    .option('--json', 'print as JSON')
    .addOption(sandboxOption())
    .addHelpText('after', exitCodes)
    .action((options) => run(async (io) => (await import('../events/events.ts')).listEvents(options, io)))
  events
    .command('resend')
    .summary('resend an event or a delivery')
    .description(
      'Resend an event to every endpoint that is subscribed now, or one delivery to its own endpoint: the same bytes, re-signed.',
    )
    .argument('<id>', 'id of an event (evt_…) or of a delivery (dlv_…)')
    .addOption(sandboxOption())
    .addHelpText('after', '\nExit codes: 0 queued; 1 no endpoint is subscribed; 2 could not be done.')
    .action((id, options) => run(async (io) => (await import('../events/events.ts')).resend(id, options, io)))
}

/** Parses hours into milliseconds. */
function hours(text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value > 0 && value <= 720) return Math.ceil(value * 3_600_000)
  throw new InvalidArgumentError('It must be more than 0 and at most 720 hours.')
}

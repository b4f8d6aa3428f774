import { Command, CommanderError, Option } from 'commander'
import { HarnessError } from '../conformance/errors.ts'
import { packageVersion } from '../conformance/version.ts'
import { addInboxCommands } from './commands/inbox/program.ts'
import { addSandboxCommands } from './commands/sandbox/program.ts'
import { EXIT, type ExitCode, UsageError } from './shared/exit.ts'
import {
  headerLine,
  headerName,
  repeated,
  seconds,
  secretFileOption,
  secretOption,
  wholeNumber,
} from './shared/options.ts'

const EXIT_CODES = `
Exit codes: 0 conformant in the profile tested, 1 not conformant, 2 could not run, 3 incomplete
(a MUST of the chosen profile could not be tested).`

const EXAMPLES = `
Examples:
  hookproof check                                         grade the bundled reference receiver
  hookproof check http://localhost:3000/webhooks          grade yours (HOOKPROOF_SECRET is its signing secret)
  hookproof check http://localhost:3000/webhooks --observe http://localhost:3000/observe
  hookproof init                                          write a config file and a workflow of GitHub
  hookproof explain duplicates/delivered-twice-at-once    what a case asks for, and why`

const CONFIG = `
The file hookproof.config.json of the working folder, or that of --config, may hold the same, but never the secret. What
is given here overrides it. \`hookproof init\` writes one.`

const SIGNATURE_HEADER = 'X-Service-Signature'

const FORMATS = 'terminal, json, junit, markdown, html or badge; repeatable (default: terminal)'

/** Runs the command line and tells the exit code: the only place where failures become one. */
export async function main(words: readonly string[]): Promise<ExitCode> {
  let code: ExitCode = EXIT.ok
  const program = build((result) => {
    code = result
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return EXIT.ok
      if (error.code !== 'commander.help')
        process.stderr.write(`hookproof: ${usageLine(error, program)} [usage]\n`)
      return EXIT.unable
    }
    if (error instanceof UsageError || error instanceof HarnessError) {
      process.stderr.write(`hookproof: ${error.message} [${error.code}]\n`)
      return EXIT.unable
    }
    const what = error instanceof Error ? error.message : String(error)
    process.stderr.write(
      `hookproof: internal error: ${what}\nPlease report it: it is no verdict on the receiver.\n`,
    )
    return EXIT.unable
  }
}

/** What is wrong with the command line, with the suggestion in the same line, or else where to read on. */
function usageLine({ message }: CommanderError, program: Command): string {
  const line = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  if (/[.)]$/.test(line)) return line
  const [name] = program.args
  const command = program.commands.some((one) => one.name() === name) ? ` ${name}` : ''
  return `${line}: \`hookproof${command} --help\` tells what there is`
}

function build(done: (code: ExitCode) => void): Command {
  const program = new Command('hookproof')
    .description('Grades a webhook receiver against SPEC.md, and serves the reference receiver.')
    .version(packageVersion())
    .exitOverride()
    // `main` writes it, in one line.
    .configureOutput({ outputError: () => undefined })
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)

  const signatureHeader = (more = '') =>
    new Option('--signature-header <name>', `name of the signature header${more}`).argParser(headerName)
  const mode = (more = '') =>
    new Option('--mode <mode>', `test: every event has livemode false${more}`).choices(['test', 'live'])

  program
    .command('check')
    .summary('grade a receiver')
    .description(
      'Fires signed deliveries at a receiver and grades what comes back. Without a URL: that of the config file, or else the bundled receiver.',
    )
    .argument('[url]', 'the webhook endpoint')
    .option('--config <file>', 'config file (default: hookproof.config.json, where there is one)')
    .option('--no-config', 'read no config file')
    .addOption(secretOption())
    .addOption(secretFileOption())
    // No default of the parser: it could not be told from what is given, which overrides the config file.
    .addOption(signatureHeader(` (default: ${SIGNATURE_HEADER})`))
    .option(
      '--header <line>',
      'further header line for every delivery, as "Name: value"; repeatable',
      headerLine,
    )
    .option('--observe <url>', 'where the receiver shows its effects, asked with ?payment_id=')
    .option('--observe-command <command>', 'command that prints the effects of the payment id given last')
    .addOption(
      new Option(
        '--profile <profile>',
        'core: HTTP answers; full: effects too (default: full if observed)',
      ).choices(['core', 'full']),
    )
    .option('--only <glob>', 'cases to run, such as "duplicates/*"; repeatable', repeated)
    .option('--skip <glob>', 'cases to leave out; repeatable', repeated)
    .option('--seed <text>', 'seed of the events (default: drawn anew)')
    .option('--concurrency <n>', 'cases that send at once (default: 8)', wholeNumber)
    .option('--timeout <s>', 'seconds to wait for an answer (default: 10)', seconds)
    .option('--ack-within <s>', 'seconds that an acknowledgement may take (default: 5)', seconds)
    .option('--wait <s>', 'seconds to wait for effects (default: 5)', seconds)
    .option('--baseline <file>', 'known failures, which do not count until they are mended or expire')
    .option('--update-baseline', 'write the failures of this run to the file of --baseline')
    .option('--repeat <n>', 'run so many times; a verdict that differs is unstable, and fails', wholeNumber)
    .option(
      '--start <command>',
      'command that starts the receiver, with the secret as HOOKPROOF_SECRET and, unless set, WEBHOOK_SECRET; it is stopped afterwards',
    )
    .option('--report <format[=file]>', FORMATS, repeated)
    .addOption(mode(' (default: test)'))
    .addHelpText('after', CONFIG)
    .addHelpText('after', EXIT_CODES)
    .action(async (url, options) =>
      done(await (await import('./commands/check/check.ts')).check(url, options)),
    )

  program
    .command('init')
    .summary('write a config file and a workflow')
    .description(
      'Writes hookproof.config.json, and a workflow that starts the receiver and grades it in CI, into the working folder.',
    )
    .option('--url <url>', 'the webhook endpoint', 'http://localhost:3000/webhooks')
    .option(
      '--observe <url|path>',
      'where the receiver shows its effects, such as /observe; goes into the config',
    )
    .option('--start <command>', 'command that starts the receiver in the workflow (default: npm start)')
    .addOption(
      new Option('--workflow <kind>', 'which workflow to write')
        .choices(['github', 'none'])
        .default('github'),
    )
    .option('--force', 'write files anew that are there already')
    .addHelpText('after', '\nExit codes: 0 written; 2 nothing could be written, or a file is there already.')
    .action(async (options) => done(await (await import('./commands/init/init.ts')).init(options)))

  program
    .command('report')
    .summary('render a saved report anew')
    .description('Renders a JSON report in any format, or tells what changed between two.')
    .argument('<file...>', 'a JSON report; with --diff the older and the newer one')
    .option('--report <format[=file]>', FORMATS, repeated)
    .option('--diff', 'tell what changed from the first report to the second')
    .addHelpText(
      'after',
      '\nExit codes: 0 done; 1 new failures, with --diff; 2 could not be read or written.',
    )
    .action(async (files, options) =>
      done(await (await import('./commands/report/report.ts')).report(files, options)),
    )

  program
    .command('cases')
    .summary('list the cases')
    .description('Lists the cases of the catalogue, each with its level and its requirement of SPEC.md.')
    .argument('[pattern...]', 'patterns of cases, as --only takes them, such as duplicates or "*/refund*"')
    .addOption(new Option('--format <format>', 'how to list them').choices(['text', 'json']).default('text'))
    .addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }))
    .action(async (patterns, options) =>
      done((await import('./commands/cases/cases.ts')).cases(patterns, options)),
    )

  program
    .command('explain')
    .summary('explain a case')
    .description(
      'Tells what a case asks for, what it sends, and what a failure means; or which cases belong to a requirement or a section of SPEC.md.',
    )
    .argument('<case>', 'a case, a requirement or a section, such as refusals/empty-key, 7.4 or duplicates')
    .action(async (name) => done((await import('./commands/explain/explain.ts')).explain(name)))

  program
    .command('send')
    .summary('send one event or one case')
    .description(
      'Sends a generated event, or the deliveries of one case, freshly signed, and shows what comes back.',
    )
    .argument(
      '<event or case>',
      'an event, a scenario or a case, such as payment.completed or refusals/empty-key',
    )
    .argument('<url>', 'the webhook endpoint')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(signatureHeader().default(SIGNATURE_HEADER))
    .option('--header <line>', 'further header line, as "Name: value"; repeatable', headerLine)
    .option('--seed <text>', 'seed of the event (default: drawn anew)')
    .option('--timeout <s>', 'seconds to wait for an answer (default: 10)', seconds)
    .addOption(mode().default('test'))
    .addHelpText('after', '\nExit codes: 0 accepted, or the case passed; 1 not; 2 could not be sent.')
    .action(async (what, url, options) =>
      done(await (await import('./commands/send/send.ts')).send(what, url, options)),
    )

  program
    .command('load')
    .summary('send as many deliveries as a receiver takes')
    .description(
      'Sends individually signed deliveries over kept-alive connections, and tells how they were taken.',
    )
    .argument('<url>', 'the webhook endpoint; on this machine, unless told otherwise')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .addOption(signatureHeader())
    .option('--header <line>', 'further header line, as "Name: value"; repeatable', headerLine)
    .option('--duration <s>', 'seconds to send for (default: 10)', seconds)
    .option('--connections <n>', 'connections, each with one delivery under way (default: 50)', wholeNumber)
    .option('--rate <n>', 'deliveries a second (default: as many as are answered)', wholeNumber)
    .option('--duplicates <percent>', 'how many repeat an event, signed anew (default: 0)')
    .option('--timeout <s>', 'seconds to wait for an answer (default: 10)', seconds)
    .option('--seed <text>', 'seed of the events (default: drawn anew)')
    .option('--this-host-is-mine', 'send to another machine than this one')
    .option('--json', 'print the figures as JSON; times in milliseconds')
    .addHelpText('after', '\nExit codes: 0 all answered 200; 1 not all; 2 nothing was answered.')
    .action(async (url, options) => done(await (await import('./commands/load/load.ts')).load(url, options)))

  program
    .command('sign')
    .summary('sign a body')
    .description('Prints the value of the signature header for the bytes of a file, or of standard input.')
    .argument('[file]', 'file with the exact body', '-')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .option('--at <t>', 'Unix time in seconds (default: now)')
    .action(async (file, options) =>
      done(await (await import('./commands/sign/sign.ts')).signBody(file, options)),
    )

  program
    .command('verify')
    .summary('verify a signature')
    .description('Verifies a signature header against the bytes of a file, or of standard input.')
    .argument('<header>', 'value of the signature header')
    .argument('[file]', 'file with the exact body', '-')
    .addOption(secretOption())
    .addOption(secretFileOption())
    .option('--at <t>', 'the time to verify at, Unix time in seconds (default: now)')
    .option('--tolerance <s>', 'seconds by which t may differ', '300')
    .addHelpText('after', '\nExit codes: 0 genuine, 1 refused, 2 could not be read.')
    .action(async (header, file, options) =>
      done(await (await import('./commands/verify/verify.ts')).verifyBody(header, file, options)),
    )

  program
    .command('receive')
    .summary('run the reference receiver')
    .description(
      'Serves the reference receiver: POST /webhooks, GET /healthz, GET /readyz, and GET /observe with --observe. It books each event in a ledger of its own: to try things and to be graded.',
    )
    .addOption(secretOption())
    .addOption(secretFileOption())
    .option('--port <n>', 'port to listen on, 0 for any free one (default: PORT or 3000)')
    .option('--host <address>', 'address to listen on (default: HOST or 127.0.0.1)')
    .option(
      '--inbox <path>',
      'SQLite file, URL of a Postgres database, or "memory" (default: INBOX or ./inbox.sqlite)',
    )
    .option('--observe', 'show effects at GET /observe?payment_id=')
    .addHelpText(
      'after',
      '\nThe environment sets up the rest: WEBHOOK_SECRET, METRICS_PORT and others; docs/operations.md lists them.',
    )
    .action(async (options) => done(await (await import('./commands/receive/receive.ts')).receive(options)))

  addInboxCommands(program, done)
  addSandboxCommands(program, done)

  return program
}

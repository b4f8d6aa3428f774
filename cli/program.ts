import { Command, CommanderError } from 'commander'
import { HarnessError } from '../conformance/harness-error.ts'
import { packageVersion } from '../conformance/report/package.ts'
import { printable } from '../conformance/report/text.ts'
import { addCasesCommand } from './commands/cases/command.ts'
import { addCheckCommand } from './commands/check/command.ts'
import { addCrashCommand } from './commands/crash/command.ts'
import { addExplainCommand } from './commands/explain/command.ts'
import { addInboxCommands } from './commands/inbox/command.ts'
import { addInitCommand } from './commands/init/command.ts'
import { addLoadCommand } from './commands/load/command.ts'
import { addReceiveCommand } from './commands/receive/command.ts'
import { addReportCommand } from './commands/report/command.ts'
import { addSandboxCommands } from './commands/sandbox/command.ts'
import { addSendCommand } from './commands/send/command.ts'
import { addSignCommand } from './commands/sign.ts'
import { addVerifyCommand } from './commands/verify/command.ts'
import { EXIT, type ExitCode, Interrupted, type RunCommand, UsageError } from './shared/exit.ts'
import type { Io, StopSignal } from './shared/io.ts'
import { inProject } from './shared/runner.ts'

const EXAMPLES = `
Examples:
  hookproof check --bundled                               grade the bundled reference receiver
  hookproof check http://localhost:3000/webhooks          grade your receiver (its signing secret: HOOKPROOF_SECRET, WEBHOOK_SECRET or --env-file .env)
  hookproof check http://localhost:3000/webhooks --observe http://localhost:3000/observe
  hookproof receive --env-file .env                       run the reference receiver at http://localhost:3000/webhooks
  hookproof init                                          write a config file and a GitHub workflow
  hookproof explain duplicates/delivered-twice-at-once    show what a case requires, and why`

/**
 * Runs the command line; the only place where failures become exit codes.
 * @param words the arguments, without the program's own name
 * @returns the exit code, or the signal that the process is to end by after an interruption
 */
export async function main(words: readonly string[], io: Io): Promise<ExitCode | StopSignal> {
  let code: ExitCode = EXIT.ok
  const program = createProgram(io, async (command) => {
    code = await command(io)
  })
  try {
    await program.parseAsync(words, { from: 'user' })
    return code
  } catch (error) {
    return failure(error, program, io)
  }
}

function failure(error: unknown, program: Command, io: Io): ExitCode | StopSignal {
  const { stderr } = io
  if (error instanceof Interrupted) {
    stderr.write(
      `hookproof: interrupted; ${error.hasReport ? 'the report contains what was judged until then' : 'no report was written'}\n`,
    )
    return error.signal
  }
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok
    if (error.code !== 'commander.help') stderr.write(`hookproof: ${usageLine(error, program)} [usage]\n`)
  } else if (error instanceof UsageError || error instanceof HarnessError) {
    stderr.write(`hookproof: ${inProject(printable(withFlags(error, program)), io)} [${error.code}]\n`)
  } else {
    const message = error instanceof Error ? error.message : String(error)
    stderr.write(
      `hookproof: internal error: ${printable(message)}\nPlease report this bug; it says nothing about your receiver.\n`,
    )
  }
  return EXIT.unable
}

/**
 * The message of an error with the option names of the library replaced by flags: `"waitMs"` becomes `--wait`. Names
 * that the error does not list, and further occurrences, stay as they are: they may be quoted values.
 */
export function withFlags(
  { message, names }: Pick<HarnessError, 'message' | 'names'>,
  { commands, args }: Command,
): string {
  // Those of the command that ran come first: another one may spell a longer name differently.
  const ran = commands.filter((command) => command.name() === args[0])
  const options = [...ran, ...commands].flatMap((command) => command.options)
  const flagOf = (name: string): string | undefined => {
    if (name === 'url') return 'the URL'
    // Times of the library are in milliseconds, and its lists are repeated options.
    const spellings = [name, name.replace(/(?:Ms|s)$/, '')]
    return options.find((option) => spellings.includes(option.attributeName()))?.long
  }
  return names.reduce((text, name) => text.replace(`"${name}"`, flagOf(name) ?? `"${name}"`), message)
}

/** What is wrong with the command line, with commander's suggestion or a pointer to the help in the same line. */
function usageLine({ message }: CommanderError, program: Command): string {
  const line = message.replace(/^error: /, '').replaceAll(/\s*\n\s*/g, ' ')
  if (/[.)]$/.test(line)) return line
  const [name] = program.args
  const command = program.commands.some((known) => known.name() === name) ? ` ${name}` : ''
  return `${line}: run \`hookproof${command} --help\` for usage`
}

/** In the order of `hookproof --help`. */
const COMMANDS: readonly ((program: Command, run: RunCommand) => void)[] = [
  addCheckCommand,
  addCrashCommand,
  addInitCommand,
  addReportCommand,
  addCasesCommand,
  addExplainCommand,
  addSendCommand,
  addLoadCommand,
  addSignCommand,
  addVerifyCommand,
  addReceiveCommand,
  addInboxCommands,
  addSandboxCommands,
]

/** The command line with all commands. */
export function createProgram({ stdout, stderr }: Pick<Io, 'stdout' | 'stderr'>, run: RunCommand): Command {
  const program = new Command('hookproof')
    .description('Grade a webhook receiver, run the reference receiver, and run a local payment sandbox.')
    .version(packageVersion())
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 80,
      getErrHelpWidth: () => stderr.columns ?? 80,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      // `main` writes it, in one line.
      outputError: () => undefined,
    })
    .showSuggestionAfterError()
    .addHelpText('after', EXAMPLES)

  for (const add of COMMANDS) add(program, run)
  return program
}

import { crash as runCrash } from '../../../conformance/crash/crash.ts'
import type { ConformanceReport } from '../../../conformance/index.ts'
import { momentText } from '../../../conformance/report/words/crash.ts'
import { EXIT, EXIT_BY_CONCLUSION, type ExitCode, UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import { interruptible } from '../../shared/process/interruptible.ts'
import { prepareReports, writeReports } from '../../shared/reports.ts'
import { readSecret } from '../../shared/secret.ts'
import { defined } from '../../shared/text.ts'
import { readTrust } from '../../shared/trust.ts'
import { type CheckCommandOptions, type MergedConfig, mergeConfig, reproduceWith } from '../check/options.ts'
import { crashProgress } from './progress.ts'
import { openReceiverLog } from './receiver-log.ts'

/** The options of `hookproof crash`; times are in milliseconds. */
export interface CrashCommandOptions extends CheckCommandOptions {
  readonly rounds?: number
  readonly round?: number
  readonly recoverWithin?: number
  readonly killCommand?: string
  readonly rotateEnv?: Readonly<Record<string, string>>
  readonly receiverLog?: string
  readonly fsyncTrace?: true
}

/** `hookproof crash`: kills a receiver under load and grades what survives. It is stopped in any case. */
export async function crash(
  givenUrl: string | undefined,
  given: CrashCommandOptions,
  io: Io,
): Promise<ExitCode> {
  return crashWith(await mergeConfig(givenUrl, given, io), given, io)
}

/** The same with a configuration that is merged already. @param given the options of the command line alone */
export async function crashWith(
  { url, options, folderOf }: MergedConfig,
  given: CrashCommandOptions,
  io: Io,
): Promise<ExitCode> {
  if (url === undefined) throw new UsageError('pass the URL at which the receiver will listen')
  const { start } = options
  if (start === undefined)
    throw new UsageError(
      'pass --start "<command>", or write "start" in hookproof.config.json: the receiver must be killed and started again',
    )
  const requests = await prepareReports(io, options.report)
  const secret = await readSecret(options, io)
  const trust = await readTrust(options, io)
  const log = openReceiverLog(given.receiverLog, io)
  const stopping = new AbortController()
  const { rounds = 10, round } = given
  const progress = crashProgress((line) => io.stderr.write(`hookproof: ${line}\n`))
  let running: Promise<ConformanceReport> | undefined
  const grade = (): Promise<ConformanceReport> => {
    running = runCrash({
      ...defined({
        observe: options.observe,
        observeCommand: options.observeCommand,
        killCommand: given.killCommand,
        rotateEnv: given.rotateEnv,
        round,
        fsyncTrace: given.fsyncTrace,
        recoverWithinMs: given.recoverWithin,
        timeoutMs: options.timeout,
        signatureHeader: options.signatureHeader,
        headers: options.header,
        contract: options.contract,
        mode: options.mode,
        seed: options.seed,
      }),
      ...defined(trust),
      url,
      secret,
      start,
      rounds,
      cwd: folderOf('start'),
      env: io.env,
      signal: stopping.signal,
      reproduceWith: { check: repeated(given, options) },
      onStep: progress.step,
      onWaiting: progress.waiting,
      onRound: (number, moment) =>
        progress.step(`round ${number} of ${rounds}: SIGKILL ${momentText(moment)}`),
      onOutput: log.write,
    })
    return running
  }
  const cleanUp = async (): Promise<void> => {
    stopping.abort()
    // It stops the receiver before it ends.
    await running?.catch(() => undefined)
    log.close()
  }
  const report = await interruptible(io, grade, cleanUp)
  const isWritten = await writeReports(report, requests, io, given)
  return log.close() && isWritten ? EXIT_BY_CONCLUSION[report.conclusion] : EXIT.unable
}

/** What the command that repeats a round has in common with this one. */
function repeated(given: CrashCommandOptions, merged: CheckCommandOptions): string[] {
  const { rounds, recoverWithin, killCommand, rotateEnv = {} } = given
  return [
    ...(reproduceWith({ ...given, start: merged.start ?? '' }, merged).check ?? []),
    ...(rounds === undefined ? [] : ['--rounds', String(rounds)]),
    ...(recoverWithin === undefined ? [] : ['--recover-within', String(recoverWithin / 1000)]),
    ...(killCommand === undefined ? [] : ['--kill-command', killCommand]),
    ...Object.entries(rotateEnv).flatMap(([name, text]) => ['--rotate-env', `${name}=${text}`]),
  ]
}

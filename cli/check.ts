import { httpUrl, check as run } from '../conformance/check.ts'
import type { Conclusion, Mode, Profile } from '../conformance/model.ts'
import { compareRuns } from '../conformance/repeat.ts'
import type { ConformanceReport } from '../schemas/types.ts'
import { applyBaseline, type BaselineOptions, readBaseline } from './baseline.ts'
import type { StartedReceiver, Stop } from './child.ts'
import { EXIT, type ExitCode, UsageError } from './exit.ts'
import { interruptible } from './interruptible.ts'
import { givenSecret, readSecret, type SecretOptions } from './options.ts'
import { createProgress } from './progress.ts'
import { prepareReports, writeReports } from './reports.ts'
import { startBundled } from './start-bundled.ts'
import { startCommand } from './start-command.ts'

/** The options of `hookproof check`; times are in milliseconds. */
export interface CheckCommandOptions extends SecretOptions, BaselineOptions {
  readonly signatureHeader: string
  readonly header?: readonly (readonly [string, string])[]
  readonly observe?: string
  readonly observeCommand?: string
  readonly profile?: Profile
  readonly only?: readonly string[]
  readonly skip?: readonly string[]
  readonly seed?: string
  readonly concurrency?: number
  readonly timeout?: number
  readonly ackWithin?: number
  readonly wait?: number
  readonly start?: string
  readonly repeat?: number
  readonly report?: readonly string[]
  readonly mode: Mode
}

const EXIT_BY_CONCLUSION: Readonly<Record<Conclusion, ExitCode>> = {
  conformant: EXIT.ok,
  'not-conformant': EXIT.failed,
  incomplete: EXIT.incomplete,
}

/** `hookproof check`: grades a receiver, and stops the one that it started whatever happens. */
export async function check(url: string | undefined, options: CheckCommandOptions): Promise<ExitCode> {
  const reports = await prepareReports(options.report)
  const baseline = await readBaseline(options)
  const progress = await createProgress()
  let stop: Stop = async () => undefined
  const grade = async () => {
    const receiver = await receiverFor(url, options, (how) => {
      stop = how
    })
    const observe = options.observe ?? (options.observeCommand === undefined ? receiver.observe : undefined)
    const once = (seed: string | undefined) =>
      run({
        ...given({
          observe,
          observeCommand: options.observeCommand,
          profile: options.profile,
          seed,
          concurrency: options.concurrency,
          timeoutMs: options.timeout,
          ackWithinMs: options.ackWithin,
          waitMs: options.wait,
          headers: options.header,
          only: options.only,
          skip: options.skip,
        }),
        url: receiver.url,
        secret: receiver.secret,
        started: url === undefined,
        signatureHeader: options.signatureHeader,
        mode: options.mode,
        onStart: progress.start,
        onVerdict: progress.verdict,
      })
    const reports: [ConformanceReport, ...ConformanceReport[]] = [await once(options.seed)]
    // Another seed each time: what was sent before would be a redelivery.
    for (let time = 2; time <= (options.repeat ?? 1); time += 1) {
      reports.push(await once(options.seed && `${options.seed}-${time}`))
    }
    return compareRuns(reports)
  }
  const { report, unstable } = await interruptible(grade, () => {
    progress.stop()
    return stop()
  })
  const written = await writeReports(report, reports)
  const code =
    baseline === undefined
      ? EXIT_BY_CONCLUSION[report.conclusion]
      : await applyBaseline(report, baseline, options)
  if (!written) return EXIT.unable
  if (unstable.length === 0) return code
  process.stderr.write(
    `hookproof: ${unstable.length} unstable verdicts, which differ between runs: ${unstable.join(', ')}\n`,
  )
  return EXIT.failed
}

async function receiverFor(
  url: string | undefined,
  options: CheckCommandOptions,
  onSpawn: (stop: Stop) => void,
): Promise<StartedReceiver> {
  if (url === undefined) {
    if (options.start !== undefined)
      throw new UsageError('--start needs the URL at which the receiver will listen')
    return startBundled(await givenSecret(options), onSpawn)
  }
  const secret = await readSecret(options)
  const parsed = httpUrl(url)
  if (options.start !== undefined) return startCommand(options.start, parsed, secret, onSpawn)
  return { url: parsed.href, secret, stop: async () => undefined }
}

/** Only what was given: the defaults of `check` stand in one place. */
function given<T extends object>(options: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

import type { Conclusion, Mode, Profile } from '../../../conformance/case/model.ts'
import { check as run } from '../../../conformance/check.ts'
import { httpUrl } from '../../../conformance/run/http-url.ts'
import { compareRuns } from '../../../conformance/run/repeat.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import type { StartedReceiver, Stop } from '../../shared/child.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'
import { interruptible } from '../../shared/interruptible.ts'
import { given, givenSecret, readSecret, type SecretOptions } from '../../shared/options.ts'
import { prepareReports, writeReports } from '../../shared/reports.ts'
import { applyBaseline, type BaselineOptions, readBaseline, withBaseline } from './baseline.ts'
import { configured } from './merge-config.ts'
import { createProgress } from './progress.ts'
import { startBundled } from './start-bundled.ts'
import { startCommand } from './start-command.ts'

/** The options of `hookproof check`; times are in milliseconds. */
export interface CheckCommandOptions extends SecretOptions, BaselineOptions {
  readonly signatureHeader?: string
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
  readonly mode?: Mode
  /** The config file, or false for none. */
  readonly config?: string | false
}

const EXIT_BY_CONCLUSION: Readonly<Record<Conclusion, ExitCode>> = {
  conformant: EXIT.ok,
  'not-conformant': EXIT.failed,
  incomplete: EXIT.incomplete,
}

/** `hookproof check`: grades a receiver, and stops the one that it started whatever happens. */
export async function check(
  givenUrl: string | undefined,
  givenOptions: CheckCommandOptions,
): Promise<ExitCode> {
  const { url, options } = await configured(givenUrl, givenOptions)
  const reports = await prepareReports(options.report)
  const baseline = await readBaseline(options)
  const progress = await createProgress()
  let stop: Stop = async () => undefined
  const grade = async () => {
    const receiver = await receiverFor(url, options, (how) => {
      stop = how
    })
    const observe = options.observe ?? (options.observeCommand === undefined ? receiver.observe : undefined)
    const runs = options.repeat ?? 1
    const once = (seed: string | undefined, time: number) =>
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
          signatureHeader: options.signatureHeader,
          mode: options.mode,
          only: options.only,
          skip: options.skip,
        }),
        url: receiver.url,
        secret: receiver.secret,
        started: url === undefined,
        ...(time === 1 ? { onNotice: printNotice } : {}),
        onStart: (cases) => progress.start(cases, runs > 1 ? `run ${time} of ${runs}` : undefined),
        onVerdict: progress.verdict,
      })
    const reports: [ConformanceReport, ...ConformanceReport[]] = [await once(options.seed, 1)]
    // Another seed each time: what was sent before would be a redelivery.
    for (let time = 2; time <= runs; time += 1) {
      reports.push(await once(options.seed && `${options.seed}-${time}`, time))
    }
    return compareRuns(reports)
  }
  const graded = await interruptible(grade, () => {
    progress.stop()
    return stop()
  })
  const report = withBaseline(graded, options.updateBaseline ? undefined : baseline)
  const written = await writeReports(report, reports)
  const code =
    baseline === undefined
      ? EXIT_BY_CONCLUSION[report.conclusion]
      : await applyBaseline(report, baseline, options)
  if (!written) return EXIT.unable
  const unstable = report.runs?.unstable ?? []
  if (unstable.length === 0) return code
  process.stderr.write(
    `hookproof: ${unstable.length} unstable ${unstable.length === 1 ? 'verdict, which differs' : 'verdicts, which differ'} between runs: ${unstable.map((one) => one.case).join(', ')}\n`,
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

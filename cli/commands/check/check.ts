import { check as runCheck } from '../../../conformance/check.ts'
import type { Profile } from '../../../conformance/contracts/webhook/model.ts'
import type { Trust } from '../../../conformance/engine/wire/trust.ts'
import { httpUrl } from '../../../conformance/http-url.ts'
import { compareRuns } from '../../../conformance/report/diff.ts'
import type { ReproduceWith } from '../../../conformance/report/reproduce.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { EXIT, EXIT_BY_CONCLUSION, type ExitCode, Interrupted, UsageError } from '../../shared/exit.ts'
import { printNotice } from '../../shared/find.ts'
import type { Io, StopSignal } from '../../shared/io.ts'
import type { Ended, StartedReceiver, Stop } from '../../shared/process/child.ts'
import { interruptible } from '../../shared/process/interruptible.ts'
import { loadRenderers, prepareReports, writeReports } from '../../shared/reports.ts'
import { optionalSecret, readSecret } from '../../shared/secret.ts'
import { defined } from '../../shared/text.ts'
import { readTrust } from '../../shared/trust.ts'
import { applyBaseline, readBaseline, withBaseline } from './baseline.ts'
import { orEnd, printEnd } from './ended.ts'
import {
  type CheckCommandOptions,
  type MergedConfig,
  mergeConfig,
  reproduceWith,
  requireTarget,
} from './options.ts'
import { createProgress, type Progress } from './progress.ts'
import { startBundled } from './start-bundled.ts'
import { startCommand } from './start-command.ts'

/** `hookproof check`: grades a receiver. A receiver that it started is stopped in any case. */
export async function check(
  givenUrl: string | undefined,
  givenOptions: CheckCommandOptions,
  io: Io,
): Promise<ExitCode> {
  const merged = await mergeConfig(givenUrl, givenOptions, io)
  const { url, folderOf } = merged
  const { profile, ...others } = merged.options
  if (profile === 'durable') return durable(merged, givenOptions, io)
  const options = { ...others, ...defined({ profile }) }
  requireTarget(url, options, io)
  const requests = await prepareReports(io, options.report)
  const baseline = await readBaseline(options, io)
  const trust = await readTrust(options, io)
  const display = await createProgress(io.stderr)
  const progress: Progress = {
    ...display,
    verdict(verdict) {
      display.verdict(verdict)
      // A case that runs alone leaves this process idle. What cannot be loaded is reported when it is needed.
      if (verdict.case.alone === true) loadRenderers(requests).catch(() => undefined)
    },
  }
  let stop: Stop = async () => undefined
  const onSpawn = (how: Stop): void => {
    stop = how
  }
  const stopping = new AbortController()
  let ended: Ended | undefined
  const noteEnd = async (receiver: StartedReceiver): Promise<void> => {
    ended = await receiver.ended
  }
  const grade = async (): Promise<ConformanceReport> => {
    const receiver = await receiverFor(url, options, folderOf('start'), onSpawn, io)
    void noteEnd(receiver)
    const repeated = reproduceWith(givenOptions, options)
    const run = { receiver, started: url === undefined, signal: stopping.signal }
    return gradeRuns(run, { ...options, repeated, trust }, folderOf('observeCommand'), progress, io)
  }
  const cleanUp = (): Promise<void> => {
    progress.stop()
    return stop()
  }
  // The first signal ends the run with a report of what was judged, the second one at once.
  let stoppedBy: StopSignal | undefined
  const soften = (signal: StopSignal): boolean => {
    if (!progress.hasStarted() || stoppedBy !== undefined) return false
    stoppedBy = signal
    stopping.abort()
    return true
  }
  const graded = await interruptible(io, grade, cleanUp, soften)
  if (ended !== undefined) printEnd(ended, io)
  if (stoppedBy !== undefined) {
    await writeReports(graded, requests, io, options)
    throw new Interrupted(stoppedBy, { hasReport: true })
  }
  const report = withBaseline(graded, options.updateBaseline ? undefined : baseline)
  const complete = await writeReports(report, requests, io, options)
  const code =
    baseline === undefined
      ? EXIT_BY_CONCLUSION[report.conclusion]
      : await applyBaseline(report, baseline, options, io)
  if (!complete) return EXIT.unable
  const unstable = report.runs?.unstable ?? []
  if (unstable.length === 0) return code
  const verdicts = unstable.length === 1 ? '1 verdict differs' : `${unstable.length} verdicts differ`
  io.stderr.write(
    `hookproof: unstable: ${verdicts} between runs: ${unstable.map((verdict) => verdict.case).join(', ')}\n`,
  )
  return EXIT.failed
}

/** The options that a run of crashes has no use for. */
const UNUSED = {
  only: '--only',
  skip: '--skip',
  repeat: '--repeat',
  baseline: '--baseline',
  updateBaseline: '--update-baseline',
  concurrency: '--concurrency',
  rate: '--rate',
  ackWithin: '--ack-within',
  wait: '--wait',
  redeliverAfter: '--redeliver-after',
  framework: '--framework',
  service: '--service',
} as const satisfies Partial<Record<keyof CheckCommandOptions, string>>

/** `hookproof check --profile durable`: the same as `hookproof crash`. @throws UsageError for an option that it lacks */
async function durable(merged: MergedConfig, given: CheckCommandOptions, io: Io): Promise<ExitCode> {
  const unused = Object.entries(UNUSED).find(([name]) => Object.hasOwn(given, name))
  if (unused !== undefined) throw new UsageError(`--profile durable does not use ${unused[1]}: leave it out`)
  const { crashWith } = await import('../crash/crash.ts')
  return crashWith(merged, given, io)
}

/** The options of a run that grades by the catalogue. */
type GradedOptions = Omit<CheckCommandOptions, 'profile'> & { readonly profile?: Profile }

/** What is graded. */
interface Grading {
  readonly receiver: StartedReceiver
  /** Whether it is the bundled receiver. */
  readonly started: boolean
  /** Ends the run early. */
  readonly signal: AbortSignal
}

/** Runs the catalogue as often as asked for, each time with another seed: the same events would be redeliveries. */
async function gradeRuns(
  { receiver, started, signal }: Grading,
  options: GradedOptions & { readonly repeated: ReproduceWith; readonly trust: Trust },
  observeCommandCwd: string,
  progress: Progress,
  io: Io,
): Promise<ConformanceReport> {
  const observe = options.observe ?? (options.observeCommand === undefined ? receiver.observe : undefined)
  const runs = options.repeat ?? 1
  const gradeOnce = (seed: string | undefined, run: number) =>
    runCheck({
      ...defined({
        observe,
        observeCommand: options.observeCommand,
        profile: options.profile,
        seed,
        concurrency: options.concurrency,
        rate: options.rate,
        timeoutMs: options.timeout,
        ackWithinMs: options.ackWithin,
        waitMs: options.wait,
        redeliverAfterMs: options.redeliverAfter,
        headers: options.header,
        signatureHeader: options.signatureHeader,
        service: options.service,
        contract: options.contract,
        mode: options.mode,
        framework: options.framework,
        only: options.only,
        skip: options.skip,
      }),
      ...defined(options.trust),
      observeCommandCwd,
      url: receiver.url,
      secret: receiver.secret,
      started,
      signal,
      ...(receiver.ended !== undefined && { ended: receiver.ended.then(({ how }) => how) }),
      reproduceWith: options.repeated,
      ...(run === 1 && { onNotice: (notice: string) => printNotice(io, notice) }),
      onStart: (cases, pace) => progress.start(cases, pace, runs > 1 ? `run ${run} of ${runs}` : undefined),
      onVerdict: progress.verdict,
      onWaiting: progress.waiting,
    })
  const first = await gradeOnce(options.seed, 1).catch((error: unknown) => orEnd(error, receiver, io))
  const reports: [ConformanceReport, ...ConformanceReport[]] = [first]
  for (let run = 2; run <= runs && !signal.aborted; run += 1) {
    const report = await gradeOnce(options.seed && `${options.seed}-${run}`, run)
    // A run that was cut short cannot be compared to the others.
    if (!signal.aborted) reports.push(report)
  }
  return compareRuns(reports)
}

async function receiverFor(
  url: string | undefined,
  options: Omit<CheckCommandOptions, 'profile'>,
  cwd: string,
  onSpawn: (stop: Stop) => void,
  io: Io,
): Promise<StartedReceiver> {
  if (url === undefined) {
    const secret = await optionalSecret(options, io)
    return startBundled({ env: io.env, onSpawn, ...(secret !== undefined && { secret }) })
  }
  const secret = await readSecret(options, io)
  const parsed = httpUrl(url)
  if (options.start !== undefined) {
    return startCommand(options.start, { url: parsed, secret, cwd, onSpawn, env: io.env, stderr: io.stderr })
  }
  return { url: parsed.href, secret, stop: async () => undefined }
}

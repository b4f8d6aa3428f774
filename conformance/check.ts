import { randomBytes } from 'node:crypto'
import type { ConformanceReport } from '../schemas/types.ts'
import type { Delivery } from './contracts/payment-service/delivery.ts'
import { createJudge, type ServiceJudge } from './contracts/payment-service/judge.ts'
import { createKit, type KitOptions, withNonce } from './contracts/payment-service/kit.ts'
import type { CatalogueCase, Profile, Verdict } from './contracts/payment-service/model.ts'
import { CURRENT_VERSION, requireVersion } from './contracts/payment-service/requirements/versions.ts'
import { isShortSecret, LEAST_SECRET_CHARACTERS } from './contracts/payment-service/secret.ts'
import { type Selection, select } from './contracts/payment-service/select.ts'
import type { Target } from './contracts/payment-service/target.ts'
import { notJudged } from './contracts/verdict.ts'
import { type Findings, NO_FINDINGS } from './diagnosis/findings.ts'
import type { Observer } from './engine/observe/observe.ts'
import { noticeOfRate } from './engine/pace/rate.ts'
import { createTraffic, type Traffic } from './engine/pace/traffic.ts'
import { createPlans, type Plans } from './engine/run/plans.ts'
import { preflight } from './engine/run/preflight.ts'
import { run, untilAborted } from './engine/run/run.ts'
import { excludeStalls } from './engine/time/awake.ts'
import { observedBy, observerOf, requireAtLeast, type TargetOptions, targetOf } from './options.ts'
import { toReport } from './report/report.ts'
import type { ReproduceWith } from './report/reproduce.ts'
import type { Framework } from './report/snippets.ts'

/** What to check and how. Only `url` and `secret` are required. */
export interface CheckOptions extends TargetOptions {
  /** Working directory of `observeCommand`. Default: that of this process. */
  readonly observeCommandCwd?: string
  /** Default `full` when effects can be observed, otherwise `core`. */
  readonly profile?: Profile
  /** Globs over case ids. Default: all cases. */
  readonly only?: readonly string[]
  /** Globs over the ids of cases to exclude. Default: none. */
  readonly skip?: readonly string[]
  /** How many cases send at the same time. Default 8. */
  readonly concurrency?: number
  /** How many deliveries to send a second, over the entire run. Default: no limit. */
  readonly rate?: number
  /** How long an acknowledgment may take, in milliseconds (SPEC.md 6.2). Default 5,000. */
  readonly ackWithinMs?: number
  /**
   * How long to wait for effects, in milliseconds, after the last change anywhere in the run: an effect that is absent is a
   * failure only then. Default 5,000.
   */
  readonly waitMs?: number
  /** True when the receiver was started for this run only; the report records it. */
  readonly started?: boolean
  /** The receiver's framework, for a snippet in the report. Default: as far as its responses show it. */
  readonly framework?: Framework
  /** What a command that reproduces a failure repeats of the command that started the run. Default: `observe`. */
  readonly reproduceWith?: ReproduceWith
  /** Resolves when the receiver, which was started for this run, ends by itself, with how: the run then ends early. */
  readonly ended?: Promise<string>
  /** Called before the first case, with the number of cases. */
  readonly onStart?: (cases: number) => void
  /** Called with each verdict as soon as it is reached, in no particular order. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: (cases: number) => void
  /** Called with one line about something that the caller should change. */
  readonly onNotice?: (notice: string) => void
}

/**
 * Grades a receiver against SPEC.md.
 *
 * @returns the report: valid under schemas/report.json, without secrets.
 * @throws HarnessError when the run could not take place; that says nothing about the receiver.
 */
export async function check(options: CheckOptions): Promise<ConformanceReport> {
  const stalledMs = excludeStalls()
  try {
    const startedAt = new Date()
    const startedMs = performance.now()
    const prepared = await prepare(options)
    const verdicts = await runAll(prepared, options)
    const findings = await diagnose(verdicts, prepared, options)
    const { target, profile, mode, seed, skewSeconds, selection, traffic } = prepared
    return toReport({
      target,
      started: options.started ?? false,
      framework: options.framework,
      reproduceWith: options.reproduceWith ?? { check: observedBy(options) },
      startedAt,
      durationMs: performance.now() - startedMs,
      stalledMs: stalledMs(),
      profile,
      contract: prepared.contract,
      mode,
      seed,
      skewSeconds,
      selection: { only: options.only ?? [], skip: options.skip ?? [] },
      excluded: selection.excluded,
      ended: endOf(traffic),
      ...(findings !== undefined && { findings }),
      verdicts,
    })
  } finally {
    stalledMs()
  }
}

/** All that a run needs, once its receiver has answered a first delivery. */
interface Prepared {
  readonly target: Target
  readonly observer: Observer | undefined
  readonly profile: Profile
  readonly contract: ReturnType<typeof requireVersion>
  readonly mode: NonNullable<TargetOptions['mode']>
  /** As the report shows it. */
  readonly seed: string
  readonly selection: Selection
  /** What deliveries are made by: the receiver's clock, and a seed that no earlier run had. */
  readonly kit: KitOptions
  readonly skewSeconds: number | undefined
  readonly judge: ServiceJudge
  readonly plans: Plans<CatalogueCase>
  readonly traffic: Traffic
  readonly waitMs: number
}

async function prepare(options: CheckOptions): Promise<Prepared> {
  const { secret, mode = 'test', seed = randomBytes(4).toString('hex'), onNotice } = options
  const { concurrency = 8, rate, ackWithinMs = 5_000, waitMs = 5_000, only = [], skip = [] } = options
  const contract = options.contract === undefined ? CURRENT_VERSION : requireVersion(options.contract)
  const target = targetOf(options)
  for (const [name, value] of Object.entries({ concurrency, ackWithinMs, waitMs, rate }))
    requireAtLeast(name, value, 1)
  const observer = observerOf(options, target, options.observeCommandCwd)
  const profile = options.profile ?? (observer === undefined ? 'core' : 'full')
  const selection = select({ profile, mode, contract, only, skip })
  for (const notice of noticesOf(secret)) onNotice?.(notice)

  // A receiver that has seen the seed must not take this run for redeliveries of an earlier one.
  const exactSeed = options.seed === undefined ? seed : withNonce(seed)
  const local = { secret, seed: exactSeed, mode, now: () => Math.floor(Date.now() / 1000) }
  let skew = 0
  const kit = { ...local, now: () => local.now() + skew }
  const judge = createJudge({ ...kit, ackWithinMs })
  const plans = createPlans(selection.cases, judge, kit.now)
  const traffic = createTraffic({
    target,
    rate,
    concurrency,
    ackWithinMs,
    plain: createKit('traffic', kit).valid,
    remaining: plans.deliveries,
    ended: options.ended,
    onNotice,
  })
  const first = createKit('preflight', local)
  const { skewSeconds, answerMs } = await preflight(target, first, exactSeed, observer, traffic)
  skew = skewSeconds ?? 0
  await traffic.measure(answerMs)
  const slow = rate === undefined ? undefined : noticeOfRate(rate, plans.deliveries())
  if (slow !== undefined) onNotice?.(slow)
  const known = { target, observer, profile, contract, mode, seed, selection, waitMs }
  return { ...known, kit, skewSeconds, judge, plans, traffic }
}

function noticesOf(secret: string): string[] {
  return [
    ...(secret === secret.trim()
      ? []
      : [
          'the signing secret starts or ends with a space, and is used as it is: remove the space if the receiver does not have it',
        ]),
    ...(isShortSecret(secret)
      ? [
          `the signing secret has fewer than ${LEAST_SECRET_CHARACTERS} characters: use a longer random one, which nobody can guess`,
        ]
      : []),
  ]
}

/** Runs the cases. @returns a verdict for each, in the order of the catalogue */
async function runAll(prepared: Prepared, options: CheckOptions): Promise<Verdict[]> {
  const { traffic, judge, selection } = prepared
  const { cases } = selection
  const { signal, onWaiting } = options
  options.onStart?.(cases.length)
  const verdicts: Verdict[] = []
  const running = run({ ...prepared, cases, onExchange: judge.onExchange, onWaiting })
  for await (const verdict of untilAborted(running, signal)) {
    verdicts.push(verdict)
    options.onVerdict?.(verdict)
  }
  if (signal?.aborted === true) {
    traffic.stop({ code: 'interrupted' })
    traffic.close()
    verdicts.push(...notJudged(cases, verdicts))
  } else await traffic.finish()
  const place = new Map(cases.map(({ id }, index) => [id, index]))
  return verdicts.toSorted((a, b) => (place.get(a.case.id) ?? 0) - (place.get(b.case.id) ?? 0))
}

/** Looks for causes, if there is something to explain: a run that passes does not even load what that takes. */
async function diagnose(
  verdicts: readonly Verdict[],
  { traffic, kit, observer, waitMs }: Prepared,
  { signal }: CheckOptions,
): Promise<Findings | undefined> {
  const silence = traffic.silence()
  if (silence !== undefined) return { ...NO_FINDINGS, silence }
  if (signal?.aborted === true || traffic.end() !== undefined) return undefined
  if (verdicts.every(({ outcome }) => outcome === 'passed')) return undefined
  const { investigate } = await import('./diagnosis/investigate.ts')
  return investigate(verdicts, traffic, kit, observer, waitMs)
}

/** One sentence about a receiver that ended during the run. */
function endOf(traffic: Traffic): string | undefined {
  const end = traffic.end()
  if (end === undefined) return undefined
  const inFlight = (end.inFlight as readonly Delivery[]).map(
    ({ change, event }) => change ?? `a valid ${event ?? 'body'}`,
  )
  const what = inFlight.length === 0 ? 'nothing' : [...new Set(inFlight)].join('; ')
  return `The receiver ended during the run: ${end.how}. In flight: ${what}.`
}

import { randomBytes } from 'node:crypto'
import type { ConformanceReport, Effect } from '../schemas/types.ts'
import type { Selection } from './contracts/model.ts'
import { paymentService } from './contracts/payment-service/index.ts'
import { isShortSecret } from './contracts/secret.ts'
import type { ServiceId } from './contracts/service-names.ts'
import { notJudged } from './contracts/verdict.ts'
import type { WebhookContract } from './contracts/webhook/contract.ts'
import type { Delivery } from './contracts/webhook/delivery.ts'
import { FIRST_OF_RUN, type KitOptions, withNonce } from './contracts/webhook/kit.ts'
import type { CatalogueCase, ContractVersion, Profile, Verdict } from './contracts/webhook/model.ts'
import type { ShownHandling } from './contracts/webhook/observation.ts'
import type { Target } from './contracts/webhook/target.ts'
import type { Candidate } from './diagnosis/cause.ts'
import type { End } from './diagnosis/statement.ts'
import type { Observer } from './engine/observe/observe.ts'
import { noticeOfRate } from './engine/pace/rate.ts'
import { createTraffic, type Pace, type Traffic } from './engine/pace/traffic.ts'
import { createPlans, type Plans } from './engine/run/plans.ts'
import { preflight } from './engine/run/preflight.ts'
import { run, untilAborted } from './engine/run/run.ts'
import { excludeStalls } from './engine/time/awake.ts'
import { excludeReceiverDelay } from './engine/time/receiver-delay.ts'
import { HarnessError } from './harness-error.ts'
import {
  contractOf,
  observedBy,
  observerOf,
  requireAtLeast,
  type TargetOptions,
  targetOf,
} from './options.ts'
import { type Shown, shownFor } from './report/exchange.ts'
import { toReport } from './report/report.ts'
import type { ReproduceWith } from './report/reproduce.ts'
import type { Framework } from './report/snippets.ts'
import { isNarrowed } from './report/summary.ts'
import { inWords } from './report/words/failures.ts'
import { noticeText } from './report/words/notices.ts'

/** How a run gets on. */
export interface PaceOfRun extends Pace {
  /** How many deliveries the cases send, about. */
  readonly deliveries: number
  readonly concurrency: number
}

/** How many cases send at the same time, unless an option says so. */
const CONCURRENCY = 8

/** What to check and how. Only `url` and `secret` are required. */
export interface CheckOptions extends TargetOptions {
  /** Whose webhooks the receiver receives: `standard-webhooks`, `stripe`, `github`, `slack`, `shopify`. Default: the payment service of SPEC.md. */
  readonly service?: ServiceId
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
  /** How long an acknowledgment may take, in milliseconds (SPEC.md 6.2). Default: what the contract says, 5,000 for the payment service. */
  readonly ackWithinMs?: number
  /**
   * How long to wait for effects, in milliseconds, after the last change anywhere in the run: an effect that is absent is a
   * failure only then. Default 5,000.
   */
  readonly waitMs?: number
  /**
   * After what time to deliver a handled event once more, in milliseconds, such as the longest time between two attempts of the
   * service: a receiver has to remember it for longer. The run then takes as long. Default: no such case runs.
   */
  readonly redeliverAfterMs?: number
  /** True when the receiver was started for this run only; the report records it. */
  readonly started?: boolean
  /** The receiver's framework, for a snippet in the report. Default: as far as its responses show it. */
  readonly framework?: Framework
  /** What a command that reproduces a failure repeats of the command that started the run. Default: `observe`. */
  readonly reproduceWith?: ReproduceWith
  /** Resolves when the receiver, which was started for this run, ends by itself, with how: the run then ends early. */
  readonly ended?: Promise<string>
  /** Called before the first case, with the number of cases, and a function that shows at any time how the run gets on. */
  readonly onStart?: (cases: number, pace: () => PaceOfRun) => void
  /** Called with each verdict as soon as it is reached, in no particular order. */
  readonly onVerdict?: (verdict: Verdict) => void
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: (cases: number) => void
  /** Called with one line about something that the caller should change. */
  readonly onNotice?: (notice: string) => void
}

/**
 * Grades a receiver against SPEC.md, or the contract of another service.
 *
 * @param contract the contract that it is graded by. Default: that of `options.service`
 * @returns the report: valid under schemas/report.json, without secrets.
 * @throws HarnessError when the run could not take place; that says nothing about the receiver.
 */
export async function check(options: CheckOptions, contract?: WebhookContract): Promise<ConformanceReport> {
  const stalledMs = excludeStalls()
  let endDelay = (): void => undefined
  let shown: Shown | undefined
  try {
    const startedAt = new Date()
    const startedMs = performance.now()
    const service = contract ?? (await contractOf(options.service))
    const prepared = await prepare(options, service)
    endDelay = excludeReceiverDelay(prepared.target.url)
    shown = shownFor(prepared.target)
    const { verdicts, known } = await runAll(prepared, options)
    const end = endOf(prepared.traffic)
    const causes = known ?? (await causesOf(verdicts, end, prepared, options))
    const { target, profile, mode, seed, skewSeconds, selection } = prepared
    return toReport({
      target,
      started: options.started ?? false,
      framework: options.framework,
      reproduceWith: options.reproduceWith ?? { check: observedBy(options) },
      startedAt,
      durationMs: performance.now() - startedMs,
      stalledMs: stalledMs(),
      isInterrupted: options.signal?.aborted === true,
      profile,
      contract: prepared.contract,
      signing: prepared.service,
      service: prepared.service === paymentService ? undefined : prepared.service.id,
      mode,
      seed,
      skewSeconds,
      selection: selectionOf(options),
      excluded: selection.excluded,
      end,
      endedEarly: known !== undefined,
      causes,
      verdicts,
    })
  } catch (error) {
    throw inWords(error, (answer) => shown?.answer(answer).body.text ?? '')
  } finally {
    endDelay()
    stalledMs()
  }
}

/** All that a run needs, once its receiver has answered a first delivery. */
interface Prepared {
  readonly service: WebhookContract
  readonly target: Target
  readonly observer: Observer | undefined
  readonly profile: Profile
  readonly contract: ContractVersion
  readonly mode: NonNullable<TargetOptions['mode']>
  /** As the report shows it. */
  readonly seed: string
  readonly selection: Selection<CatalogueCase>
  /** What deliveries are made by: the receiver's clock, and a seed that no earlier run had. */
  readonly kit: KitOptions
  readonly skewSeconds: number | undefined
  readonly judge: ReturnType<WebhookContract['createJudge']>
  readonly plans: Plans<CatalogueCase>
  readonly traffic: Traffic
  readonly waitMs: number
  /** The response to the first valid delivery, before any case. */
  readonly firstStatus: number
}

async function prepare(options: CheckOptions, service: WebhookContract): Promise<Prepared> {
  const { secret, mode = 'test', seed = randomBytes(4).toString('hex') } = options
  const notify = (notice: Parameters<typeof noticeText>[0]) => options.onNotice?.(noticeText(notice))
  const {
    concurrency = CONCURRENCY,
    rate,
    ackWithinMs = service.ackWithinMs,
    waitMs = 5_000,
    only = [],
    skip = [],
    redeliverAfterMs,
  } = options
  const contract = service.requireVersion(options.contract)
  const target = targetOf(options, service)
  for (const [name, value] of Object.entries({ concurrency, ackWithinMs, waitMs, rate, redeliverAfterMs }))
    requireAtLeast(name, value, 1)
  const observer = observerOf(options, target, service, options.observeCommandCwd)
  const profile = options.profile ?? (observer === undefined ? 'core' : 'full')
  if (redeliverAfterMs !== undefined) requireRedeliveries(service, profile)
  const selection = service.select({ profile, mode, contract, only, skip, redeliverAfterMs })
  if (secret !== secret.trim()) notify({ code: 'secret_has_space' })
  if (isShortSecret(secret)) notify({ code: 'secret_is_short' })

  // A receiver that has seen the seed must not take this run for redeliveries of an earlier one.
  const exactSeed = options.seed === undefined ? seed : withNonce(seed)
  const local = {
    secret,
    seed: exactSeed,
    mode,
    now: () => Math.floor(Date.now() / 1000),
    ...(redeliverAfterMs !== undefined && { redeliverAfterMs }),
  }
  let skew = 0
  const kit = { ...local, now: () => local.now() + skew }
  const judge = service.createJudge({ ...kit, ackWithinMs })
  const plans = createPlans(selection.cases, judge, kit.now)
  const traffic = createTraffic({
    target,
    rate,
    concurrency,
    ackWithinMs,
    plain: service.createKit('traffic', kit).plain,
    remaining: plans.deliveries,
    judgesLock: selection.cases.some(({ role }) => role === 'lockout'),
    ended: options.ended,
    onNotice: notify,
  })
  const first = service.createKit(FIRST_OF_RUN, local)
  const { skewSeconds, answer } = await preflight(target, first, exactSeed, observer, traffic)
  skew = skewSeconds ?? 0
  await traffic.measure(answer.ms)
  const slow = rate === undefined ? undefined : noticeOfRate(rate, plans.deliveries())
  if (slow !== undefined) notify(slow)
  const known = { service, target, observer, profile, contract, mode, seed, selection, waitMs }
  return { ...known, kit, skewSeconds, judge, plans, traffic, firstStatus: answer.status }
}

/** @throws HarnessError `bad_option` where nothing would be delivered again */
function requireRedeliveries({ cases, title }: WebhookContract, profile: Profile): void {
  const hasCase = cases.some(({ onlyWith }) => onlyWith === 'redeliver-after')
  if (hasCase && profile === 'full') return
  const why = hasCase
    ? 'needs to see effects: use "observe" or "observeCommand"'
    : `has no case for receivers of ${title}: leave it out`
  const names = ['redeliverAfterMs', 'observe', 'observeCommand']
  throw new HarnessError('bad_option', `"redeliverAfterMs" ${why}`, { names })
}

/** What a run has shown. */
interface Judged {
  /** A verdict for each case, in the order of the catalogue. */
  readonly verdicts: readonly Verdict[]
  /** The causes, where those ended the run: then nothing can be found out by the cases that are left. */
  readonly known?: readonly Candidate[]
}

/** Runs the cases. */
async function runAll(prepared: Prepared, options: CheckOptions): Promise<Judged> {
  const { traffic, selection, plans } = prepared
  const { cases } = selection
  const { signal } = options
  let deliveries: number | undefined
  options.onStart?.(cases.length, () => {
    deliveries ??= plans.deliveries()
    return { ...traffic.pace(), deliveries, concurrency: options.concurrency ?? CONCURRENCY }
  })
  const verdicts: Verdict[] = []
  const runSome = async (some: readonly CatalogueCase[]): Promise<void> => {
    const { judge } = prepared
    const running = run({
      ...prepared,
      cases: some,
      onExchange: judge.onExchange,
      onWaiting: options.onWaiting,
    })
    for await (const verdict of untilAborted(running, signal)) {
      verdicts.push(verdict)
      options.onVerdict?.(verdict)
    }
  }
  const opening = openingOf(prepared, options)
  if (opening.length > 0) await runSome(opening)
  const known = opening.length > 0 ? await hopelessBy(verdicts, prepared, options) : undefined
  if (known === undefined && signal?.aborted !== true)
    await runSome(cases.filter((testCase) => !opening.includes(testCase)))
  if (signal?.aborted === true) {
    traffic.stop({ code: 'interrupted' })
    traffic.close()
    verdicts.push(...notJudged(cases, verdicts))
  } else if (known !== undefined) verdicts.push(...notJudged(cases, verdicts, 'nothing_accepted'))
  else await traffic.finish()
  const place = new Map(cases.map(({ id }, index) => [id, index]))
  return {
    verdicts: verdicts.toSorted((a, b) => (place.get(a.case.id) ?? 0) - (place.get(b.case.id) ?? 0)),
    ...(known !== undefined && { known }),
  }
}

/** The statuses of a receiver that has another secret, unless the contract states one. */
const OTHER_SECRET = [400, 401, 403]

/** The cases of the first section, if the first valid delivery was refused as by a receiver that has another secret. */
function openingOf(
  { service, selection: { cases }, firstStatus }: Prepared,
  options: CheckOptions,
): readonly CatalogueCase[] {
  const { refusesWith } = service
  const expected = refusesWith === undefined ? OTHER_SECRET : [refusesWith.forged]
  if (isNarrowed({ selection: selectionOf(options) }) || !expected.includes(firstStatus)) return []
  return cases.filter(({ section }) => section === cases[0]?.section)
}

/** The causes that say no more than that nothing is accepted: what the rest of the cases would show follows from it. */
const HOPELESS: readonly Candidate['code'][] = ['wrong_secret', 'nothing_accepted']

/** The cause of a run that ends, because every valid delivery is refused and nothing shows a mistake of the receiver. */
async function hopelessBy(
  verdicts: readonly Verdict[],
  prepared: Prepared,
  options: CheckOptions,
): Promise<readonly Candidate[] | undefined> {
  const { firstStatus, traffic } = prepared
  const answers = verdicts.flatMap(({ exchanges }) => exchanges)
  const isRefused = answers.every(({ delivery, answer }) =>
    delivery.change === undefined ? answer?.status === firstStatus : (answer?.status ?? 400) >= 400,
  )
  if (!isRefused || options.signal?.aborted === true) return undefined
  const causes = await causesOf(verdicts, endOf(traffic), prepared, options)
  return causes.length === 1 && causes.every(({ code }) => HOPELESS.includes(code)) ? causes : undefined
}

/** The causes, if there is something to explain: a run that passes does not even load what that takes. */
async function causesOf(
  verdicts: readonly Verdict[],
  end: End | undefined,
  { traffic, kit, observer, waitMs, service }: Prepared,
  options: CheckOptions,
): Promise<readonly Candidate[]> {
  if (verdicts.every(({ outcome }) => outcome === 'passed')) return []
  const silence = traffic.silence()
  const isGone = silence !== undefined || end !== undefined || options.signal?.aborted === true
  const { diagnose } = await import('./diagnosis/diagnose.ts')
  const shown = {
    service,
    verdicts,
    isNarrowed: isNarrowed({ selection: selectionOf(options) }),
    end,
    silence,
  }
  const observing = { observer: observer as Observer<Effect | ShownHandling> | undefined, waitMs }
  if (isGone) return diagnose(shown, undefined)
  const investigated = diagnose(shown, { traffic, kit, ...observing })
  const { signal } = options
  if (signal === undefined) return investigated
  // A run that is interrupted now has its verdicts: the causes are named by what they show alone.
  const interrupted = new Promise<readonly Candidate[]>((resolve) => {
    signal.addEventListener('abort', () => resolve(diagnose(shown, undefined)), { once: true })
  })
  return Promise.race([investigated, interrupted])
}

const selectionOf = ({ only = [], skip = [] }: CheckOptions) => ({ only, skip })

function endOf(traffic: Traffic): End | undefined {
  const end = traffic.end()
  return end && { ...end, inFlight: end.inFlight as readonly Delivery[] }
}

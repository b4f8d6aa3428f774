import { randomBytes } from 'node:crypto'
import type { ConformanceReport } from '../schemas/types.ts'
import type { Delivery } from './contracts/payment-service/delivery.ts'
import { createJudge } from './contracts/payment-service/judge.ts'
import { createKit, withNonce } from './contracts/payment-service/kit.ts'
import type { Verdict } from './contracts/payment-service/model.ts'
import { CURRENT_VERSION, requireVersion } from './contracts/payment-service/requirements/versions.ts'
import { isShortSecret, LEAST_SECRET_CHARACTERS } from './contracts/payment-service/secret.ts'
import { select } from './contracts/payment-service/select.ts'
import { notJudged } from './contracts/verdict.ts'
import { type Findings, NO_FINDINGS } from './diagnosis/findings.ts'
import { noticeOfRate } from './engine/pace/rate.ts'
import { createTraffic, type Traffic } from './engine/pace/traffic.ts'
import { createPlans } from './engine/run/plans.ts'
import { preflight } from './engine/run/preflight.ts'
import { run, untilAborted } from './engine/run/run.ts'
import { excludeStalls } from './engine/time/awake.ts'
import type { CheckOptions } from './options.ts'
import { toReport } from './report/report.ts'
import { observedBy, observerOf, requireAtLeast, targetOf } from './target-options.ts'

export type { CheckOptions } from './options.ts'

/**
 * Grades a receiver against SPEC.md.
 *
 * @returns the report: valid under schemas/report.json, without secrets.
 * @throws HarnessError when the run could not take place; that says nothing about the receiver.
 */
export async function check(options: CheckOptions): Promise<ConformanceReport> {
  const stalledMs = excludeStalls()
  try {
    return await grade(options, stalledMs)
  } finally {
    stalledMs()
  }
}

async function grade(options: CheckOptions, stalledMs: () => number): Promise<ConformanceReport> {
  const {
    secret,
    mode = 'test',
    seed = randomBytes(4).toString('hex'),
    concurrency = 8,
    rate,
    timeoutMs = 10_000,
    ackWithinMs = 5_000,
    waitMs = 5_000,
    headers = [],
    only = [],
    skip = [],
  } = options
  const contract = options.contract === undefined ? CURRENT_VERSION : requireVersion(options.contract)
  const target = targetOf(options, headers, timeoutMs)
  for (const [name, value] of Object.entries({ concurrency, timeoutMs, ackWithinMs, waitMs, rate })) {
    if (value !== undefined) requireAtLeast(name, value, 1)
  }
  const observer = observerOf(options, target)
  const profile = options.profile ?? (observer === undefined ? 'core' : 'full')
  const { cases, excluded, notices } = select({ profile, mode, contract, only, skip })
  for (const notice of notices) options.onNotice?.(notice)

  if (secret !== secret.trim()) {
    options.onNotice?.(
      'the signing secret starts or ends with a space, and is used as it is: remove the space if the receiver does not have it',
    )
  }
  if (isShortSecret(secret)) {
    options.onNotice?.(
      `the signing secret has fewer than ${LEAST_SECRET_CHARACTERS} characters: use a longer random one, which nobody can guess`,
    )
  }

  const startedAt = new Date()
  const startedMs = performance.now()
  // A receiver that has seen the seed must not take this run for redeliveries of an earlier one.
  const exactSeed = options.seed === undefined ? seed : withNonce(seed)
  const local = { secret, seed: exactSeed, mode, now: () => Math.floor(Date.now() / 1000) }
  let skew = 0
  const made = { ...local, now: () => local.now() + skew }
  const judge = createJudge({ ...made, ackWithinMs })
  const plans = createPlans(cases, judge, made.now)
  const plain = createKit('traffic', made)
  const traffic = createTraffic({
    target,
    rate,
    concurrency,
    ackWithinMs,
    plain: plain.valid,
    remaining: plans.deliveries,
    ended: options.ended,
    onNotice: options.onNotice,
  })
  const preflightKit = createKit('preflight', local)
  const { skewSeconds, answerMs } = await preflight(target, preflightKit, exactSeed, observer, traffic)
  skew = skewSeconds ?? 0
  await traffic.measure(answerMs)
  const slow = rate === undefined ? undefined : noticeOfRate(rate, plans.deliveries())
  if (slow !== undefined) options.onNotice?.(slow)

  options.onStart?.(cases.length)
  const verdicts: Verdict[] = []
  const { onExchange } = judge
  const { onWaiting } = options
  const running = run({ target, cases, judge, plans, observer, waitMs, traffic, onExchange, onWaiting })
  for await (const verdict of untilAborted(running, options.signal)) {
    verdicts.push(verdict)
    options.onVerdict?.(verdict)
  }
  if (options.signal?.aborted === true) {
    traffic.stop({ code: 'interrupted' })
    traffic.close()
    verdicts.push(...notJudged(cases, verdicts))
  } else await traffic.finish()
  const silence = traffic.silence()
  const isWhole = options.signal?.aborted !== true && traffic.end() === undefined && silence === undefined
  const found = await findingsOf(isWhole ? verdicts : [], async () => {
    const { investigate } = await import('./diagnosis/investigate.ts')
    return investigate(verdicts, traffic, made, observer, waitMs)
  })
  const findings = silence === undefined ? found : { ...NO_FINDINGS, silence }
  const place = new Map(cases.map(({ id }, index) => [id, index]))
  return toReport({
    target,
    started: options.started ?? false,
    framework: options.framework,
    reproduceWith: options.reproduceWith ?? { check: observedBy(options) },
    startedAt,
    durationMs: performance.now() - startedMs,
    stalledMs: stalledMs(),
    profile,
    contract,
    mode,
    seed,
    skewSeconds,
    selection: { only, skip },
    excluded,
    ended: endOf(traffic),
    ...(findings !== undefined && { findings }),
    verdicts: verdicts.toSorted((a, b) => (place.get(a.case.id) ?? 0) - (place.get(b.case.id) ?? 0)),
  })
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

/** Looks for causes, if there is something to explain: a run that passes does not even load what that takes. */
async function findingsOf(
  verdicts: readonly Verdict[],
  investigate: () => Promise<Findings>,
): Promise<Findings | undefined> {
  return verdicts.every(({ outcome }) => outcome === 'passed') ? undefined : investigate()
}

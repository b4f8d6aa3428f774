import { setTimeout as pause } from 'node:timers/promises'
import { createKit, type KitOptions } from '../case/kit.ts'
import type { CatalogueCase, Verdict } from '../case/model.ts'
import { createTraffic, type Traffic } from '../traffic/traffic.ts'
import { asReached } from './as-reached.ts'
import { type Concluding, conclude } from './conclude.ts'
import type { Observer } from './observe.ts'
import { type Sending, type Sent, sendCase } from './send-case.ts'
import type { Target } from './target.ts'
import { createWatch } from './watch.ts'

/** The case that reports payments which were acknowledged and never processed. */
const JUDGES_LOST = 'acknowledgement/nothing-lost'

/** An answer that took longer may have been given by a clock that has moved on, in milliseconds. */
const LATE_FROM_MS = 2_000

/** The options of a run; `check` fills in the defaults. */
export interface RunOptions extends KitOptions {
  readonly target: Target
  readonly cases: readonly CatalogueCase[]
  readonly observer: Observer | undefined
  /** How many cases may send at once. */
  readonly concurrency: number
  readonly ackWithinMs: number
  /** How long to wait for effects after the last change anywhere in the run, in milliseconds. */
  readonly waitMs: number
  /** Sends the deliveries. Default: one without a rate limit. */
  readonly traffic?: Traffic
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: ((cases: number) => void) | undefined
}

/**
 * Runs the cases and yields each verdict as soon as it is reached. Cases that would disturb others send last, one at a
 * time, unless the receiver is so slow that this changes no verdict, and cases that judge the entire run are judged after all others. A case that waits, for slow bytes or for effects,
 * does not hold up the others.
 *
 * @throws HarnessError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const { cases, observer, waitMs, onWaiting, traffic = trafficOf(options) } = options
  const watch = observer && createWatch(observer, waitMs, onWaiting)
  const sending: Sending = {
    ...options,
    traffic,
    watch,
    acknowledged: new Set(),
  }
  const judgesLost = cases.some(({ id }) => id === JUDGES_LOST)
  const concluding: Concluding = { ...options, watch, judgesLost, judged: [] }

  const start = (testCase: CatalogueCase, after?: Promise<unknown>): Started => {
    let pass = (): void => undefined
    const passed = new Promise<void>((resolve) => (pass = resolve))
    const later = async (afterMs: number): Promise<void> => {
      pass()
      await Promise.all([pause(afterMs), allSent])
    }
    const sent = Promise.resolve(after).then(() => sendCase(testCase, sending, later))
    const verdict = sent.then(async (what) => {
      if (testCase.late !== undefined && watch !== undefined) {
        const earliest = what.ended + testCase.late.afterMs
        await Promise.all([pause(Math.max(0, earliest - performance.now())), allJudged])
      }
      const reached = await conclude(testCase, what, concluding)
      return inTime(reached, what, sending, concluding)
    })
    const started = { passed: Promise.race([passed, sent]), verdict }
    // Each rejection surfaces in a verdict, and nobody waits for those after the first.
    for (const promise of [started.passed, verdict]) promise.catch(() => undefined)
    return started
  }

  // First what is judged last: the longer ago it was sent, the more the receiver may have done since.
  const late = cases.filter((testCase) => testCase.late !== undefined).map((testCase) => start(testCase))
  const others = bySlowest(
    cases.filter((testCase) => testCase.alone !== true && testCase.late === undefined),
    options,
    traffic,
  ).map((testCase) => start(testCase))
  let allSent: Promise<unknown> = Promise.all([...late, ...others].map(({ passed }) => passed))
  const solitary = cases.filter(({ alone }) => alone === true)
  const before: Promise<unknown>[] = []
  for (const testCase of solitary) {
    const isLast = testCase === solitary.at(-1)
    const inHurry = traffic.hurry.then(() => (isLast ? Promise.all(before) : undefined))
    const after = Promise.race([allSent, inHurry])
    for (const promise of [inHurry, after]) promise.catch(() => undefined)
    const last = start(testCase, after)
    others.push(last)
    before.push(last.passed)
    allSent = Promise.all([allSent, last.passed])
  }
  const allJudged = Promise.all(others.map(({ verdict }) => verdict))
  // Each rejection surfaces in its verdict.
  for (const promise of [allSent, ...before]) promise.catch(() => undefined)
  allJudged.catch(() => undefined)
  try {
    yield* asReached([...late, ...others].map(({ verdict }) => verdict))
  } finally {
    traffic.close()
  }
}

interface Started {
  /** Resolved when the case has sent its deliveries, except those that it sends after all other cases. */
  readonly passed: Promise<unknown>
  readonly verdict: Promise<Verdict>
}

/** What a run sends by when nobody gave it anything. */
function trafficOf(options: RunOptions): Traffic {
  const kit = createKit('traffic', options)
  return createTraffic({ ...options, plain: () => kit.delivery('completed') })
}

/** With a slow receiver, the cases with the most answers to wait for decide how long the run takes: they come first. */
function bySlowest(
  cases: readonly CatalogueCase[],
  options: KitOptions,
  traffic: Traffic,
): readonly CatalogueCase[] {
  if (!traffic.isHurried()) return cases
  const turns = new Map(cases.map((testCase) => [testCase, turnsOf(testCase, options)]))
  return cases.toSorted((a, b) => (turns.get(b) ?? 0) - (turns.get(a) ?? 0))
}

/** How many answers a case waits for, one after another. */
function turnsOf({ id, send, needs }: CatalogueCase, options: KitOptions): number {
  const atOnce: readonly string[] = ['together', 'pipelined', 'in-any-order']
  return send(createKit(id, options)).reduce(
    (sum, { how, deliveries }) => sum + (atOnce.includes(how) ? 1 : deliveries.length),
    needs === 'effects' ? 1 : 0,
  )
}

/**
 * Sends a case once more if only the time that its answers took may have failed it: the receiver may have compared `t`
 * with its clock at any moment until then.
 */
async function inTime(
  verdict: Verdict,
  sent: Sent,
  sending: Sending,
  concluding: Concluding,
): Promise<Verdict> {
  const testCase = verdict.case
  const tookMs = slowestMs(sent)
  if (testCase.dependsOnTransit !== true || verdict.problems.length === 0 || tookMs < LATE_FROM_MS) {
    return verdict
  }
  const seconds = Math.ceil(tookMs / 1000) + 1
  const later = { ...sending, seed: `${sending.seed}/later`, now: () => sending.now() + seconds }
  const again = await sendCase(testCase, later, () => Promise.resolve())
  const second = await conclude(testCase, again, concluding)
  const secondMs = slowestMs(again)
  if (second.problems.length === 0 || secondMs <= seconds * 1000) return second
  const reason = `its answers took ${Math.round(secondMs / 1000)} s, so when the receiver compared \`t\` with its clock is open`
  return { ...second, outcome: 'untested', problems: [], reason }
}

function slowestMs({ exchanges }: Sent): number {
  return Math.max(0, ...exchanges.map(({ answer }) => answer?.ms ?? 0))
}

import { setTimeout as pause } from 'node:timers/promises'
import { createDisclosures } from '../../contracts/payment-service/disclosed/disclosures.ts'
import { createKit, type KitOptions } from '../../contracts/payment-service/kit.ts'
import type { CatalogueCase, Verdict } from '../../contracts/payment-service/model.ts'
import type { Observer } from '../observe/observe.ts'
import { createWatch } from '../observe/watch.ts'
import { createTraffic, type Traffic } from '../pace/traffic.ts'
import type { Target } from '../target.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import { asReached } from './as-reached.ts'
import { bySlowest } from './by-slowest.ts'
import { type Concluding, conclude } from './conclude.ts'
import { inTime, sendTimed } from './in-time.ts'
import type { Sending } from './send-case.ts'
import { type Owners, silenced, untilSilent } from './silenced.ts'

/** The case that reports payments which were acknowledged and never processed. */
const JUDGES_LOST = 'acknowledgement/nothing-lost'

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
 * time, unless the receiver is so slow that this changes no verdict, and cases that judge the entire run are judged after
 * all others. A case that waits, for slow bytes or for effects, does not hold up the others.
 *
 * @throws HarnessError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const { cases, observer, waitMs, onWaiting, traffic = trafficOf(options) } = options
  const watch = observer && createWatch(untilSilent(observer, traffic), waitMs, onWaiting)
  const owners: Owners = new WeakMap()
  const sending: Sending = {
    ...options,
    traffic,
    watch,
    acknowledged: new Set(),
    owners,
    disclosures: createDisclosures(options.secret),
  }
  const judgesLost = cases.some(({ id }) => id === JUDGES_LOST)
  const { disclosures } = sending
  const concluding: Concluding = { ...options, watch, judgesLost, disclosures, judged: [] }

  const start = (testCase: CatalogueCase, after?: Promise<unknown>): Started => {
    let pass = (): void => undefined
    const passed = new Promise<void>((resolve) => (pass = resolve))
    const later = async (afterMs: number): Promise<void> => {
      pass()
      await Promise.all([pause(afterMs), allSent])
    }
    const sent = Promise.resolve(after).then(() => sendTimed(testCase, sending, later))
    const verdict = sent.then(async (what) => {
      if (testCase.late !== undefined && (watch !== undefined || testCase.needs === undefined)) {
        const earliest = what.ended + testCase.late.afterMs
        await Promise.all([pauseAwake(Math.max(0, earliest - awakeNow())), allJudged])
      }
      const reached = await conclude(testCase, what, concluding)
      return silenced(await inTime(reached, what, sending, concluding), traffic, owners)
    })
    const started = { passed: Promise.race([passed, sent]), verdict }
    // Each rejection surfaces in a verdict, and nobody waits for those after the first.
    for (const promise of [started.passed, verdict]) promise.catch(() => undefined)
    return started
  }

  // First what is judged last: the longer ago it was sent, the more the receiver may have done since.
  const late = cases.filter((testCase) => testCase.late !== undefined).map((testCase) => start(testCase))
  const together = cases.filter((testCase) => testCase.alone !== true && testCase.late === undefined)
  const others = (traffic.isHurried() ? bySlowest(together, options) : together).map((testCase) =>
    start(testCase),
  )
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

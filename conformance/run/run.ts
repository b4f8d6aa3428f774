import { setTimeout as pause } from 'node:timers/promises'
import type { KitOptions } from '../case/kit.ts'
import type { CatalogueCase, Verdict } from '../case/model.ts'
import { createSender } from '../deliver/http.ts'
import { asReached } from './as-reached.ts'
import { type Concluding, conclude } from './conclude.ts'
import type { Observer } from './observe.ts'
import { createSemaphore } from './semaphore.ts'
import { type Sending, sendCase } from './send-case.ts'
import type { Target } from './target.ts'
import { createWatch } from './watch.ts'

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
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: ((cases: number) => void) | undefined
}

/**
 * Runs the cases and yields each verdict as soon as it is reached. Cases that would disturb others send last, one at a
 * time, and cases that judge the entire run are judged after all others. A case that waits, for slow bytes or for effects,
 * does not hold up the others.
 *
 * @throws HarnessError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run(options: RunOptions): AsyncGenerator<Verdict> {
  const { cases, observer, waitMs, concurrency, onWaiting } = options
  const sender = createSender(options.target)
  const watch = observer && createWatch(observer, waitMs, onWaiting)
  const sending: Sending = {
    ...options,
    sender,
    semaphore: createSemaphore(concurrency),
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
      return conclude(testCase, what, concluding)
    })
    return { passed: Promise.race([passed, sent]), verdict }
  }

  // First what is judged last: the longer ago it was sent, the more the receiver may have done since.
  const late = cases.filter((testCase) => testCase.late !== undefined).map((testCase) => start(testCase))
  const others = cases
    .filter((testCase) => testCase.alone !== true && testCase.late === undefined)
    .map((testCase) => start(testCase))
  let allSent: Promise<unknown> = Promise.all([...late, ...others].map(({ passed }) => passed))
  for (const testCase of cases) {
    if (testCase.alone !== true) continue
    const last = start(testCase, allSent)
    others.push(last)
    allSent = last.passed
  }
  const allJudged = Promise.all(others.map(({ verdict }) => verdict))
  // Each rejection surfaces in its verdict.
  allSent.catch(() => undefined)
  allJudged.catch(() => undefined)
  try {
    yield* asReached([...late, ...others].map(({ verdict }) => verdict))
  } finally {
    sender.close()
  }
}

interface Started {
  /** Resolved when the case has sent its deliveries, except those that it sends after all other cases. */
  readonly passed: Promise<unknown>
  readonly verdict: Promise<Verdict>
}

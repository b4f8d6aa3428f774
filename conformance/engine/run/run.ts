import { setTimeout as pause } from 'node:timers/promises'
import type { Case, Judge, Result } from '../case.ts'
import type { Exchange } from '../exchange.ts'
import type { Observer } from '../observe/observe.ts'
import { createWatch } from '../observe/watch.ts'
import { Stopped } from '../pace/gate.ts'
import type { Traffic } from '../pace/traffic.ts'
import type { Target } from '../target.ts'
import { awakeNow, pauseAwake } from '../time/awake.ts'
import { createHeld } from './held.ts'
import type { Plans } from './plans.ts'
import { type Sending, sendCase } from './sending.ts'
import { resultOf, type Settling } from './settle.ts'

/** An answer that took longer may have been given by a clock that has moved on, in milliseconds. */
const LATE_FROM_MS = 2_000

/** The options of a run. */
export interface RunOptions<C extends Case, V> {
  readonly target: Target
  readonly cases: readonly C[]
  readonly judge: Judge<C, V>
  readonly observer: Observer | undefined
  /** How long to wait for effects after the last change anywhere in the run, in milliseconds. */
  readonly waitMs: number
  readonly plans: Plans<C>
  readonly traffic: Traffic
  /** Called with each exchange as soon as its case has it. */
  readonly onExchange?: ((exchange: Exchange, testCase: C) => void) | undefined
  /** Called about once a second with the number of cases that wait for effects, and with 0 when none waits any longer. */
  readonly onWaiting?: ((cases: number) => void) | undefined
}

/**
 * Runs the cases and yields each verdict as soon as it is reached. Cases that would disturb others send last, one at a
 * time, unless the receiver is so slow that this changes no verdict, and cases that judge the entire run are judged after
 * all others. A case that waits, for slow bytes or for effects, does not hold up the others.
 *
 * @throws EngineError `internal` when a case itself throws: that says nothing about the receiver.
 */
export async function* run<C extends Case, V>(options: RunOptions<C, V>): AsyncGenerator<V> {
  const { cases, judge, observer, waitMs, plans, onExchange, onWaiting, target, traffic } = options
  const held = createHeld()
  const watch = observer && createWatch(untilSilent(held.patient(observer), traffic), waitMs, onWaiting)
  const sending: Sending<C> = {
    target,
    traffic,
    held,
    watch,
    plans,
    acknowledged: new Set(),
    onExchange: onExchange ?? (() => undefined),
  }
  const judgesLost = cases.some(({ role }) => role === 'losses')
  const settling: Settling<C> = { judge, watch, judgesLost, judged: [] }

  const judgedBy = (exchanges: readonly Exchange[], testCase: C, { durationMs }: Result): Result => {
    const evaluation = judge.evaluate(testCase, { exchanges, effects: () => [] })
    return { exchanges, evaluation, durationMs }
  }
  const start = (testCase: C, after?: Promise<unknown>): Started<V> => {
    let pass = (): void => undefined
    const passed = new Promise<void>((resolve) => (pass = resolve))
    const later = async (afterMs: number): Promise<void> => {
      pass()
      await Promise.all([pause(afterMs), allSent])
    }
    const sent = Promise.resolve(after).then(() => sendCase(testCase, sending, later))
    const verdict = sent.then(async (what) => {
      if (testCase.late !== undefined && (watch !== undefined || testCase.needs === undefined)) {
        const earliest = what.ended + testCase.late.afterMs
        await Promise.all([pauseAwake(Math.max(0, earliest - awakeNow())), allJudged])
      }
      const first = await resultOf(testCase, what, settling)
      const result = await inTime(testCase, first, what.tookMs, sending, settling)
      if (result.evaluation?.hasProblems === false) return judge.decide(testCase, result, plans.ownerOf)
      const lock = traffic.lock()
      if (lock !== undefined && testCase.role === 'lockout' && result.untested !== undefined)
        return judge.decide(testCase, judgedBy(lock, testCase, result), plans.ownerOf)
      // A receiver that has stopped answering explains what is missing.
      await traffic.certain()
      const silence = traffic.silence()
      if (silence === undefined || testCase.role !== 'liveness')
        return judge.decide(testCase, { ...result, silence }, plans.ownerOf)
      return judge.decide(testCase, judgedBy(silence.probes, testCase, result), plans.ownerOf)
    })
    const started = { passed: Promise.race([passed, sent]), verdict }
    // Each rejection surfaces in a verdict, and nobody waits for those after the first.
    for (const promise of [started.passed, verdict]) promise.catch(() => undefined)
    return started
  }

  // Those with the most answers to wait for decide how long the run of a slow receiver takes.
  const bySlowest = (some: readonly C[]) => some.toSorted((a, b) => plans.turnsOf(b) - plans.turnsOf(a))
  // First what is judged last: the longer ago it was sent, the more the receiver may have done since.
  const late = cases.filter((testCase) => testCase.late !== undefined).map((testCase) => start(testCase))
  const together = cases.filter((testCase) => testCase.alone !== true && testCase.late === undefined)
  const early = together.filter((testCase) => testCase.early === true)
  const rest = together.filter((testCase) => testCase.early !== true)
  const ordered = [...early, ...(traffic.isHurried() ? bySlowest(rest) : rest)]
  const others = ordered.map((testCase) => start(testCase))
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

interface Started<V> {
  /** Resolved when the case has sent its deliveries, except those that it sends after all other cases. */
  readonly passed: Promise<unknown>
  readonly verdict: Promise<V>
}

/**
 * Sends a case once more if only the time that its answers took may have failed it: the receiver may have compared the time
 * of a delivery with its clock at any moment until then.
 */
async function inTime<C extends Case>(
  testCase: C,
  first: Result,
  tookMs: number,
  sending: Sending<C>,
  settling: Settling<C>,
): Promise<Result> {
  if (testCase.dependsOnTransit !== true || first.evaluation?.hasProblems !== true || tookMs < LATE_FROM_MS)
    return first
  const seconds = Math.ceil(tookMs / 1000) + 1
  const again = await sendCase(testCase, sending, () => Promise.resolve(), seconds)
  const second = await resultOf(testCase, again, settling)
  return again.tookMs <= seconds * 1000 ? second : { ...second, lateMs: again.tookMs }
}

/** An observer that no longer waits for a receiver that has stopped answering, if it shows no effects either. */
function untilSilent(observer: Observer, { silent }: Pick<Traffic, 'silent'>): Observer {
  let isDown = false
  const given = silent.then(() => {
    if (isDown) throw new Stopped({ code: 'stopped_answering' })
    return new Promise<never>(() => undefined)
  })
  given.catch(() => undefined)
  return {
    ...observer,
    async effects(key) {
      try {
        return await Promise.race([given, observer.effects(key)])
      } catch (error) {
        isDown = true
        throw error
      }
    },
  }
}

/** Yields the results of tasks in the order in which they finish. */
async function* asReached<T>(tasks: readonly Promise<T>[]): AsyncGenerator<T> {
  const fill: ((task: Promise<T>) => void)[] = []
  const places = tasks.map(() => new Promise<T>((resolve) => fill.push(resolve)))
  for (const task of tasks) {
    const take = () => fill.shift()?.(task)
    task.then(take, take)
  }
  // After one rejection nobody awaits the remaining promises.
  for (const place of places) place.catch(() => undefined)
  for (const place of places) yield await place
}

/** Yields verdicts until the signal is aborted; what is then still to come is given up. */
export async function* untilAborted<V>(
  verdicts: AsyncGenerator<V>,
  signal: AbortSignal | undefined,
): AsyncGenerator<V> {
  if (signal === undefined) {
    yield* verdicts
    return
  }
  let abort = (): void => undefined
  const aborted = new Promise<undefined>((resolve) => {
    abort = () => resolve(undefined)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort)
  })
  try {
    for (;;) {
      const next = await Promise.race([verdicts.next(), aborted])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    signal.removeEventListener('abort', abort)
    // Waits for nothing: the generator may be waiting for a verdict itself.
    verdicts.return(undefined).catch(() => undefined)
  }
}

import { LONGEST_WAIT_SECONDS } from '../../engine/renewal.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifyingFor } from '../hypothesis.ts'
import { judgementOf, statedBy } from '../judgement.ts'
import { remembered } from '../remember.ts'
import type { Said } from '../statement.ts'
import { isOpen, type Symptoms, type Trial } from '../symptoms.ts'
import { correctOf, isTimed, secondsIn, type Terms, type Verifier } from '../verifier.ts'

const HOUR_SECONDS = 3600
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS

/** Its age in seconds, negative for the future; undefined when its t is not plain digits. */
function ageOf({ delivery: { signed, madeAt } }: Trial): number | undefined {
  const seconds = secondsIn(signed.t)
  return seconds === undefined || madeAt === undefined ? undefined : madeAt - seconds
}
/** A window of an hour accepts a t of this morning, but not one of last month. */
const isOld = (trial: Trial) => Math.abs(ageOf(trial) ?? 0) >= MONTH_SECONDS

const NANOSECONDS = 1_000_000_000n
/** What becomes of a time in numbers that do not hold it; undefined for one that is not in digits. */
const OVERFLOWS: readonly ((t: bigint) => bigint)[] = [
  ...[32, 64].flatMap((bits) => [
    (t: bigint) => BigInt.asIntN(bits, t),
    (t: bigint) => BigInt.asUintN(bits, t),
  ]),
  ...[NANOSECONDS, 1_000_000n, 1_000n].map((unit) => (t: bigint) => BigInt.asIntN(64, t * unit) / unit),
]
/** The largest durations of 64 bits in nano-, micro- and milliseconds, in seconds: the absolute value of the smallest one is negative. */
const LONGEST_SECONDS = [NANOSECONDS, 1_000_000n, 1_000n].map((unit) => Number(2n ** 63n / unit))

const isNumber = (t: string) => /^\d{1,20}$/.test(t)

export const windowHypotheses = remembered((terms: Terms): readonly Hypothesis[] => {
  if (!isTimed(terms.scheme)) return []
  const { windowSeconds } = terms
  const verifying = verifyingFor(terms)
  const { entries } = correctOf(terms)
  /** Which of two times a receiver takes says nothing about its window, nor does how it reads what is no time. */
  const withOneTime = (hypothesis: Hypothesis, isTime = isNumber): Hypothesis => ({
    ...hypothesis,
    accepts: (trial) => {
      const stated = statedBy(trial.delivery)
      const [t = '', ...others] = stated === undefined ? [] : entries(stated).times
      if (others.length > 0 || !isTime(t)) return undefined
      const predicted = hypothesis.accepts(trial)
      // A framework may refuse an unusual request, such as one of another content type, whatever its time.
      const isUnusual = trial.verdict.case.role === 'way-around'
      return predicted === true && trial.accepted === false && isUnusual ? undefined : predicted
    },
  })
  /** A receiver with another window. A time of any length is then just another time, if the number of digits is not limited. */
  const inWindow = (said: Said, isIn: Verifier['inWindow']): Hypothesis[] =>
    [secondsIn, Number].map((seconds) => ({
      ...verifying(said, { inWindow: isIn, seconds }),
      shows: isOld,
    }))
  /** A time that is not even read may be any text. */
  const unread: Hypothesis = {
    ...verifying({ code: 'no_window' }, { seconds: () => 0, inWindow: () => true }),
    shows: isOld,
  }
  return [
    ...inWindow({ code: 'no_window' }, () => true),
    ...inWindow({ code: 'window_past_only' }, (age) => age <= windowSeconds),
    ...inWindow({ code: 'window_future_only' }, (age) => age >= -windowSeconds),
    verifying({ code: 'future_refused' }, { inWindow: (age) => age >= 0 && age <= windowSeconds }),
    ...OVERFLOWS.flatMap((wrapped) =>
      [/^\d+$/, /^\d{1,12}$/].map((digits) =>
        verifying(
          { code: 'time_overflows' },
          { seconds: (t) => (digits.test(t) ? Number(wrapped(BigInt(t))) : undefined) },
        ),
      ),
    ),
    ...LONGEST_SECONDS.map((longest) =>
      verifying(
        { code: 'time_overflows' },
        {
          seconds: (t) => (/^\d+$/.test(t) ? Number(t) : undefined),
          inWindow: (age) => age < -longest || Math.abs(age) <= windowSeconds,
        },
      ),
    ),
    verifying(
      { code: 'milliseconds', data: { isExpected: false } },
      { seconds: (t) => (/^\d{13}$/.test(t) ? Math.floor(Number(t) / 1000) : secondsIn(t)) },
    ),
  ]
    .map((hypothesis) => withOneTime(hypothesis))
    .concat(withOneTime(unread, (t) => t !== ''))
})

/** Deliveries that differ from a valid one in their t only, each with its distance from the clock. */
function byDistance({ trials }: Symptoms): { trial: Trial; seconds: number }[] {
  return trials.flatMap((trial) => {
    const age = ageOf(trial)
    const isPlain = trial.verdict.case.role !== 'way-around'
    const differs = isPlain && (trial.correct === 'accepted' || trial.correct === 'stale')
    if (!differs || age === undefined || trial.shouldAccept === undefined) return []
    return [{ trial, seconds: Math.abs(age) }]
  })
}

/** A window with an end, but not where the service's tolerance ends. */
function length(symptoms: Symptoms): Candidate[] {
  const { scheme, windowSeconds } = symptoms.service
  if (!isTimed(scheme)) return []
  const tried = byDistance(symptoms)
  const accepted = tried.filter(({ trial }) => trial.accepted === true)
  // One with the present time may have waited before it was sent, and then says nothing about the window.
  const refused = tried.filter(
    ({ trial, seconds }) => trial.accepted === false && seconds > LONGEST_WAIT_SECONDS,
  )
  const farthest = Math.max(...accepted.map(({ seconds }) => seconds))
  const nearest = Math.min(...refused.map(({ seconds }) => seconds))
  // Something else than the distance decides, or nothing shows the end.
  if (accepted.length === 0 || refused.length === 0 || farthest >= nearest) return []
  const isTooLong = farthest > windowSeconds
  if (!isTooLong && nearest > windowSeconds) return []
  const explains = new Set(
    (isTooLong ? accepted : refused)
      .filter(({ trial, seconds }) => seconds > 0 && trial.accepted !== trial.shouldAccept)
      .map(({ trial }) => trial.verdict)
      .filter(isOpen),
  )
  if (explains.size === 0) return []
  if (!isTooLong) return [{ code: 'window_length', data: { seconds: nearest, isTooLong }, explains }]
  return farthest >= HOUR_SECONDS
    ? [{ code: 'window_unit', data: { seconds: farthest }, explains }]
    : [{ code: 'window_length', data: { seconds: farthest, isTooLong }, explains }]
}

/** The receiver's clock has not moved during the run. */
function standsStill({ open }: Symptoms): Candidate[] {
  // Without an accepted control, or for an effect that is missing, its case says nothing about the clock.
  const shown = open.find(
    ({ outcome, case: { expect }, problems }) =>
      outcome === 'failed' &&
      expect.some(
        ({ expected, kind }) =>
          expected.code === 'clock_advances' && problems.some((problem) => problem.kind === kind),
      ),
  )
  if (shown === undefined) return []
  return [
    {
      code: 'clock_stands_still',
      observed: true,
      explains: new Set([shown, ...open.filter(({ case: { section } }) => section === shown.case.section)]),
    },
  ]
}

/** A time was accepted after the window had ended, because it was accepted before. */
function isRemembered({ open }: Symptoms): Candidate[] {
  const explains = open.filter(({ problems }) =>
    problems.some(({ expected }) => expected.code === 'stale_although_seen'),
  )
  return explains.length === 0
    ? []
    : [{ code: 'window_remembered', observed: true, explains: new Set(explains) }]
}

/** Where no time is too old, it follows that a delivery is accepted which is signed with any of its times, even one that is no number. */
function alsoOtherTimes(cause: Candidate, { trials, service }: Symptoms): Candidate {
  if (cause.code !== 'no_window') return cause
  const correct = correctOf(service)
  const isSignedWith = (t: string, { delivery }: Trial) =>
    judgementOf(
      {
        ...correct,
        entries: (stated) => ({ times: [t], signatures: correct.entries(stated).signatures }),
        seconds: () => 0,
        inWindow: () => true,
      },
      delivery,
    ) === 'accepted'
  const others = trials.filter((trial) => {
    if (trial.shouldAccept !== false || trial.accepted !== true) return false
    const stated = statedBy(trial.delivery)
    return stated !== undefined && correct.entries(stated).times.some((t) => isSignedWith(t, trial))
  })
  return { ...cause, also: new Set([...(cause.also ?? []), ...others.map(({ verdict }) => verdict)]) }
}

/** The time window is checked wrongly or not at all (SPEC.md 3). */
export const windowCauses: Recognize = (symptoms) => [
  ...testAll(windowHypotheses(symptoms.service), symptoms).map((cause) => alsoOtherTimes(cause, symptoms)),
  ...length(symptoms),
  ...standsStill(symptoms),
  ...isRemembered(symptoms),
]

import type { CaseId } from '../../contracts/payment-service/cases/index.ts'
import { clockAdvances } from '../../contracts/payment-service/expectations/clock.ts'
import { LONGEST_WAIT_SECONDS } from '../../engine/renewal.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import type { Said } from '../statement.ts'
import { isOpen, type Symptoms, type Trial } from '../symptoms.ts'
import { CORRECT, labeled, TOLERANCE_SECONDS, type Verifier } from '../verifier.ts'

const HOUR_SECONDS = 3600
const MONTH_SECONDS = 30 * 24 * HOUR_SECONDS

/** Its age in seconds, negative for the future; undefined when its t is not plain digits. */
function ageOf({ delivery: { signed, madeAt } }: Trial): number | undefined {
  const seconds = CORRECT.seconds(signed.t, 0)
  return seconds === undefined || madeAt === undefined ? undefined : madeAt - seconds
}
/** A window of an hour accepts a t of this morning, but not one of last month. */
const isOld = (trial: Trial) => Math.abs(ageOf(trial) ?? 0) >= MONTH_SECONDS

/** Which of two `t` a receiver takes says nothing about its window, nor does how it reads what is no time. */
const withOneTime = (hypothesis: Hypothesis, isTime: (t: string) => boolean = isNumber): Hypothesis => ({
  ...hypothesis,
  accepts: (trial) => {
    const [t = '', ...others] = trial.delivery.signature.flatMap((line) => labeled(line, 't'))
    return others.length === 0 && isTime(t) ? hypothesis.accepts(trial) : undefined
  },
})
const isNumber = (t: string) => /^\d{1,20}$/.test(t)

/** A receiver with another window. A t of any length is then just another time, if the number of digits is not limited. */
const inWindow = (said: Said, isIn: Verifier['inWindow']): Hypothesis[] =>
  [CORRECT.seconds, Number].map((seconds) => ({
    ...verifying(said, { inWindow: isIn, seconds }),
    shows: isOld,
  }))

const HYPOTHESES: readonly Hypothesis[] = [
  ...inWindow({ code: 'no_window' }, () => true),
  ...inWindow({ code: 'window_past_only' }, (age) => age <= TOLERANCE_SECONDS),
  ...inWindow({ code: 'window_future_only' }, (age) => age >= -TOLERANCE_SECONDS),
  verifying({ code: 'future_refused' }, { inWindow: (age) => age >= 0 && age <= TOLERANCE_SECONDS }),
  verifying(
    { code: 'milliseconds', data: { isExpected: false } },
    { seconds: (t, now) => (/^\d{13}$/.test(t) ? Math.floor(Number(t) / 1000) : CORRECT.seconds(t, now)) },
  ),
]

/** A t that is not even read may be any text. */
const UNREAD: Hypothesis = {
  ...verifying({ code: 'no_window' }, { seconds: () => 0, inWindow: () => true }),
  shows: isOld,
}

export const WINDOW_HYPOTHESES: readonly Hypothesis[] = [
  ...HYPOTHESES.map((hypothesis) => withOneTime(hypothesis)),
  withOneTime(UNREAD, (t) => t !== ''),
]

/** Deliveries that differ from a valid one in their t only, each with its distance from the clock. */
function byDistance({ trials }: Symptoms): { trial: Trial; seconds: number }[] {
  return trials.flatMap((trial) => {
    const age = ageOf(trial)
    const differs = trial.correct === 'accepted' || trial.correct === 'stale'
    if (!differs || age === undefined || trial.shouldAccept === undefined) return []
    return [{ trial, seconds: Math.abs(age) }]
  })
}

/** A window with an end, but not after 300 s. */
function length(symptoms: Symptoms): Candidate[] {
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
  const isTooLong = farthest > TOLERANCE_SECONDS
  if (!isTooLong && nearest > TOLERANCE_SECONDS) return []
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

/** The case that compares the receiver's clock with itself. */
const ADVANCES: CaseId = 'time-window/clock-advances'

/** The receiver's clock has not moved during the run. */
function standsStill({ verdicts, open }: Symptoms): Candidate[] {
  const shown = verdicts.find(({ case: { id } }) => id === ADVANCES)
  // Without an accepted control, or for an effect that is missing, it says nothing about the clock.
  const isShown =
    shown?.outcome === 'failed' && shown.problems.some(({ kind }) => kind === clockAdvances.kind)
  if (!isShown) return []
  return [
    {
      code: 'clock_stands_still',
      observed: true,
      explains: new Set([shown, ...open.filter(({ case: { section } }) => section === shown.case.section)]),
    },
  ]
}

/** The time window is checked wrongly or not at all (SPEC.md 3). */
export const windowCauses: Recognize = (symptoms) => [
  ...testAll(WINDOW_HYPOTHESES, symptoms),
  ...length(symptoms),
  ...standsStill(symptoms),
]

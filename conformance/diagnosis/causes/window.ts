import type { CaseId } from '../../contracts/payment-service/cases/index.ts'
import { clockAdvances } from '../../contracts/payment-service/expectations/clock.ts'
import { LONGEST_WAIT_SECONDS } from '../../engine/renewal.ts'
import type { Candidate, Recognize } from '../cause.ts'
import { type Evidence, isOpen, type Trial } from '../evidence.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import type { Statement } from '../statement.ts'
import { CORRECT, labeled, type Verifier } from '../verifier.ts'

const FIX =
  'Answer 400 when |now - t| is more than 300, both in seconds (in JavaScript, Math.floor(Date.now() / 1000)).'
const state = (code: Statement['code'], sentence: string): Statement => ({ code, sentence, fix: FIX })

const NO_WINDOW = state('no_window', 'The age of a delivery is not checked: t may be any time.')

const WINDOW_SECONDS = 300
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
const inWindow = (statement: Statement, isIn: Verifier['inWindow']): Hypothesis[] =>
  [CORRECT.seconds, Number].map((seconds) => ({
    ...verifying(statement, { inWindow: isIn, seconds }),
    shows: isOld,
  }))

const HYPOTHESES: readonly Hypothesis[] = [
  ...inWindow(NO_WINDOW, () => true),
  ...inWindow(
    state('window_past_only', 'Only old deliveries are refused: t may be any time in the future.'),
    (age) => age <= WINDOW_SECONDS,
  ),
  ...inWindow(
    state(
      'window_future_only',
      'Only deliveries from the future are refused: t may be any time in the past.',
    ),
    (age) => age >= -WINDOW_SECONDS,
  ),
  verifying(
    state(
      'future_refused',
      'Every t in the future is refused, so a clock that is a second behind loses payments.',
    ),
    { inWindow: (age) => age >= 0 && age <= WINDOW_SECONDS },
  ),
  verifying(
    {
      code: 'milliseconds',
      sentence: 'A t in milliseconds is accepted.',
      fix: 'Read t as seconds and refuse any other value with 400; do not guess its unit from its length.',
    },
    { seconds: (t, now) => (/^\d{13}$/.test(t) ? Math.floor(Number(t) / 1000) : CORRECT.seconds(t, now)) },
  ),
]

/** A t that is not even read may be any text. */
const UNREAD: Hypothesis = {
  ...verifying(NO_WINDOW, { seconds: () => 0, inWindow: () => true }),
  shows: isOld,
}

export const WINDOW_HYPOTHESES: readonly Hypothesis[] = [
  ...HYPOTHESES.map((hypothesis) => withOneTime(hypothesis)),
  withOneTime(UNREAD, (t) => t !== ''),
]

/** Deliveries that differ from a valid one in their t only, each with its distance from the clock. */
function byDistance({ trials }: Evidence): { trial: Trial; seconds: number }[] {
  return trials.flatMap((trial) => {
    const age = ageOf(trial)
    const differs = trial.correct === 'accepted' || trial.correct === 'stale'
    if (!differs || age === undefined || trial.shouldAccept === undefined) return []
    return [{ trial, seconds: Math.abs(age) }]
  })
}

/** A window with an end, but not after 300 s. */
function length(evidence: Evidence): Candidate[] {
  const tried = byDistance(evidence)
  const accepted = tried.filter(({ trial }) => trial.accepted === true)
  // One with the present time may have waited before it was sent, and then says nothing about the window.
  const refused = tried.filter(
    ({ trial, seconds }) => trial.accepted === false && seconds > LONGEST_WAIT_SECONDS,
  )
  const farthest = Math.max(...accepted.map(({ seconds }) => seconds))
  const nearest = Math.min(...refused.map(({ seconds }) => seconds))
  // Something else than the distance decides, or nothing shows the end.
  if (accepted.length === 0 || refused.length === 0 || farthest >= nearest) return []
  const isTooLong = farthest > WINDOW_SECONDS
  if (!isTooLong && nearest > WINDOW_SECONDS) return []
  const explains = new Set(
    (isTooLong ? accepted : refused)
      .filter(({ trial, seconds }) => seconds > 0 && trial.accepted !== trial.shouldAccept)
      .map(({ trial }) => trial.verdict)
      .filter(isOpen),
  )
  if (explains.size === 0) return []
  if (!isTooLong) {
    return [
      {
        ...state(
          'window_length',
          `The window is shorter than 300 s: a t that is ${nearest} s off is refused.`,
        ),
        explains,
      },
    ]
  }
  const isOfHours = farthest >= HOUR_SECONDS
  return [
    {
      ...state(
        isOfHours ? 'window_unit' : 'window_length',
        `The window is longer than 300 s: a t that is ${farthest} s off is accepted${isOfHours ? ', so it is probably in another unit' : ''}.`,
      ),
      explains,
    },
  ]
}

/** The case that compares the receiver's clock with itself. */
const ADVANCES: CaseId = 'time-window/clock-advances'

/** The receiver's clock has not moved during the run. */
function standsStill({ verdicts, open }: Evidence): Candidate[] {
  const shown = verdicts.find(({ case: { id } }) => id === ADVANCES)
  // Without an accepted control, or for an effect that is missing, it says nothing about the clock.
  const isShown =
    shown?.outcome === 'failed' && shown.problems.some(({ kind }) => kind === clockAdvances.kind)
  if (!isShown) return []
  return [
    {
      code: 'clock_stands_still',
      sentence: "The receiver's clock does not advance: the time is read once and kept.",
      fix: 'Read the clock for every delivery, inside the handler.',
      observed: true,
      explains: new Set([shown, ...open.filter(({ case: { section } }) => section === shown.case.section)]),
    },
  ]
}

/** The time window is checked wrongly or not at all (SPEC.md 3). */
export const windowCauses: Recognize = (evidence) => [
  ...testAll(WINDOW_HYPOTHESES, evidence),
  ...length(evidence),
  ...standsStill(evidence),
]

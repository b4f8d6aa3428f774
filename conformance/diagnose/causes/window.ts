import type { Recognize, Statement } from '../cause.ts'
import { type Hypothesis, testAll, verifying } from '../hypothesis.ts'
import { CORRECT } from '../verifier.ts'

const FIX =
  'Answer 400 when |now - t| is more than 300, both in seconds (in JavaScript, Math.floor(Date.now() / 1000)).'
const state = (code: Statement['code'], sentence: string): Statement => ({ code, sentence, fix: FIX })
const unit = (sentence: string) => state('window_unit', sentence)

const HYPOTHESES: readonly Hypothesis[] = [
  verifying(state('no_window', 'The age of a delivery is not checked: t may be any time.'), {
    inWindow: () => true,
  }),
  verifying(state('window_past_only', 'Only old deliveries are refused: t may be any time in the future.'), {
    inWindow: (age) => age <= 300,
  }),
  verifying(
    state(
      'window_future_only',
      'Only deliveries from the future are refused: t may be any time in the past.',
    ),
    {
      inWindow: (age) => age >= -300,
    },
  ),
  verifying(
    state(
      'future_refused',
      'Every t in the future is refused, so a clock that is a second behind loses payments.',
    ),
    { inWindow: (age) => age >= 0 && age <= 300 },
  ),
  verifying(unit('The window is 300 minutes instead of 300 seconds.'), {
    inWindow: (age) => Math.abs(age) <= 300 * 60,
  }),
  verifying(
    unit('The window is 300,000 seconds: its length in milliseconds is compared with an age in seconds.'),
    {
      inWindow: (age) => Math.abs(age) <= 300_000,
    },
  ),
  ...[1, 2, 10, 15, 30, 60].map((minutes) =>
    verifying(
      state(
        'window_length',
        `The window is ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} instead of 5.`,
      ),
      { inWindow: (age) => Math.abs(age) <= minutes * 60 },
    ),
  ),
  ...[1, 2, 10, 15, 30, 60].map((seconds) =>
    verifying(state('window_length', `The window is ${seconds} s instead of 300 s.`), {
      inWindow: (age) => Math.abs(age) <= seconds,
    }),
  ),
  verifying(
    {
      code: 'milliseconds',
      sentence: 'A t in milliseconds is accepted.',
      fix: 'Read t as seconds and refuse any other value with 400; do not guess its unit by its length.',
    },
    { seconds: (t, now) => (/^\d{13}$/.test(t) ? Math.floor(Number(t) / 1000) : CORRECT.seconds(t, now)) },
  ),
]

/** The time window is checked wrongly or not at all (SPEC.md 3). */
export const windowCauses: Recognize = (evidence) => testAll(HYPOTHESES, evidence)

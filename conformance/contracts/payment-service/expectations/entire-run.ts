import type { Expectation, Finding } from '../model.ts'

/** Nothing was done again after the case of its payment had passed (SPEC.md 7.2). */
export const nothingDoneLater: Expectation = {
  kind: 'effects',
  expected: 'no payment of the run is handled again later',
  check: ({ run }) =>
    ofRun(
      (run?.wrongLater ?? []).flatMap(({ testCase, evaluation }) =>
        evaluation.found.flatMap(({ finding }) =>
          'problem' in finding ? [`${finding.problem} (${testCase.id})`] : [],
        ),
      ),
    ),
}

/** Every payment of the run that was acknowledged has an effect (SPEC.md 6.5). */
export const nothingLost: Expectation = {
  kind: 'effects',
  expected: 'every acknowledged payment of the run is processed',
  check: ({ run }) =>
    ofRun(
      (run?.lost ?? []).map(({ testCase, paymentId }) => `${paymentId} (${testCase.id})`),
      'acknowledged, but not fulfilled: ',
    ),
}

/** How many payments a problem names. */
const NAMED = 3

function ofRun(wrong: readonly string[], what = ''): Finding {
  if (wrong.length === 0) return undefined
  const more = wrong.length > NAMED ? `, and ${wrong.length - NAMED} more` : ''
  return { problem: `${what}${wrong.slice(0, NAMED).join(', ')}${more}`, severity: 'money', decisive: true }
}

import { isShortSecret } from '../../secret.ts'
import type { Disclosed } from '../finding.ts'
import type { Expectation } from '../model.ts'

/** Nothing was done again after the case of its payment had passed (SPEC.md 7.2). */
export const nothingDoneLater: Expectation = {
  kind: 'effects',
  expected: { code: 'nothing_done_later' },
  check: ({ run }) => {
    const wrong = (run?.wrongLater ?? []).flatMap(({ testCase, evaluation }) =>
      evaluation.found.flatMap(({ finding }) =>
        'wrong' in finding ? [{ case: testCase.id, problem: finding }] : [],
      ),
    )
    if (wrong.length === 0) return undefined
    const payments = wrong.flatMap(({ problem }) => problem.payments ?? [])
    return { wrong: { code: 'wrong_later', wrong }, payments, severity: 'money', decisive: true }
  },
}

/** Every payment of the run that was acknowledged has an effect (SPEC.md 6.5). */
export const nothingLost: Expectation = {
  kind: 'effects',
  expected: { code: 'nothing_lost' },
  check: ({ run }) => {
    const lost = (run?.lost ?? []).map(({ testCase, key }) => ({
      case: testCase.id,
      payment: key,
    }))
    if (lost.length === 0) return undefined
    const payments = lost.map(({ payment }) => payment)
    return { wrong: { code: 'lost', lost }, payments, severity: 'money', decisive: true }
  },
}

/** No response of the entire run contains it (SPEC.md 11). */
export function nothingDisclosedInTheRun(what: keyof Disclosed): Expectation {
  return {
    kind: 'disclosure',
    expected: { code: 'nothing_disclosed_in_the_run', what },
    check: ({ run }) => {
      const first = run?.disclosed?.[what]
      return first === undefined
        ? undefined
        : {
            wrong: { code: 'disclosed_in_the_run', what, first },
            severity: 'security',
            observed: 'disclosed',
            exchanges: [first.exchange],
          }
    },
  }
}

/** The same for the signing secret: the characters of a short one may occur by chance. */
export function unlessByChance(expectation: Expectation): Expectation {
  return {
    ...expectation,
    check(evidence) {
      const finding = expectation.check(evidence)
      if (finding === undefined || !evidence.secrets.some(isShortSecret)) return finding
      return { untested: { code: 'secret_too_short' } }
    },
  }
}

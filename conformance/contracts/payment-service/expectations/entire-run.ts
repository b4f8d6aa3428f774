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
    const lost = (run?.lost ?? []).map(({ testCase, paymentId }) => ({
      case: testCase.id,
      payment: paymentId,
    }))
    if (lost.length === 0) return undefined
    const payments = lost.map(({ payment }) => payment)
    return { wrong: { code: 'lost', lost }, payments, severity: 'money', decisive: true }
  },
}

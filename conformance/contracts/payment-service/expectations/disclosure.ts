import type { Disclosed } from '../finding.ts'
import type { Expectation } from '../model.ts'
import { isShortSecret } from '../secret.ts'

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

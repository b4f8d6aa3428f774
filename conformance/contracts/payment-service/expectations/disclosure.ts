import type { Disclosed } from '../finding.ts'
import type { Expectation } from '../model.ts'
import { isShortSecret, LEAST_SECRET_CHARACTERS } from '../secret.ts'

/** No response of the entire run contains it (SPEC.md 11). */
export function nothingDisclosedInTheRun(key: keyof Disclosed, what: string): Expectation {
  return {
    kind: 'disclosure',
    expected: `no response of the run contains ${what}`,
    check: ({ run }) => {
      const first = run?.disclosed?.[key]
      return first === undefined
        ? undefined
        : {
            problem: `a response that contains ${what}: ${first}`,
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
      return {
        untested: `a response contains the characters of the signing secret, but by chance or not is open: test with a secret of at least ${LEAST_SECRET_CHARACTERS} characters`,
      }
    },
  }
}

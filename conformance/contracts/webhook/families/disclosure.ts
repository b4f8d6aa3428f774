import { inAnyOrder, inOrder, inTurn } from '../../../engine/plan.ts'
import { asControl } from '../delivery.ts'
import { secretPattern, signaturePatterns, TRACES } from '../disclosures.ts'
import { nothingDisclosedInTheRun, unlessByChance } from '../expectations/entire-run.ts'
import { nothingDisclosed } from '../expectations/expect.ts'
import { digitAltered, forged, header, signedAt } from '../mutate.ts'
import { mutatedThenControl } from '../plans.ts'
import type { Family, SharedKit } from './family.ts'

const leak = {
  section: 'disclosure',
  fix: 'Answer with a fixed message and a code; keep the details in your own log.',
}

/** One delivery for each reason to refuse, since each may have another error message; then a valid one. */
function refusedInManyWays(kit: SharedKit) {
  const ways = [
    header('no signature header', () => []),
    header('a word in the signature header', () => 'x'),
    signedAt('signed a day ago', (now) => now - 24 * 3600),
    forged,
    digitAltered,
  ]
  return inOrder(
    inAnyOrder(...ways.map((change) => change(kit.valid(), kit))),
    inTurn(asControl(kit.valid())),
  )
}

/** No response contains the signing secret or the signature that a delivery should have had. */
export const nothingSecret: Family = {
  ...leak,
  impact: 'A response shows an attacker how to sign a delivery.',
  cases: () => ({
    'no-secret-in-a-refusal': {
      send: refusedInManyWays,
      expect: [unlessByChance(nothingDisclosed('secret', (_, { secrets }) => secrets.map(secretPattern)))],
    },
    'no-expected-signature-in-a-refusal': {
      send: refusedInManyWays,
      expect: [
        nothingDisclosed('signature', (exchange, { secrets }) => signaturePatterns(exchange, secrets)),
      ],
    },
    'no-secret-in-any-response': {
      late: { afterMs: 0 },
      send: mutatedThenControl(forged),
      expect: [unlessByChance(nothingDisclosedInTheRun('secret'))],
    },
    'no-expected-signature-in-any-response': {
      late: { afterMs: 0 },
      send: mutatedThenControl(forged),
      expect: [nothingDisclosedInTheRun('signature')],
    },
  }),
}

/** No refusal shows where in the program it came from. */
export const noTrace: Family = {
  ...leak,
  impact: 'An attacker can learn the file paths, libraries and versions of the server.',
  cases: () => ({
    'no-trace-in-a-refusal': { send: refusedInManyWays, expect: [nothingDisclosed('trace', () => TRACES)] },
  }),
}

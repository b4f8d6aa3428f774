import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { FOREIGN } from '../../test/foreign/receivers.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { VARIANTS } from '../../test/mutants/variants.ts'

/** What makes a verdict credible, in a paragraph that the landing page includes. */
export function trustPart(): Map<string, string> {
  const correct = Object.keys(VARIANTS).length + Object.keys(FOREIGN).length
  return new Map([
    [
      '_trust.md',
      `Each of the ${CATALOGUE.length} cases can fail, and none fails a correct receiver: ${Object.keys(MUTANTS).length} receivers with one deliberate
defect each fail the cases that target it, ${correct} correct receivers fail none, and the suite shares no code with the
reference receiver. See [what it proves, and what it cannot](/docs/check#what-it-proves), the [kill matrix](/docs/kill-matrix)
and the [proofs](/docs/proofs).
`,
    ],
  ])
}

import { createKit } from '../../contracts/payment-service/kit.ts'
import { alternatives } from '../alternatives.ts'
import { CAUSE_CASES } from '../cause-cases.generated.ts'
import { REMEMBERS_REFUSED } from '../causes/duplicates.ts'
import { PROBED_STATEMENTS } from '../causes/entire/probed.ts'
import { FRAMING_HYPOTHESES } from '../causes/framing.ts'
import { NOT_RESET } from '../investigate.ts'
import { HANDLING_HYPOTHESES, VERIFYING_HYPOTHESES } from '../joint.ts'
import { CAUSE_CODES, type CauseCode, type Statement } from '../statement.ts'
import { GENERAL } from './general.ts'

/** What is known about a cause without a run. */
export interface CauseDescription {
  readonly code: CauseCode
  /** What a report may say; several where the receiver can make the mistake in several ways. */
  readonly sentences: readonly string[]
  readonly fixes: readonly string[]
  /** The cases that show it most often, the commonest first; empty when any case may. */
  readonly cases: readonly string[]
}

/** The cause with this code, as `causes` in the JSON report has it; undefined when there is none. */
export function describeCause(code: string): CauseDescription | undefined {
  const known = CAUSE_CODES.find((other) => other === code)
  if (known === undefined) return undefined
  const general = Object.entries(GENERAL).flatMap(([other, text]) => (other === known ? [text] : []))
  const statements = general.length > 0 ? general : stated().filter((one) => one.code === known)
  return {
    code: known,
    sentences: withoutForms([...new Set(statements.map(({ sentence }) => sentence))]),
    fixes: [...new Set(statements.map(({ fix }) => fix))],
    cases: CAUSE_CASES[known] ?? [],
  }
}

/** A sentence that only adds a remark to another one says nothing new. */
function withoutForms(sentences: readonly string[]): string[] {
  const isForm = (sentence: string) =>
    sentences.some((other) => sentence.startsWith(`${other.replace(/\.$/, '')} (`))
  return sentences.filter((sentence) => !isForm(sentence))
}

/** Every statement that does not depend on what was observed. */
function stated(): Statement[] {
  const kit = createKit('explain', {
    secret: 'whsec_example_only',
    seed: 'explain',
    mode: 'test',
    now: () => 0,
  })
  const own = [
    ...VERIFYING_HYPOTHESES,
    ...HANDLING_HYPOTHESES,
    ...FRAMING_HYPOTHESES,
    REMEMBERS_REFUSED,
    NOT_RESET,
  ]
  return [...own, ...PROBED_STATEMENTS, ...alternatives(kit).map(({ statement }) => statement)]
}

import type { WebhookContract } from '../contracts/webhook/contract.ts'
import CAUSE_CASES_OF_MUTANTS from '../diagnosis/cause-cases.json' with { type: 'json' }
import { FRAMING_HYPOTHESES } from '../diagnosis/causes/content.ts'
import { alternatives } from '../diagnosis/investigate/alternatives.ts'
import { HANDLING_HYPOTHESES, verifyingHypotheses } from '../diagnosis/joint.ts'
import { CAUSE_CODES, type CauseCode, type Said } from '../diagnosis/statement.ts'
import { causeText, generalText } from './words/causes/causes.ts'

/** What is known about a cause without a run. */
export interface CauseDescription {
  readonly code: CauseCode
  /** What a report may say; several where the receiver can make the mistake in several ways. */
  readonly sentences: readonly string[]
  readonly fixes: readonly string[]
  /** Whether the fix is to verify the raw body. */
  readonly rawBody: boolean
  /** The cases that show it most often, the commonest first; empty when any case may. */
  readonly cases: readonly string[]
}

const CAUSE_CASES: Readonly<Partial<Record<CauseCode, readonly string[]>>> = CAUSE_CASES_OF_MUTANTS

/** The cause with this code, as `causes` in the JSON report has it; undefined when there is none. */
export function describeCause(code: string, service: WebhookContract): CauseDescription | undefined {
  const known = CAUSE_CODES.find((other) => other === code)
  if (known === undefined) return undefined
  const general = generalText(known, service)
  const texts =
    general === undefined ? formsOf(known, service).map((said) => causeText(said, service)) : [general]
  return {
    code: known,
    sentences: [...new Set(texts.map(({ sentence }) => sentence))],
    fixes: [...new Set(texts.map(({ fix }) => fix))],
    rawBody: texts.some(({ rawBody }) => rawBody),
    cases: CAUSE_CASES[known] ?? [],
  }
}

/** The forms of a mistake. */
function formsOf(code: CauseCode, service: WebhookContract): Said[] {
  const kit = service.createKit('explain', {
    secret: 'whsec_example_only',
    seed: 'explain',
    mode: 'test',
    now: () => 0,
  })
  const all = [
    ...verifyingHypotheses(service),
    ...HANDLING_HYPOTHESES,
    ...FRAMING_HYPOTHESES,
    ...alternatives(kit, service).map(({ said }) => said),
  ]
  return all.filter((said) => said.code === code)
}

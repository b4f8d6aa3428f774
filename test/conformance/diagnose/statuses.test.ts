import { expect, it } from 'vitest'
import { statusCauses } from '../../../conformance/diagnose/causes/statuses.ts'
import type { Evidence } from '../../../conformance/diagnose/evidence.ts'

/** The sentence about refusals that get these statuses. */
function sentenceOf(statuses: Readonly<Record<string, number>>): string | undefined {
  const trials = Object.entries(statuses).map(([correct, status]) => ({
    correct,
    status,
    shouldAccept: false,
    delivery: { body: Buffer.from('{}') },
    exchange: { answer: { status } },
    verdict: { outcome: 'failed', exchanges: [] },
  }))
  const evidence = { trials, valid: [], verdicts: [] } as unknown as Evidence
  return statusCauses(evidence)[0]?.sentence
}

it.each<[Readonly<Record<string, number>>, string]>([
  [{ forged: 500, stale: 500 }, 'A refusal gets 500, because an error in the verification is not caught.'],
  [
    { forged: 500, missing: 403 },
    'A wrong signature gets 500, because an error in the verification is not caught; a delivery without a signature header, t or v1 gets 403 instead of 400.',
  ],
  [{ forged: 403, stale: 403 }, 'Every refusal gets the status 403.'],
])('says of each refusal what it got, and which one was chosen: %j', (statuses, sentence) => {
  expect(sentenceOf(statuses)).toBe(sentence)
})

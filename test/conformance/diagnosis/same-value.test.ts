import { expect, it } from 'vitest'
import type { Verdict } from '../../../conformance/contracts/webhook/model.ts'
import { writtenOtherwise } from '../../../conformance/diagnosis/hypothesis.ts'
import type { Symptoms, Trial } from '../../../conformance/diagnosis/symptoms.ts'

const OPEN = { outcome: 'failed' } as Verdict

/** A receiver that refuses what is forged with 401, and refused or accepted these deliveries of one failed case as well. */
function symptoms(...given: { body: string; correct: Trial['correct']; accepted: boolean }[]): Symptoms {
  const trials = given.map(({ body, correct, accepted }) => ({
    verdict: OPEN,
    delivery: { body: Buffer.from(body) },
    correct,
    accepted,
    shouldAccept: correct === 'accepted',
    status: accepted ? 200 : 401,
  }))
  const refused = {
    ...trials[0],
    verdict: {},
    correct: 'forged',
    accepted: false,
    shouldAccept: false,
    status: 401,
  }
  return { open: [OPEN], trials: [...trials, refused] } as unknown as Symptoms
}

it('follows from a body that is serialized again: the same value was accepted, written otherwise', () => {
  const signed = { body: '{"amount":1.50}', correct: 'accepted', accepted: true } as const
  const altered = { body: '{"amount":1.5}', correct: 'forged', accepted: true } as const
  expect(writtenOtherwise(symptoms(signed, altered))).toEqual(new Set([OPEN]))
  expect(writtenOtherwise(symptoms(signed, { ...altered, body: '{"amount":1.6}' }))).toEqual(new Set())
})

it('reads nothing from bodies that are nested too deeply to be compared', () => {
  const deep = `{"amount":1.50,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const altered = { body: deep.replace('1.50', '1.5'), correct: 'forged', accepted: true } as const
  expect(writtenOtherwise(symptoms({ body: deep, correct: 'accepted', accepted: true }, altered))).toEqual(
    new Set(),
  )
  expect(
    writtenOtherwise(
      symptoms({ body: `[${deep}]`.replace('1.50', '2'), correct: 'accepted', accepted: false }),
    ),
  ).toEqual(new Set())
})

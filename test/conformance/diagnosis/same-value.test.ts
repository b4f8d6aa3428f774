import { expect, it } from 'vitest'
import type { Verdict } from '../../../conformance/contracts/payment-service/model.ts'
import type { Evidence, Trial } from '../../../conformance/diagnosis/evidence.ts'
import { writtenOtherwise } from '../../../conformance/diagnosis/same-value.ts'

const OPEN = { outcome: 'failed' } as Verdict

/** A receiver that refuses what is forged with 401, and refused or accepted these deliveries of one failed case as well. */
function evidence(...given: { body: string; correct: Trial['correct']; accepted: boolean }[]): Evidence {
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
  return { open: [OPEN], trials: [...trials, refused] } as unknown as Evidence
}

it('follows from a body that is serialized again: the same value was accepted, written otherwise', () => {
  const signed = { body: '{"amount":1.50}', correct: 'accepted', accepted: true } as const
  const altered = { body: '{"amount":1.5}', correct: 'forged', accepted: true } as const
  expect(writtenOtherwise(evidence(signed, altered))).toEqual(new Set([OPEN]))
  expect(writtenOtherwise(evidence(signed, { ...altered, body: '{"amount":1.6}' }))).toEqual(new Set())
})

it('reads nothing from bodies that are nested too deeply to be compared', () => {
  const deep = `{"amount":1.50,"deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
  const altered = { body: deep.replace('1.50', '1.5'), correct: 'forged', accepted: true } as const
  expect(writtenOtherwise(evidence({ body: deep, correct: 'accepted', accepted: true }, altered))).toEqual(
    new Set(),
  )
  expect(
    writtenOtherwise(
      evidence({ body: `[${deep}]`.replace('1.50', '2'), correct: 'accepted', accepted: false }),
    ),
  ).toEqual(new Set())
})

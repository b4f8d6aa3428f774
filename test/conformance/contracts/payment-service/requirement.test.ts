import { describe, expect, it } from 'vitest'
import { deliver } from '../../../../conformance/contracts/payment-service/payments.ts'
import { requirement, section } from '../../../../conformance/contracts/payment-service/section.ts'
import { accepted } from '../../../../conformance/contracts/webhook/expectations/expect.ts'

const guidance = { impact: 'The merchant loses money.', fix: 'Answer 200.' }
const sendsOne = { send: deliver('completed'), expect: [accepted] }
const SENTENCE = 'A receiver MUST accept unknown fields.'

describe('requirement', () => {
  it('gives every case its sentence, impact and fix, unless the case overrides them', () => {
    const { cases } = requirement(SENTENCE, guidance, {
      first: sendsOne,
      second: { ...sendsOne, impact: 'The customer gets nothing.' },
    })
    expect(cases.first).toEqual({ spec: SENTENCE, ...guidance, ...sendsOne })
    expect(cases.second).toMatchObject({ impact: 'The customer gets nothing.', fix: guidance.fix })
  })

  // The compiler is the subject: each line below an expected error would otherwise fail `npm run check`.
  it('does not compile with a sentence that is not in SPEC.md', () => {
    // @ts-expect-error misquoted
    requirement('A receiver MUST accept unknown field.', guidance, { first: sendsOne })
  })

  it('does not compile with two cases of one name', () => {
    // @ts-expect-error duplicate key
    // biome-ignore lint/suspicious/noDuplicateObjectKeys: the compiler has to reject it
    // oxlint-disable-next-line no-dupe-keys
    requirement(SENTENCE, guidance, { first: sendsOne, first: sendsOne })
  })
})

describe('section', () => {
  const first = requirement(SENTENCE, guidance, { first: sendsOne })
  const second = requirement('A receiver SHOULD accept an unknown event name.', guidance, {
    second: sendsOne,
  })

  it('has the cases of its requirements, in order', () => {
    const { cases } = section('events', 'Events', first, second)
    expect(Object.keys(cases)).toEqual(['first', 'second'])
  })

  it('does not compile with two requirements that have a case of the same name', () => {
    const same = requirement('A receiver SHOULD accept an unknown event name.', guidance, { first: sendsOne })
    // @ts-expect-error duplicate case name
    section('events', 'Events', first, same)
  })
})

import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { CatalogueCase, ExpectationKind } from '../../../../conformance/contracts/webhook/model.ts'
import { expectedText } from '../../../../conformance/report/words/findings.ts'
import { kitOf } from '../../support.ts'

const sentBy = (testCase: CatalogueCase): Delivery[] =>
  testCase.send(kitOf(testCase.id)).flatMap(({ deliveries }) => deliveries)

const BY_STATUS: readonly ExpectationKind[] = [
  'accepted',
  'refused',
  'accepted-or-refused',
  'answered',
  'context-answered',
]
/** What says nothing about refusing a probe. */
const NO_REFUSAL: readonly ExpectationKind[] = ['accepted', 'timing', 'effects', 'context-answered']
const expects = (testCase: CatalogueCase, ...kinds: ExpectationKind[]) =>
  testCase.expect.some(({ kind }) => kinds.includes(kind))

describe('each case', () => {
  const made = CATALOGUE.map((testCase) => ({ testCase, sent: sentBy(testCase) }))
  const each = (check: (testCase: CatalogueCase, sent: Delivery[]) => void) => {
    for (const { testCase, sent } of made) check(testCase, sent)
  }

  it('has an id, a title, an impact and a fix of the usual form', () => {
    each(({ id, title, impact, fix }) => {
      expect(id).toMatch(/^[a-z0-9-]+\/[a-z0-9-]+$/)
      expect(title).toMatch(/^[a-z0-9 ]+$/)
      expect(impact, id).toMatch(/^[A-Z].{15,}[^.]\.$/)
      expect(fix, id).toMatch(/^[A-Z].{8,}[^.]\.$/)
    })
  })

  it('sends at least one probe, and expects something', () => {
    each((testCase, sent) => {
      const probes = sent.filter(({ role, transport }) => role === 'probe' && transport?.kind !== 'truncated')
      expect(testCase.expect.length, testCase.id).toBeGreaterThan(0)
      expect(probes.length, testCase.id).toBeGreaterThan(0)
      if (testCase.needs === 'effects')
        expect(
          probes.every(({ key }) => key !== undefined),
          testCase.id,
        ).toBe(true)
    })
  })

  it('sends a control after the last probe when a refusal may be correct', () => {
    each((testCase, sent) => {
      if (testCase.expect.every(({ kind }) => NO_REFUSAL.includes(kind))) return
      const after = sent.slice(sent.findLastIndex(({ role }) => role === 'probe') + 1)
      expect(
        after.some(({ role }) => role === 'control'),
        testCase.id,
      ).toBe(true)
    })
  })

  it('judges effects if and only if it needs them', () => {
    each((testCase) => {
      const { id, needs } = testCase
      expect([id, expects(testCase, 'effects')]).toEqual([id, needs === 'effects'])
    })
  })

  it('states why both an acceptance and a refusal are correct', () => {
    each((testCase) => {
      if (expects(testCase, 'accepted-or-refused'))
        expect(testCase.open, testCase.id).toMatch(/^[A-Z].{15,}\.$/)
    })
  })

  it('expects the statuses that its sentence names', () => {
    const expectedFor = new Map<string, Set<string>>()
    const namedBy = new Map<string, readonly string[]>()
    each(({ id, spec, expect: expectations }) => {
      const [, named] = /with (?:a )?status (?:from )?([^;]+)/.exec(spec) ?? []
      const statement = expectations.find(({ kind }) => BY_STATUS.includes(kind))?.expected
      // A sentence about what follows a refusal names no status.
      if (named === undefined || statement === undefined) return
      const statuses: readonly string[] = expectedText(statement).match(/\d+/g) ?? []
      const inSentence: readonly string[] = named.match(/\b\d{3}\b/g) ?? []
      // A sentence names the statuses of all its cases; where one has a condition, not every case expects it.
      if (!/\bif\b/.test(named)) expect([id, statuses]).toEqual([id, inSentence])
      expect([id, statuses]).toEqual([id, inSentence.filter((status) => statuses.includes(status))])
      const expected = expectedFor.get(spec) ?? new Set<string>()
      for (const status of statuses) expected.add(status)
      expectedFor.set(spec, expected)
      namedBy.set(spec, inSentence)
    })
    for (const [spec, statuses] of namedBy)
      expect([spec, [...(expectedFor.get(spec) ?? [])].toSorted()]).toEqual([spec, statuses.toSorted()])
  })

  it('is the same for the same seed', () => {
    each((testCase, sent) => {
      const again = sentBy(testCase)
      const isSame = ({ signature, body }: Delivery, index: number) =>
        sent[index]?.signature.join('\n') === signature.join('\n') && sent[index].body.equals(body)
      expect([testCase.id, again.length, again.every(isSame)]).toEqual([testCase.id, sent.length, true])
    })
  })
})

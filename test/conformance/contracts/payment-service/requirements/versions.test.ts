import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { check } from '../../../../../conformance/check.ts'
import { CRASH_CASES } from '../../../../../conformance/contracts/payment-service/cases/durable.ts'
import { CATALOGUE } from '../../../../../conformance/contracts/payment-service/cases/index.ts'
import {
  CONTRACT_VERSIONS,
  CURRENT_VERSION,
  caseAmong,
  caseIn,
  enteredIn,
  levelsOf,
  requirementsOf,
} from '../../../../../conformance/contracts/payment-service/requirements/versions.ts'
import type { CatalogueCase } from '../../../../../conformance/contracts/webhook/model.ts'
import { fingerprint, readFrozen, withoutDraft } from '../../../../../scripts/tools/generate/frozen.ts'
import { smallReceiver } from '../../../small-receiver.ts'
import { caseOf, SECRET } from '../../../support.ts'

/** Of each frozen version. It never changes: a new case or level needs a new version. */
const FROZEN = readFrozen()

const isDraft = (version: string) =>
  new RegExp(`^This is version ${version} of the contract, a draft:`, 'm').test(
    readFileSync('SPEC.md', 'utf8'),
  )

describe('a version of the contract', () => {
  it.each(CONTRACT_VERSIONS)('%s is frozen, or the draft that SPEC.md announces', (version) => {
    if (isDraft(version)) expect([version, FROZEN[version]]).toEqual([CURRENT_VERSION, undefined])
    else expect(fingerprint(requirementsOf(version))).toBe(FROZEN[version])
  })

  it('has every case, in the newest one', () => {
    for (const testCase of [...CATALOGUE, ...CRASH_CASES]) {
      expect(caseIn(CURRENT_VERSION, testCase)).toBe(testCase)
      expect(CONTRACT_VERSIONS).toContain(enteredIn(testCase))
    }
  })
})

test('what enters in a later version is left out of 1.0, and a level that rises stays as it was', () => {
  const first = requirementsOf('1.0')
  const later = {
    ...first,
    '1.3': { level: 'MUST', cases: ['transport/content-type-missing'] },
    '1.99': { level: 'MUST', cases: ['transport/of-a-later-version'] },
  } as const
  const added: CatalogueCase = { ...caseOf('transport/posted-as-json'), id: 'transport/of-a-later-version' }
  const raised: CatalogueCase = { ...caseOf('transport/content-type-missing'), level: 'MUST' }
  expect(caseAmong(levelsOf(later), added)).toBe(added)
  expect(caseAmong(levelsOf(later), raised)).toBe(raised)
  expect(caseAmong(levelsOf(first), added)).toBeUndefined()
  expect(caseIn('1.0', added)).toBeUndefined()
  expect(caseIn('1.0', raised)).toEqual({ ...raised, level: 'SHOULD' })
  expect(fingerprint(later)).not.toBe(fingerprint(first))
})

test('the fingerprint depends on ids and levels, not on their order', () => {
  const one = { '1.1': { level: 'MUST', cases: ['a', 'b'] }, '1.2': { level: 'MAY', cases: ['c'] } } as const
  const other = {
    '1.2': { level: 'MAY', cases: ['c'] },
    '1.1': { level: 'MUST', cases: ['b', 'a'] },
  } as const
  expect(fingerprint(one)).toBe(fingerprint(other))
  expect(fingerprint({ ...one, '1.2': { level: 'SHOULD', cases: ['c'] } })).not.toBe(fingerprint(one))
})

test('freezing a version ends its draft in SPEC.md, once', () => {
  const draft =
    '## Versions\n\nThis is version 3.7 of the contract, a draft: it is frozen with the first release of hookproof.\n'
  const frozen = withoutDraft(draft, '3.7')
  expect(frozen).toBe('## Versions\n\nThis is version 3.7 of the contract.\n')
  expect(() => withoutDraft(frozen, '3.7')).toThrow('SPEC.md does not have the line')
})

test('an older version has the level of that time, and lacks cases that came later', () => {
  const older = levelsOf({
    '2.1': { level: 'SHOULD', cases: ['signature-header/absent'] },
    '2.8': { level: 'MUST', cases: ['signature-header/valid-signature-under-v0'] },
  })
  const absent = caseOf('signature-header/absent')
  expect(caseAmong(older, absent)).toEqual({ ...absent, level: 'SHOULD' })
  const kept = caseOf('signature-header/valid-signature-under-v0')
  expect(caseAmong(older, kept)).toBe(kept)
  expect(caseAmong(older, caseOf('transport/posted-as-json'))).toBeUndefined()
})

test('the report names the version, and a version that does not exist is refused', async () => {
  const { url } = await smallReceiver()
  const only = ['transport/posted-as-json']
  const report = await check({ url, secret: SECRET, only, contract: '1.0' })
  expect(report).toMatchObject({ contract: '1.0', conclusion: 'conformant' })
  await expect(check({ url, secret: SECRET, only, contract: '0.9' })).rejects.toMatchObject({
    code: 'bad_option',
    message: '"contract" must be one of 1.0, 1.1, not 0.9',
    names: ['contract'],
  })
})

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it, test } from 'vitest'
import { CATALOGUE } from '../../../conformance/catalogue/index.ts'
import { check } from '../../../conformance/check.ts'
import {
  CONTRACT_VERSIONS,
  CURRENT_VERSION,
  caseAmong,
  caseIn,
  enteredIn,
  levelsOf,
} from '../../../conformance/contract/versions.ts'
import { CRASH_CASES } from '../../../conformance/crash/catalogue.ts'
import { smallReceiver } from '../small-receiver.ts'
import { caseOf, SECRET } from '../support.ts'

/** The SHA-256 of the file of each released version. It never changes: a new case or level needs a new version. */
const FROZEN: Readonly<Record<string, string>> = {}

const fileOf = (version: string) =>
  readFileSync(new URL(`../../../conformance/contract/v${version.replace('.', '-')}.ts`, import.meta.url))
const isDraft = (version: string) =>
  new RegExp(`^This is version ${version} of the contract, a draft:`, 'm').test(
    readFileSync('SPEC.md', 'utf8'),
  )

describe('a version of the contract', () => {
  it.each(CONTRACT_VERSIONS)('%s is frozen, or the draft that SPEC.md announces', (version) => {
    if (isDraft(version)) expect(version).toBe(CURRENT_VERSION)
    else expect(createHash('sha256').update(fileOf(version)).digest('hex')).toBe(FROZEN[version])
  })

  it('has every case, in the newest one', () => {
    for (const testCase of [...CATALOGUE, ...CRASH_CASES]) {
      expect(caseIn(CURRENT_VERSION, testCase)).toBe(testCase)
      expect(CONTRACT_VERSIONS).toContain(enteredIn(testCase))
    }
  })
})

test('an older version has the level of that time, and lacks cases that came later', () => {
  const older = levelsOf({
    '2.1': { level: 'SHOULD', cases: ['signature-header/absent'] },
    '2.8': { level: 'MUST', cases: ['signature-header/right-signature-under-v0'] },
  })
  const absent = caseOf('signature-header/absent')
  expect(caseAmong(older, absent)).toEqual({ ...absent, level: 'SHOULD' })
  const renamed = caseOf('signature-header/valid-signature-under-v0')
  expect(caseAmong(older, renamed)).toBe(renamed)
  expect(caseAmong(older, caseOf('transport/posted-as-json'))).toBeUndefined()
})

test('the report names the version, and a version that does not exist is refused', async () => {
  const { url } = await smallReceiver()
  const only = ['transport/posted-as-json']
  const report = await check({ url, secret: SECRET, only, contract: '1.0' })
  expect(report).toMatchObject({ contract: '1.0', conclusion: 'conformant' })
  await expect(check({ url, secret: SECRET, only, contract: '0.9' })).rejects.toMatchObject({
    code: 'bad_option',
    message: '"contract" must be one of 1.0, not 0.9',
    names: ['contract'],
  })
})

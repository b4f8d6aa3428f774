import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CATALOGUE } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { describeCause } from '../../../../conformance/diagnosis/about/describe.ts'
import { GENERAL } from '../../../../conformance/diagnosis/about/general.ts'
import { CAUSE_CODES } from '../../../../conformance/diagnosis/statement.ts'

it.each(CAUSE_CODES)('describes %s', (code) => {
  const { sentences = [], fixes = [], cases = [] } = describeCause(code) ?? {}
  expect(sentences.length).toBeGreaterThan(0)
  expect(fixes.length).toBeGreaterThan(0)
  for (const text of [...sentences, ...fixes]) expect(text).toMatch(/^[A-Z].*\.$/)
  const known = CATALOGUE.map(({ id }): string => id)
  expect(known).toEqual(expect.arrayContaining([...cases]))
})

it('describes nothing else', () => {
  expect(describeCause('no_windows')).toBeUndefined()
  expect(describeCause('constructor')).toBeUndefined()
})

it('gives the fix of the report', () => {
  const folder = 'conformance/diagnosis'
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('about'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  for (const { fix } of Object.values(GENERAL)) expect(sources).toContain(fix)
})

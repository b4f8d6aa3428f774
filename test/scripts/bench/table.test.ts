import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { performancePage, type Row } from '../../../scripts/bench/figure.ts'

const PAGE = readFileSync(new URL('../../../docs/performance.md', import.meta.url), 'utf8')
const ROW: Row = {
  figure: 'signature only, valid, 600 B',
  baseline: 'HMAC only',
  ratio: 1.5,
  target: '≤ 1.25',
  details: '3 µs vs. 2 µs',
}
const LINE = '| signature only, valid, 600 B | HMAC only | 1.50 | ≤ 1.25 | missed | 3 µs vs. 2 µs |'

/** The page without the lines that name a version of Node.js, the machine and the day. */
const withoutMachine = (page: string): string => page.replace(/^Node\.js v.*\n/gm, '')

test('the text and the rows that are not measured again stay', () => {
  expect(withoutMachine(performancePage([], PAGE))).toBe(withoutMachine(PAGE))
  expect(performancePage([], PAGE, 'v20.0.0')).toMatch(`Node.js v20.0.0, ${process.platform}`)
})

test('a row that is measured again replaces the present one; the others stay', () => {
  const page = performancePage([ROW], PAGE, 'v20.0.0').split('\n')
  expect(page.filter((line) => line.startsWith('| signature only, valid, 600 B'))).toEqual([LINE])
  expect(page).toHaveLength(PAGE.split('\n').length)
})

test('a row that the page lacks follows the others', () => {
  const rows = performancePage([{ ...ROW, figure: 'another' }], PAGE, 'v20.0.0').match(/^\|.*$/gm) ?? []
  expect(rows.at(-1)).toBe(LINE.replace(ROW.figure, 'another'))
  expect(rows).toHaveLength((PAGE.match(/^\|.*$/gm) ?? []).length + 1)
})

test('rows of another version of Node.js stand beside the usual ones and say so', () => {
  const once = performancePage([ROW], PAGE, 'v99.1.0')
  expect(once).toContain(LINE.replace('HMAC only', 'HMAC only, both on Node.js 99'))
  expect(once).toContain('Node.js v99.1.0')
  const twice = performancePage([{ ...ROW, ratio: 2 }], once, 'v99.2.0')
  expect(twice.split('\n')).toHaveLength(once.split('\n').length)
  expect(twice).not.toContain('v99.1.0')
  for (const line of PAGE.split('\n')) expect(twice.split('\n')).toContain(line)
})

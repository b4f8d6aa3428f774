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

/** The page without its last line, which names the machine and the day. */
const withoutMachine = (page: string): string => page.trimEnd().split('\n').slice(0, -1).join('\n')

test('the text and the rows that are not measured again stay', () => {
  expect(withoutMachine(performancePage([], PAGE))).toBe(withoutMachine(PAGE))
  expect(performancePage([], PAGE)).toMatch(`Node.js ${process.version}, ${process.platform}`)
})

test('a row that is measured again replaces the present one; the others stay', () => {
  const page = performancePage([ROW], PAGE).split('\n')
  expect(page.filter((line) => line.startsWith('| signature only, valid, 600 B'))).toEqual([LINE])
  expect(page).toHaveLength(PAGE.split('\n').length)
})

test('a row that the page lacks follows the others', () => {
  const rows = performancePage([{ ...ROW, figure: 'another' }], PAGE).match(/^\|.*$/gm) ?? []
  expect(rows.at(-1)).toBe(LINE.replace(ROW.figure, 'another'))
  expect(rows).toHaveLength((PAGE.match(/^\|.*$/gm) ?? []).length + 1)
})

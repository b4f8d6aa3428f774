import { expect, test } from 'vitest'
import { missingRows } from '../../../scripts/proofs/shared/prove.ts'

const page = `<!-- proof:crash -->
| figure | value |
| --- | --- |
| 20 rounds on Deno 2.9.6 | 25 kills |
|  | of 40 |
<!-- /proof:crash -->
`

test('the table of a proof must have every figure, whatever the numbers are', () => {
  const figures = [
    ['6 rounds on Deno 3.0', '7 kills'],
    ['', 'of 9'],
    ['6 rounds on Bun 1.4', '7 kills'],
  ] as const
  expect(missingRows(page, 'crash', figures)).toEqual(['6 rounds on Bun 1.4'])
})

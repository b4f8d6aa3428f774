import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CONTRACT } from '../../conformance/contracts/payment-service/requirements/contract.generated.ts'

const table = readFileSync('docs/decisions/0001-levels.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))

/** Every number in the first column: `2.20, 2.21` and `12.1 to 12.8` are lists. */
const numbers = new Set(
  table.flatMap((row) => {
    const [, first = ''] = row.split('|')
    return first.split(',').flatMap((part) => {
      const [from = '', to = from] = part.trim().split(' to ')
      const [section, low] = from.split('.')
      const [, high] = to.split('.')
      return Array.from(
        { length: Number(high) - Number(low) + 1 },
        (_, step) => `${section}.${Number(low) + step}`,
      )
    })
  }),
)

/** Numbers that a row about another requirement introduces: "the capitalization is 1.11, a SHOULD". */
const introduced = new Set(
  table.flatMap((row) => row.match(/\b\d+\.\d+(?=, a SHOULD|: (?:SHOULD|MAY))/g) ?? []),
)

test('the decision about levels examines every requirement of SPEC.md', () => {
  expect(
    CONTRACT.map(({ number }) => number as string).filter(
      (number) => !numbers.has(number) && !introduced.has(number),
    ),
  ).toEqual([])
})

test('it names no requirement that does not exist', () => {
  const known = new Set<string>(CONTRACT.map(({ number }) => number))
  expect([...numbers, ...introduced].filter((number) => !known.has(number))).toEqual([])
})

import { expect, test } from 'vitest'
import { differenceOf } from '../../../../conformance/diagnosis/mismatch/difference.ts'

const bytes = (text: string | readonly number[]) => Buffer.from(text as string)
const marked = (signed: string | readonly number[], hashed: string | readonly number[]) => {
  const found = differenceOf(bytes(signed), bytes(hashed))
  if (found === undefined) return undefined
  const side = ({ pieces, isCut: [before, after] }: (typeof found)['signed']) =>
    `${before ? '…' : ''}${pieces.map(({ text, differs }) => (differs ? `[${text}]` : text)).join('')}${after ? '…' : ''}`
  return [found.at, side(found.signed), side(found.hashed)]
}

test.each<[string, string | readonly number[], string | readonly number[], unknown]>([
  ['equal bytes', 'a', 'a', undefined],
  ['empty bytes', '', '', undefined],
  [
    'spaces that a serializer drops',
    '{"a": 1, "b": 2}',
    '{"a":1,"b":2}',
    [5, '{"a":[ ]1,[ ]"b":[ ]2}', '{"a":1,"b":2}'],
  ],
  ['a line break at the end', '{}', '{}\r\n', [2, '{}', '{}[\\r\\n]']],
  ['a body that was read before', '{}', '', [0, '[{}]', '']],
  ['another letter of several bytes', 'Zoë', 'Zoé', [3, 'Zo[ë]', 'Zo[é]']],
  ['what cannot be seen', 'a', 'a\u202e\u0000', [1, 'a', 'a[\\u{202e}\\u{0}]']],
  ['bytes that are not UTF-8', [0x61, 0xff], 'a\uFFFD', [1, 'a[\\xff]', 'a[\uFFFD]']],
])('%s', (_, signed, hashed, expected) => {
  expect(marked(signed, hashed)).toEqual(expected)
})

test('of long bodies, what surrounds the first difference is shown, and no end that may follow elsewhere', () => {
  const [before, after] = ['x'.repeat(5000), 'y'.repeat(5000)]
  expect(marked(`${before}: ${after}`, `${before}:${after}`)).toEqual([
    5001,
    `…${'x'.repeat(39)}:[ ]${'y'.repeat(159)}…`,
    `…${'x'.repeat(39)}:${'y'.repeat(159)}…`,
  ])
})

test('two bodies that have nothing in common take no longer than others', () => {
  const started = performance.now()
  expect(differenceOf(Buffer.alloc(1024 * 1024, 'abc'), Buffer.alloc(1024 * 1024, 'xyz'))).toBeDefined()
  expect(performance.now() - started).toBeLessThan(1000)
})

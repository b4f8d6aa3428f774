import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { usesColor } from '../../../cli/shared/io.ts'
import { testIo } from '../support.ts'

test.each([
  [undefined, true],
  ['', true],
  ['1', false],
  ['0', false],
])('colors on a terminal with NO_COLOR=%j: %s', (value, expected) => {
  const { io } = testIo({ env: { NO_COLOR: value } })
  const stdout = Object.assign(new PassThrough(), { isTTY: true })
  expect(usesColor({ ...io, stdout })).toBe(expected)
})

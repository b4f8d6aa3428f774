import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { joiner } from '../../../../receiver/limits/body/read.ts'

it('does not copy a body of one chunk', () => {
  for (const size of [1, 300, 1024, 65_536]) {
    const body = joiner()
    const chunk = Buffer.alloc(size, 'x')
    body.add(chunk)
    expect(body.bytes().buffer).toBe(chunk.buffer)
    expect(body.bytes()).toHaveLength(size)
  }
})

it('keeps chunks of one byte in one Buffer of at most twice their size', () => {
  const body = joiner()
  for (let n = 0; n < 40_000; n += 1) body.add(Buffer.from([n % 251]))
  expect(body.size).toBe(40_000)
  expect(body.bytes().buffer.byteLength).toBeLessThanOrEqual(80_000)
  expect(body.bytes().every((byte, n) => byte === n % 251)).toBe(true)
})

it('keeps every byte in order, whatever the sizes of the chunks', () => {
  const sizes = fc.array(fc.oneof(fc.nat(8), fc.nat(2000), fc.nat(20_000)), { maxLength: 60 })
  fc.assert(
    fc.property(sizes, (sizes) => {
      const body = joiner()
      const chunks = sizes.map((size, n) => Buffer.alloc(size, n + 1))
      for (const chunk of chunks) body.add(chunk)
      expect(body.bytes().equals(Buffer.concat(chunks))).toBe(true)
    }),
  )
})

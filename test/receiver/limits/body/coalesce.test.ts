import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { coalesce } from '../../../../receiver/limits/body/coalesce.ts'

function collect() {
  const pieces: Buffer[] = []
  return { pieces, ...coalesce((piece) => pieces.push(piece)) }
}

it('passes a single chunk on without copying it', () => {
  for (const size of [1, 300, 1024, 65_536]) {
    const { pieces, add, flush } = collect()
    const chunk = Buffer.alloc(size, 'x')
    add(chunk)
    flush()
    flush()
    expect(pieces).toHaveLength(1)
    expect(pieces[0]?.buffer).toBe(chunk.buffer)
    expect(pieces[0]).toHaveLength(size)
  }
})

it('joins chunks of one byte into pieces of 16 KiB', () => {
  const { pieces, add, flush } = collect()
  for (let n = 0; n < 40_000; n += 1) add(Buffer.from([n % 251]))
  flush()
  expect(pieces.map(({ length }) => length)).toEqual([16_384, 16_384, 7232])
  expect(Buffer.concat(pieces).every((byte, n) => byte === n % 251)).toBe(true)
})

it('keeps every byte in order, whatever the sizes of the chunks', () => {
  const sizes = fc.array(fc.oneof(fc.nat(8), fc.nat(2000), fc.nat(20_000)), { maxLength: 60 })
  fc.assert(
    fc.property(sizes, (sizes) => {
      const { pieces, add, flush } = collect()
      const chunks = sizes.map((size, n) => Buffer.alloc(size, n + 1))
      for (const chunk of chunks) add(chunk)
      flush()
      expect(Buffer.concat(pieces).equals(Buffer.concat(chunks))).toBe(true)
    }),
  )
})

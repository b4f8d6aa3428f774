import { describe, expect, it } from 'vitest'
import { createOverload } from '../../../../receiver/limits/overload.ts'

const KIB = 1024

/** A room of 64 KiB with a clock that the test sets, and the names of the evicted bodies in order. */
function room(maxHeldBytes = 64 * KIB) {
  const time = { now: 0 }
  const overload = createOverload({ maxHeldBytes }, () => time.now)
  const evicted: string[] = []
  const hold = (name: string, address = 'one') =>
    overload.hold({
      address: () => address,
      evict: (reason) => {
        expect(reason).toMatchObject({ code: 'body_evicted', status: 503 })
        evicted.push(name)
      },
    })
  const incomplete = (name: string, bytes: number, address?: string) => {
    const body = hold(name, address)
    body.add(bytes, false)
    return body
  }
  return { time, overload, evicted, hold, incomplete }
}

describe('when room is needed', () => {
  it('evicts the oldest of equal bodies, and frees a sixteenth of the room at once', () => {
    const { overload, evicted, incomplete } = room()
    for (let n = 0; n < 32; n += 1) incomplete(`${n}`, 2 * KIB)
    overload.reserve(1)
    // 4 KiB are spare, so three bodies of 2 KiB make room for one more byte.
    expect(evicted).toEqual(['0', '1', '2'])
    expect(overload.heldBytes).toBe(58 * KIB + 1)
    overload.reserve(4 * KIB)
    expect(evicted).toHaveLength(3)
  })

  it('evicts slow and stalled bodies first, even if they are newer and smaller', () => {
    const { time, overload, evicted, hold, incomplete } = room()
    const fast = hold('fast')
    fast.add(16 * KIB, false)
    const drip = hold('drip')
    drip.add(8 * KIB, false)
    incomplete('stalled', 8 * KIB)
    for (time.now = 100; time.now <= 1100; time.now += 100) {
      fast.add(2 * KIB, false)
      drip.add(1, false)
    }
    overload.reserve(20 * KIB)
    expect(evicted).toEqual(['drip', 'stalled'])
    fast.add(1 * KIB, true)
    expect(overload.heldBytes).toBe(59 * KIB)
  })

  it('does not call a body slow in its first second', () => {
    const { time, overload, evicted, incomplete } = room()
    incomplete('old', 30 * KIB)
    time.now = 1000
    incomplete('new', 30 * KIB)
    overload.reserve(8 * KIB)
    expect(evicted).toEqual(['old'])
  })

  it('evicts from the address that holds more than the average address', () => {
    const { overload, evicted, incomplete } = room()
    incomplete('b1', 10 * KIB, 'b')
    for (const name of ['a1', 'a2', 'a3', 'a4']) incomplete(name, 12 * KIB, 'a')
    overload.reserve(10 * KIB)
    expect(evicted).toEqual(['a1'])
    // Down to the average of the addresses, not all of its bodies.
    overload.reserve(22 * KIB)
    expect(evicted).toEqual(['a1', 'a2', 'a3'])
  })

  it('evicts larger than average bodies before small ones of the same address', () => {
    const { overload, evicted, incomplete } = room()
    incomplete('small', 1 * KIB)
    incomplete('large', 31 * KIB)
    incomplete('larger', 32 * KIB)
    overload.reserve(30 * KIB)
    expect(evicted).toEqual(['large', 'larger'])
  })

  it('never evicts complete bodies, and refuses only when they fill the room', () => {
    const { overload, evicted, hold, incomplete } = room()
    for (let n = 0; n < 6; n += 1) hold('complete').add(10 * KIB, true)
    const chunked = incomplete('chunked', 2 * KIB)
    chunked.complete(2 * KIB)
    incomplete('incomplete', 2 * KIB)
    expect(() => overload.reserve(3 * KIB)).toThrow(
      expect.objectContaining({ code: 'overloaded', status: 503 }),
    )
    expect(evicted).toEqual(['incomplete'])
    expect(overload.heldBytes).toBe(62 * KIB)
    expect(() => hold('last').add(3 * KIB, true)).toThrow(expect.objectContaining({ code: 'overloaded' }))
    hold('fits').add(2 * KIB, true)
    expect(overload.heldBytes).toBe(64 * KIB)
  })

  it('counts a complete body by its size, without what it needed while it arrived', () => {
    const { overload, hold } = room()
    const body = hold('packets')
    for (let n = 0; n < 10; n += 1) body.add(1 * KIB, false)
    body.complete(5 * KIB)
    expect(overload.heldBytes).toBe(5 * KIB)
    body.release()
    expect(overload.heldBytes).toBe(0)
  })

  it('evicts an incomplete body that is itself the only one', () => {
    const { overload, evicted, hold } = room()
    overload.reserve(60 * KIB)
    const body = hold('own')
    body.add(3 * KIB, false)
    body.add(2 * KIB, false)
    expect(evicted).toEqual(['own'])
    // Chunks that were already read do not count.
    body.add(1 * KIB, false)
    body.add(1 * KIB, true)
    body.complete(7 * KIB)
    body.release()
    expect(overload.heldBytes).toBe(60 * KIB)
    overload.release(60 * KIB)
    expect(overload.heldBytes).toBe(0)
  })
})

it('stays cheap with thousands of incomplete bodies: one search frees room for many chunks', () => {
  const bodies = 5000
  let searches = 0
  const overload = createOverload({ maxHeldBytes: bodies * 100 }, () => {
    searches += 1
    return 0
  })
  const held = Array.from({ length: bodies }, (_, n) =>
    overload.hold({ address: () => `${n % 100}`, evict: () => {} }),
  )
  for (const body of held) body.add(100, false)
  // The clock is read once for each body, and once for each search.
  searches = 0
  for (let round = 0; round < 10; round += 1) for (const body of held) body.add(1, false)
  expect(searches).toBeLessThan(20)
  for (const body of held) body.release()
  expect(overload.heldBytes).toBe(0)
})

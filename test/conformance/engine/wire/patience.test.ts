import { describe, expect, it } from 'vitest'
import type { WireError } from '../../../../conformance/engine/exchange.ts'
import { createPatience } from '../../../../conformance/engine/wire/patience.ts'

const LIMIT_MS = 10_000
/** The longest wait. */
const MOST_MS = 120_000

/** A receiver that is waited for, and time that passes only while a test lets it. */
function waited() {
  let time = 0
  const timers = new Set<{ readonly at: number; readonly call: () => void }>()
  const patience = createPatience(LIMIT_MS, {
    now: () => time,
    after: (ms, call) => {
      const timer = { at: time + ms, call }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
  })
  return {
    /** Sends something, and notes why it was given up. */
    send: () => {
      const sent: { error?: WireError } = {}
      const end = patience.wait((error) => {
        sent.error = error
      })
      return { sent, answered: () => end('answered'), failed: () => end() }
    },
    pass: (ms: number) => {
      for (const end = time + ms; time < end; time += 1_000)
        for (const timer of timers) if (timer.at <= time && timers.delete(timer)) timer.call()
      for (const timer of timers) if (timer.at <= time && timers.delete(timer)) timer.call()
    },
  }
}

/** Sends a burst to a receiver that answers one after another, and returns why some were given up. */
function burst(count: number, eachMs: number, order = (n: number) => n) {
  const { send, pass } = waited()
  const all = Array.from({ length: count }, send)
  for (const n of all.keys()) {
    pass(eachMs)
    all[order(n)]?.answered()
  }
  return all.flatMap(({ sent: { error } }) => error ?? [])
}

describe('the wait for a response', () => {
  it('is the time limit where nothing is answered', () => {
    const { send, pass } = waited()
    const { sent } = send()
    pass(LIMIT_MS - 1_000)
    expect(sent.error).toBeUndefined()
    pass(1_000)
    expect(sent.error).toEqual({ code: 'timeout', afterMs: LIMIT_MS })
  })

  it('goes on while a receiver that answers in turn answers what was sent before, in any order', () => {
    expect(burst(50, 1_000)).toEqual([])
    expect(burst(50, 1_000, (n) => 49 - n)).toEqual([])
  })

  it('goes on after an observation, which a receiver answers in the same turn', () => {
    const { send, pass } = waited()
    const observation = send()
    const { sent } = send()
    pass(9_000)
    observation.answered()
    pass(9_000)
    expect(sent.error).toBeUndefined()
    pass(1_000)
    expect(sent.error).toEqual({ code: 'timeout', afterMs: 19_000 })
  })

  it('does not go on while only what was sent later is answered, nor after a connection that broke', () => {
    const { send, pass } = waited()
    const broken = send()
    const { sent } = send()
    pass(2_000)
    const later = send()
    pass(1_000)
    later.answered()
    broken.failed()
    pass(7_000)
    expect(sent.error).toEqual({ code: 'timeout', afterMs: LIMIT_MS })
  })

  it('has an end, which says that the receiver was still answering others', () => {
    const given = burst(30, 9_000)
    expect(given).toHaveLength(30 - Math.floor(MOST_MS / 9_000))
    expect(new Set(given.map(({ isQueued, afterMs }) => isQueued === true && afterMs))).toEqual(
      new Set([MOST_MS]),
    )
  })
})

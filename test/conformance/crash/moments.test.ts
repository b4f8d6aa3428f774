import { describe, expect, test } from 'vitest'
import { momentsOf } from '../../../conformance/crash/moments.ts'
import { momentText } from '../../../conformance/report/words/crash.ts'

describe('the moments of the kills', () => {
  test('follow from the seed', () => {
    expect(momentsOf('a', 10, 50)).toEqual(momentsOf('a', 10, 50))
    expect(momentsOf('a', 10, 50)).not.toEqual(momentsOf('b', 10, 50))
  })

  test('include every kind within five rounds', () => {
    const kinds = momentsOf('seed', 5, 50).map(({ kind }) => kind)
    expect(kinds.toSorted()).toEqual([
      'after-acknowledgment',
      'before-effect',
      'during-start',
      'first-byte',
      'on-effect',
    ])
  })

  test.each([1, 4, 10, 40])('spread the delays after a 200 from 1 to 1,000 ms over %i rounds', (rounds) => {
    const delays = momentsOf('seed', rounds, 50).flatMap(({ kind, delayMs }) =>
      kind === 'after-acknowledgment' ? [delayMs] : [],
    )
    expect(delays).toEqual(delays.toSorted((a, b) => a - b))
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(1000 ** (index / delays.length))
      expect(delay).toBeLessThanOrEqual(1000 ** ((index + 1) / delays.length))
    }
  })

  test('come before the effect, however long it takes', () => {
    for (const effectMs of [0, 40, 60_000]) {
      for (const { kind, delayMs } of momentsOf('seed', 40, effectMs)) {
        if (kind === 'before-effect') expect(delayMs).toBeLessThan(Math.min(Math.max(effectMs, 2), 1_500))
      }
    }
  })

  test('are named in milliseconds', () => {
    const moment = { ofStart: 0.514 }
    expect(momentText({ ...moment, kind: 'first-byte', delayMs: 0 })).toBe('on the first byte of a 200')
    expect(momentText({ ...moment, kind: 'on-effect', delayMs: 40 })).toBe('as soon as an effect showed')
    expect(momentText({ ...moment, kind: 'after-acknowledgment', delayMs: 2.54 })).toBe('2.5 ms after a 200')
    expect(momentText({ ...moment, kind: 'during-start', delayMs: 0 })).toContain('51 % into the next start')
  })
})

import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import { slopeOf, welch } from '../../../scripts/proofs/shared/statistics.ts'

/** Sums of twelve random numbers, which approximate a normal distribution with variance 1. */
function normal(seed: string, count: number, mean: number): number[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: 12 }, random).reduce((sum, value) => sum + value, mean - 6),
  )
}

describe("Welch's t", () => {
  it('is the difference of the means in standard errors', () => {
    // Means 2 and 4, variances 1 and 4: -2 / sqrt(1/3 + 4/3).
    expect(welch([1, 2, 3], [2, 4, 6]).t).toBeCloseTo(-1.549, 3)
    expect(welch([2, 4, 6], [1, 2, 3])).toEqual({ t: expect.closeTo(1.549, 3), difference: 2 })
  })

  it('detects a small difference in many samples, and none between equal distributions', () => {
    expect(Math.abs(welch(normal('a', 20_000, 0), normal('b', 20_000, 0)).t)).toBeLessThan(4.5)
    expect(welch(normal('a', 20_000, 0.1), normal('b', 20_000, 0)).t).toBeGreaterThan(4.5)
  })

  it('drops the largest values of both samples at the same limit', () => {
    const { difference } = welch([1, 2, 3, 1000], [1, 2, 3, 4], 0.75)
    expect(difference).toBe(0)
    expect(() => welch([1], [1, 2])).toThrow(RangeError)
  })
})

describe('the slope', () => {
  it('is that of the line that fits best', () => {
    expect(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
    ).toBe(2)
    expect(
      slopeOf([
        [0, 0],
        [1, 1],
        [2, 0],
      ]),
    ).toBe(0)
  })
})

describe('seeded random numbers', () => {
  it('are equal for equal seeds and different for different seeds', () => {
    const numbers = (seed: string) => Array.from({ length: 5 }, randomFrom(seed))
    expect(numbers('one')).toEqual(numbers('one'))
    expect(numbers('one')).not.toEqual(numbers('two'))
    expect(numbers('one').every((number) => number >= 0 && number < 1)).toBe(true)
  })
})

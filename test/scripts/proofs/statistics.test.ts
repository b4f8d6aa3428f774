import { describe, expect, it } from 'vitest'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import { slopeOf } from '../../../scripts/proofs/soak/slope.ts'
import { welch } from '../../../scripts/proofs/timing/welch.ts'

/** Sums of twelve draws: near enough to a normal distribution of variance 1. */
function normal(seed: string, count: number, mean: number): number[] {
  const random = randomFrom(seed)
  return Array.from({ length: count }, () =>
    Array.from({ length: 12 }, random).reduce((sum, draw) => sum + draw, mean - 6),
  )
}

describe("Welch's t", () => {
  it('is the difference in its own standard errors', () => {
    // Means 2 and 4, variances 1 and 4: -2 / sqrt(1/3 + 4/3).
    expect(welch([1, 2, 3], [2, 4, 6]).t).toBeCloseTo(-1.549, 3)
    expect(welch([2, 4, 6], [1, 2, 3])).toEqual({ t: expect.closeTo(1.549, 3), difference: 2 })
  })

  it('sees a small difference in many samples, and none where there is none', () => {
    expect(Math.abs(welch(normal('a', 20_000, 0), normal('b', 20_000, 0)).t)).toBeLessThan(4.5)
    expect(welch(normal('a', 20_000, 0.1), normal('b', 20_000, 0)).t).toBeGreaterThan(4.5)
  })

  it('cuts both samples at one limit', () => {
    const { difference } = welch([1, 2, 3, 1000], [1, 2, 3, 4], 0.75)
    expect(difference).toBe(0)
    expect(() => welch([1], [1, 2])).toThrow(RangeError)
  })
})

describe('the slope', () => {
  it('is that of the nearest straight line', () => {
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

describe('the seeded draws', () => {
  it('are the same for the same seed, and others for another', () => {
    const draws = (seed: string) => Array.from({ length: 5 }, randomFrom(seed))
    expect(draws('one')).toEqual(draws('one'))
    expect(draws('one')).not.toEqual(draws('two'))
    expect(draws('one').every((draw) => draw >= 0 && draw < 1)).toBe(true)
  })
})

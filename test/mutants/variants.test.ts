import { describe, expect, it } from 'vitest'
import { createSemaphore } from '../../conformance/run/semaphore.ts'
import { unexpected } from './figures.ts'
import { outcomesOf, settingOf } from './matrix.ts'
import { VARIANTS } from './variants.ts'

// A run partly waits, for slow bodies and for effects.
const semaphore = createSemaphore(3)

describe('a correct receiver fails no case', () => {
  it.concurrent.each(Object.entries(VARIANTS))('%s', async (_, variant) => {
    await semaphore.take()
    const outcomes = await outcomesOf(settingOf(variant), { seed: 'variants', waitMs: 3_000 }).finally(
      semaphore.give,
    )

    expect(unexpected(outcomes, variant.warning ?? [])).toEqual([])
  })
})

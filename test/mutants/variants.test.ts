import { beforeAll, describe, expect, it } from 'vitest'
import { inBackground } from '../support/in-background.ts'
import { unexpected } from './figures.ts'
import { outcomesOf, settingOf } from './matrix.ts'
import { VARIANTS } from './variants.ts'

// `npm run proof` includes the slow ones.
const QUICK = Object.fromEntries(Object.entries(VARIANTS).filter(([, { slow }]) => slow !== true))

describe('a correct receiver fails no case', () => {
  let unexpectedOf: (name: string) => Promise<string[]>
  beforeAll(() => {
    unexpectedOf = inBackground(QUICK, 3, async (variant) =>
      unexpected(
        await outcomesOf(settingOf(variant), { seed: 'variants', waitMs: 3_000 }),
        variant.warning ?? [],
      ),
    )
  })

  it.each(Object.keys(QUICK))('%s', async (name) => {
    expect(await unexpectedOf(name)).toEqual([])
  })
})

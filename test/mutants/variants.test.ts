import { beforeAll, describe, expect, it } from 'vitest'
import { inBackground } from '../support/in-background.ts'
import { unexpected } from './figures.ts'
import { outcomesOf, settingOf } from './matrix.ts'
import { VARIANTS } from './variants.ts'

describe('a correct receiver fails no case', () => {
  let unexpectedOf: (name: string) => Promise<string[]>
  beforeAll(() => {
    unexpectedOf = inBackground(VARIANTS, 3, async (variant) =>
      unexpected(await outcomesOf(settingOf(variant), { seed: 'variants', waitMs: 3_000 }), variant),
    )
  })

  it.each(Object.keys(VARIANTS))('%s', async (name) => {
    expect(await unexpectedOf(name)).toEqual([])
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { inBackground } from '../support/in-background.ts'
import { unexpected } from './proof/figures.ts'
import { gradeReceiver, settingOf } from './proof/grade.ts'
import { SECRETS } from './proof/secrets.ts'
import { VARIANTS } from './variants.ts'

// `npm run proof` runs the entire catalogue against each variant, with each shape of secret. Here each runs a share of it.
const SHARES = 70
const NAMES = Object.keys(VARIANTS)
const QUICK = Object.fromEntries(Object.entries(VARIANTS).filter(([, { slow }]) => slow !== true))

/** The cases that the variant could confuse, and a share of the others: together the variants run every case. */
function casesFor(name: string): string[] {
  const { related = [], warning = [], untested = [] } = VARIANTS[name] ?? {}
  const named = new Set<string>([...related, ...warning, ...untested])
  const share = NAMES.indexOf(name) % SHARES
  return CATALOGUE.filter(
    ({ id, alone }, n) => named.has(id) || (n % SHARES === share && alone !== true),
  ).map(({ id }) => id)
}

describe('a correct receiver fails no case', () => {
  let unexpectedOf: (name: string) => Promise<string[]>
  beforeAll(() => {
    unexpectedOf = inBackground(QUICK, 4, async (variant, name) => {
      const only = casesFor(name)
      const secret = SECRETS[NAMES.indexOf(name) % SECRETS.length] ?? SECRETS[0]
      const { outcomes } = await gradeReceiver(settingOf(variant), {
        seed: 'variants',
        waitMs: 3_000,
        ackWithinMs: 10_000,
        only,
        secret,
      })
      return unexpected(outcomes, variant, only)
    })
  })

  it.each(Object.keys(QUICK))('%s', async (name) => {
    expect(await unexpectedOf(name)).toEqual([])
  })
})

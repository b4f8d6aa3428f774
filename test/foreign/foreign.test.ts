import { Stripe } from 'stripe'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { type Running, withNode } from './frameworks.ts'
import { FOREIGN, SECRET } from './receivers.ts'
import { type Check, createShop } from './shop.ts'

const named = ({ verdicts }: ConformanceReport, outcome: string) =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.case)

async function gradeOnce({ url, close }: Running): Promise<ConformanceReport> {
  onTestFinished(async () => void (await close()))
  return check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET })
}

describe('a correct receiver that is not ours is failed by nothing', () => {
  test.each(Object.entries(FOREIGN))('%s', async (name, { lacks, start }) => {
    const lacking = lacks()
    if (lacking !== undefined) {
      const told = `${name}: ${lacking} is not installed here, so its receiver was not graded`
      if (process.env['CI'] === 'true') throw new Error(told)
      process.stderr.write(`${told}\n`)
      return
    }
    const report = await gradeOnce(await start())
    expect(named(report, 'failed')).toEqual([])
    expect(named(report, 'untested')).toEqual([])
    expect(report.conclusion).toBe('conformant')
  })
})

test("a receiver on the stripe package's constructEvent is failed for what that leaves open, and for nothing else", async () => {
  const { webhooks, errors } = new Stripe('sk_test_not_used')
  const stripe: Check = (body, header = '') => {
    try {
      webhooks.constructEvent(body, header, SECRET)
      return undefined
    } catch (error) {
      // It parses too, once the signature is right; what is no event the shop refuses itself.
      if (error instanceof SyntaxError) return undefined
      const wrong =
        error instanceof errors.StripeSignatureVerificationError &&
        error.message.startsWith('No signatures found matching')
      return { status: wrong ? 401 : 400, content: { error: 'refused' } }
    }
  }
  const report = await gradeOnce(await withNode(createShop(stripe)))
  expect(named(report, 'failed')).toEqual([
    // A time that is no number is neither too old nor anything else.
    'signature-header/t-empty',
    'signature-header/t-not-a-number',
    // It looks at the past only.
    'time-window/just-outside-the-future',
    'time-window/a-year-ahead',
    'time-window/ahead-by-2-to-the-32',
    'time-window/in-milliseconds',
    // It decodes the body before it verifies, and that drops a mark and replaces bytes.
    'body-bytes/byte-order-mark-added',
    'body-bytes/replacement-characters',
  ])
})

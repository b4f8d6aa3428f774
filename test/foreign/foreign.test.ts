import { Stripe } from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceReport, check } from '../../conformance/index.ts'
import { inBackground } from '../support/in-background.ts'
import { requires } from '../support/prerequisites.ts'
import { type Running, withNode } from './frameworks.ts'
import { FOREIGN, SECRET } from './receivers.ts'
import { type Check, createShop } from './shop.ts'

/** `npm run proof` includes these: a server with one thread takes many seconds for them. */
const LONG = ['duplicates/after-a-thousand-payments', 'duplicates/nothing-happens-twice-later']

const STRIPE = "the stripe package's constructEvent"
const { webhooks, errors } = new Stripe('sk_test_not_used')

const starts: Readonly<Record<string, () => Promise<Running>>> = {
  ...Object.fromEntries(
    Object.entries(FOREIGN).flatMap(([name, { missing, start }]) =>
      missing() === undefined ? [[name, start]] : [],
    ),
  ),
  [STRIPE]: () => withNode(createShop(checkWithStripe)),
}

const opened: Running[] = []
let reportOf: (name: string) => Promise<ConformanceReport>

beforeAll(() => {
  reportOf = inBackground(starts, 2, async (start) => {
    const receiver = await start()
    opened.push(receiver)
    const { url } = receiver
    return check({ url: `${url}/webhooks`, observe: `${url}/observe`, secret: SECRET, skip: LONG })
  })
})

afterAll(() => Promise.all(opened.map(({ close }) => close())))

const casesWith = ({ verdicts }: ConformanceReport, outcome: string) =>
  verdicts.filter((verdict) => verdict.outcome === outcome).map((verdict) => verdict.case)

describe('a correct receiver that shares no code with ours fails no case', () => {
  for (const [name, { missing }] of Object.entries(FOREIGN)) {
    requires(missing()).test(name, async () => {
      const report = await reportOf(name)
      expect(casesWith(report, 'failed')).toEqual([])
      expect(casesWith(report, 'untested')).toEqual([])
      expect(report.conclusion).toBe('conformant')
    })
  }
})

function checkWithStripe(body: Buffer, header = ''): ReturnType<Check> {
  try {
    webhooks.constructEvent(body, header, SECRET)
    return undefined
  } catch (error) {
    // It also parses the body once the signature is valid; the shop itself refuses what is not an event.
    if (error instanceof SyntaxError) return undefined
    const wrong =
      error instanceof errors.StripeSignatureVerificationError &&
      error.message.startsWith('No signatures found matching')
    return { status: wrong ? 401 : 400, content: { error: 'refused' } }
  }
}

test(`a receiver with ${STRIPE} fails exactly the cases that it does not cover`, async () => {
  expect(casesWith(await reportOf(STRIPE), 'failed')).toEqual([
    // A time that is not a number is neither too old nor too new.
    'signature-header/t-not-a-number',
    // It checks the past only.
    'time-window/just-outside-the-future',
    'time-window/a-year-ahead',
    'time-window/ahead-by-2-to-the-32',
    'time-window/in-milliseconds',
    // It decodes the body before it verifies it, which drops a byte-order mark and replaces invalid bytes.
    'body-bytes/byte-order-mark-added',
    'body-bytes/replacement-characters-reversed',
  ])
})

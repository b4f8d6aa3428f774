import { Stripe } from 'stripe'
import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../conformance/index.ts'
import { LONG_CASES } from '../support/long-cases.ts'
import { withNode } from './frameworks.ts'
import { SECRET } from './receivers.ts'
import { type Check, createShop } from './shop.ts'

// `npm run proof` grades the receivers of this folder that are correct: those in other languages take many seconds.

const STRIPE = "the stripe package's constructEvent"
const { webhooks, errors } = new Stripe('sk_test_not_used')

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
  const { url, close } = await withNode(createShop(checkWithStripe))
  onTestFinished(async () => void (await close()))
  const { verdicts } = await check({
    url: `${url}/webhooks`,
    observe: `${url}/observe`,
    secret: SECRET,
    skip: LONG_CASES,
  })
  // A machine that is too busy to answer within a second leaves open how the receiver judges the edge of the window.
  const inDoubt = (id: string, outcome: string) =>
    outcome === 'untested' && id === 'time-window/just-outside-the-future'
  const notPassed = verdicts.filter(
    (verdict) => verdict.outcome === 'failed' || inDoubt(verdict.case, verdict.outcome),
  )
  expect(notPassed.map((verdict) => verdict.case)).toEqual([
    // A time that is not a number is neither too old nor too new.
    'signature-header/t-not-a-number',
    // It checks the past only.
    'time-window/just-outside-the-future',
    'time-window/a-year-ahead',
    'time-window/ahead-by-2-to-the-32',
    'time-window/far-ahead',
    'time-window/in-milliseconds',
    // It decodes the body before it verifies it, which drops a byte-order mark and replaces invalid bytes.
    'body-bytes/byte-order-mark-added',
    'body-bytes/replacement-characters-reversed',
  ])
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { failing, gradeHere } from './here.ts'
import { startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, runNodeTest, runVitest, SECRET } from './support.ts'

const doc = readFileSync('docs/testing.md', 'utf8')
const [withVitest = '', withNode = '', withService = ''] = [...doc.matchAll(/```js\n([\s\S]*?)```/g)].map(
  ([, code]) => code,
)

/** An app as a reader may have. */
const APP = `
import express from 'express'
import { memoryInbox } from '@hookproof/receiver'
import { webhookHandler } from '@hookproof/receiver/express'

const effects = new Map()
const refunded = new Set()
export const effectsOf = (paymentId) => effects.get(paymentId) ?? []

function work({ paymentId, body }) {
  const { event, amount, currency, livemode } = JSON.parse(body)
  const before = effectsOf(paymentId)
  const add = (effect) => effects.set(paymentId, [...before, { event, effect, amount, currency, livemode }])
  if (event === 'payment.completed' && before.length === 0 && !refunded.has(paymentId)) add('fulfilled')
  if (event !== 'payment.refunded') return
  refunded.add(paymentId)
  if (before.length === 1) add('reversed')
}

const onOutcome = ({ outcome, delivery }) => outcome === 'stored' && work(delivery)
export const app = express()
app.post('/webhooks', webhookHandler({ secrets: 'whsec_test', inbox: memoryInbox(), onOutcome }))
`

/** A receiver of Stripe's webhooks, with its library. */
const STRIPE_APP = `
import express from 'express'
import { Stripe } from 'stripe'

const handled = new Map()
export const timesHandled = (key) => handled.get(key) ?? 0

const { webhooks } = new Stripe('sk_test_unused')
export const app = express()
app.post('/webhooks', express.raw({ type: () => true }), (request, response) => {
  try {
    const { id } = webhooks.constructEvent(request.body, request.headers['stripe-signature'] ?? '', 'whsec_test')
    if (!handled.has(id)) handled.set(id, 1)
    response.sendStatus(200)
  } catch {
    response.sendStatus(400)
  }
})
`

describe('docs/testing.md', () => {
  test('has a working example for Vitest, which runs every case', async () => {
    const { receiver: ran } = await runVitest({ receiver: withVitest }, { files: { 'app.js': APP } })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(expect.arrayContaining(casesNeeding('effects')))
  })

  test('has a working example for node:test, which runs every case that needs no effects', async () => {
    const { url } = await startVariant('plain')
    const env = { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET }
    const ran = await runNodeTest(withNode, { env })

    expect(ran.code, ran.output).toBe(0)
    expect(having('passed', ran)).toEqual(casesNeeding(undefined))
  })

  test('has a working example for another service, which also counts what is handled', async () => {
    const { receiver: ran } = await runVitest({ receiver: withService }, { files: { 'app.js': STRIPE_APP } })

    expect(ran.code, ran.output).toBe(0)
    expect(ran.output).toMatch(/✓.*duplicates\/delivered-again/)
  })

  test('shows the message of a real failure', async () => {
    const [, shown = ''] = /```text\n([\s\S]*?)\n```/.exec(doc) ?? []
    const { url } = await startMutant('also accepts a signature over the body alone')
    const seed = '5d41402a'
    const outcomes = await gradeHere({
      target: url,
      secret: SECRET,
      seed,
      only: ['refusals'],
      profile: 'core',
    })

    expect(failing(outcomes)).toEqual(['refusals/body-alone'])
    expect(outcomes.get('refusals/body-alone')).toMatchObject({
      stack: shown.replace('http://localhost:3000/webhooks', url),
    })
  })
})

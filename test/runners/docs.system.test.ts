import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { failing, gradeHere } from './here.ts'
import { startMutant, startVariant } from './receivers.ts'
import { casesNeeding, having, runNodeTest, runVitest, SECRET } from './support.ts'

const doc = readFileSync('docs/testing.md', 'utf8')
const [withVitest = '', withNode = ''] = [...doc.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code)

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

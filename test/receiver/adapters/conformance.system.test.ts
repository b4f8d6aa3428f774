import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConformanceReport, check } from '../../../conformance/index.ts'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { memoryLedger } from '../../../receiver/ledger/memory.ts'
import { createOrders } from '../../../receiver/orders.ts'
import { startProcessing } from '../../../receiver/processing.ts'
import { inBackground } from '../../support/in-background.ts'
import { LONG_CASES } from '../../support/long-cases.ts'
import { SECRET } from '../support.ts'
import { FRAMEWORKS } from './frameworks.ts'

const closes: (() => Promise<unknown>)[] = []
let reportOf: (name: string) => Promise<ConformanceReport>

beforeAll(() => {
  reportOf = inBackground(FRAMEWORKS, 4, async (serve) => {
    const inbox = memoryInbox()
    const orders = createOrders({ ledger: memoryLedger() })
    const processing = startProcessing({ inbox, ...orders })
    const { url, close } = await serve({ secrets: SECRET, inbox, onOutcome: () => processing.wake() })
    closes.push(close, () => processing.stop())
    const observe = async (paymentId: string) => (await orders.observe(paymentId)).effects
    return check({ url: `${url}/webhooks`, observe, secret: SECRET, skip: LONG_CASES })
  })
})

afterAll(() => Promise.all(closes.map((close) => close())))

// The long cases are about the inbox, not about the framework.
describe('the receiver passes every case of the full profile', () => {
  test.each(Object.keys(FRAMEWORKS))('with %s', async (name) => {
    const { verdicts, conclusion, profile } = await reportOf(name)
    const others = verdicts.filter(({ outcome }) => outcome !== 'passed')
    expect(others.map((verdict) => `${verdict.case}: ${verdict.outcome}`)).toEqual([])
    expect([conclusion, profile]).toEqual(['conformant', 'full'])
  })
})

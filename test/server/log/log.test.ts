import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { vectors } from '../../../fixtures/index.ts'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { refusal } from '../../../receiver/limits/refusals.ts'
import { createVerifier } from '../../../receiver/verify.ts'
import { createApp } from '../../../server/app.ts'
import { logAttempt, logDelivery } from '../../../server/log/log.ts'
import { delivery, events } from '../../receiver/support.ts'
import { recordingLog } from './recording-log.ts'

describe('the log of all vectors', () => {
  it('has one line per delivery, without a secret, a signature or a body; so has every answer', async () => {
    const { log, lines } = recordingLog()
    const shown: string[] = []
    for (const vector of vectors()) {
      const secrets = vector.secrets ?? [vector.secret ?? '']
      const verify = createVerifier({
        secrets,
        toleranceSeconds: vector.tolerance_seconds,
        clock: () => vector.now * 1000,
      })
      const app = createApp({ verify, inbox: memoryInbox(), onOutcome: (result) => logDelivery(log, result) })
      const body = Buffer.from(vector.body_base64, 'base64')
      const values = [vector.header ?? []].flat().filter((value) => /^[\x20-\x7e]*$/.test(value))
      const before = lines.length
      const response = await request(app)
        .post('/webhooks')
        .set(values.length > 0 ? { 'X-Service-Signature': values } : {})
        .type('json')
        .serialize((bytes) => bytes)
        .send(body)
      expect(lines).toHaveLength(before + 1)

      shown.push(response.text, lines.at(-1) ?? '')
      const marks = [...secrets, ...values.flatMap((value) => value.match(/[0-9a-fA-F]{16,}/g) ?? [])]
      const text = body.toString('utf8')
      if (text.length > 12) marks.push(text, JSON.stringify(text).slice(1, -1))
      for (const mark of marks) {
        for (const line of shown.slice(-2)) expect(line).not.toContain(mark)
      }
    }
    expect(shown.length).toBeGreaterThanOrEqual(80)
  })
})

describe('a log line', () => {
  const verified = delivery(events('log').event('completed'))

  it('has the outcome and the payment of a delivery', () => {
    const { log, lines } = recordingLog()
    logDelivery(log, { outcome: 'stored', status: 200, delivery: verified })
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      msg: 'delivery',
      outcome: 'stored',
      status: 200,
      payment_id: verified.paymentId,
      event: 'payment.completed',
    })
  })

  it('stays short and single, whatever id the sender chose', () => {
    const { log, lines } = recordingLog()
    const odd = delivery({ event: 'a\nb', payment_id: 'x'.repeat(100_000) })
    logDelivery(log, { outcome: 'duplicate', status: 200, delivery: odd })
    expect(lines[0]?.length).toBeLessThan(400)
    expect(lines[0]?.trimEnd()).not.toContain('\n')
  })

  it('is a warning for an overloaded receiver, and an error for a failing store', () => {
    const { log, lines } = recordingLog()
    const cause = new Error('1000 deliveries are waiting for the store')
    for (const code of ['overloaded', 'body_evicted', 'store_unavailable'] as const) {
      logDelivery(log, { outcome: 'refused', status: 503, error: refusal(code, cause) })
    }
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 40, code: 'overloaded', cause: cause.message },
      { level: 40, code: 'body_evicted', cause: cause.message },
      { level: 50, code: 'store_unavailable', cause: cause.message },
    ])
  })

  it('has the cause of a failed attempt, without a stack', async () => {
    const { log, lines } = recordingLog()
    const inbox = memoryInbox()
    await inbox.accept(verified)
    for (const entry of await inbox.claim(1, Date.now())) {
      const error = new Error('no goods')
      logAttempt(log, { outcome: 'handled', entry })
      logAttempt(log, { outcome: 'retry', entry, error, dueAt: 5 })
      logAttempt(log, { outcome: 'dead', entry, error })
      logAttempt(log, { outcome: 'lost', entry })
      logAttempt(log, { outcome: 'store_failed', error })
      logAttempt(log, { outcome: 'another_process', error })
    }
    const parsed = lines.map((line) => JSON.parse(line))
    expect(parsed.map(({ level, outcome, cause }) => [level, outcome, cause])).toEqual([
      [20, 'handled', undefined],
      [40, 'retry', 'no goods'],
      [50, 'dead', 'no goods'],
      [40, 'lost', undefined],
      [50, 'store_failed', 'no goods'],
      [30, 'another_process', 'no goods'],
    ])
    expect(lines.join('')).not.toContain(import.meta.filename)
  })
})

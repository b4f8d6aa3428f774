import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { expect, it, onTestFinished } from 'vitest'
import { check } from '../../../conformance/check.ts'
import { SECRET } from '../support.ts'

/** A receiver as a beginner writes it: it verifies JSON that is serialized again, never looks at the time, and throws. */
async function naiveReceiver(): Promise<string> {
  const app = express()
  app.use(express.json())
  app.post('/webhooks', (request, response) => {
    const entries = String(request.get('X-Service-Signature')).split(',')
    const { t, v1 = '' } = Object.fromEntries(entries.map((entry) => entry.split('='))) as Record<
      string,
      string
    >
    const signed = `${t}.${JSON.stringify(request.body)}`
    const expected = createHmac('sha256', SECRET).update(signed).digest('hex')
    const isValid = timingSafeEqual(Buffer.from(expected), Buffer.from(v1))
    response.status(isValid ? 200 : 401).end()
  })
  app.use(((_error, _request, response, _next) =>
    response.status(500).end()) satisfies express.ErrorRequestHandler)
  const server = app.listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`
}

it('names the three mistakes of a naive receiver, though a body parser refuses unusual requests first', async () => {
  const { causes = [], verdicts } = await check({
    url: await naiveReceiver(),
    secret: SECRET,
    profile: 'core',
  })
  expect(causes.map(({ code }) => code).toSorted()).toEqual([
    'body_reserialized',
    'error_not_caught',
    'no_window',
  ])
  const explained = new Set(causes.flatMap(({ cases }) => cases))
  const failed = verdicts.filter(({ outcome }) => outcome === 'failed')
  expect(failed.filter((verdict) => explained.has(verdict.case)).length).toBeGreaterThan(failed.length * 0.8)
})

import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../../conformance/engine/exchange.ts'
import { sendPipelined, sendRaw } from '../../../../conformance/engine/wire/sender.ts'
import { answerSo, HOSTILE } from './hostile.ts'
import { noted, recorder, senderTo, sentAs, targetOf } from './raw-server.ts'

const TIMEOUT_MS = 200
/** What a busy machine may add. */
const SLACK_MS = 5_000
/** What is kept of a response: its head is limited by node:http, and its body by the suite. */
const MOST_BYTES = 64 * 1024

const raw = sentAs({ kind: 'raw', version: '1.1' })

function sizeOf({ answer }: Exchange): number {
  if (answer === undefined) return 0
  const { reason = '', headers, body } = answer
  return Math.max(reason.length, body.length, ...headers.map(([name, value]) => name.length + value.length))
}

describe('a hostile response', () => {
  it.concurrent.each(Object.entries(HOSTILE))(
    'ends within the time limit, in bounded memory: %s',
    async (_, hostile) => {
      const { url, stop } = await recorder('', ({ socket, pieces }) => {
        if (pieces.length === 1) void answerSo(hostile, socket)
        return true
      })
      const target = targetOf(url, { timeoutMs: TIMEOUT_MS })
      const sender = senderTo(url, { timeoutMs: TIMEOUT_MS })
      const started = performance.now()
      const exchanges = [
        await sender.send(noted),
        await sendRaw(raw, target),
        ...(await sendPipelined([noted, noted], target, sender)),
      ]
      stop()
      // Three times in turn, and once more what was pipelined.
      expect(performance.now() - started).toBeLessThan(5 * TIMEOUT_MS + SLACK_MS)
      for (const exchange of exchanges) {
        expect(exchange.answer === undefined).toBe(exchange.error !== undefined)
        expect(sizeOf(exchange)).toBeLessThanOrEqual(MOST_BYTES)
      }
    },
  )

  it('of a chunk with a negative size is no HTTP', async () => {
    const { url } = await recorder(HOSTILE['a negative chunk size'] as string)
    expect((await sendRaw(raw, targetOf(url))).error?.code).toBe('garbled')
    expect((await senderTo(url).send(noted)).error?.code).toBe('garbled')
  })
})

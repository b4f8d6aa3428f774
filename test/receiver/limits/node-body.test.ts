import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { readWithinLimits } from '../../../receiver/limits/node-body.ts'
import { limitsOf } from '../../../receiver/limits/overload.ts'

/** In which turns of the event loop bodies are read, if all of them arrive in the same one. */
async function turnsOf(bytes: number): Promise<number[]> {
  let turn = 0
  let isCounting = true
  const count = (): void => {
    turn += 1
    if (isCounting) setImmediate(count)
  }
  onTestFinished(() => void (isCounting = false))
  count()
  const limits = limitsOf({})
  const bodies = Array.from({ length: 8 }, async () => {
    const request = Object.assign(Readable.from([Buffer.alloc(bytes)]), { headers: {}, socket: {} })
    await readWithinLimits(request as unknown as IncomingMessage, {} as ServerResponse, limits)
    return turn
  })
  return Promise.all(bodies)
}

it('verifies one large body in each turn of the event loop, and small ones at once', async () => {
  expect(new Set(await turnsOf(256 * 1024)).size).toBe(8)
  expect(new Set(await turnsOf(1024)).size).toBeLessThan(3)
})

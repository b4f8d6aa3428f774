import { expect, it, onTestFinished } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { createOverload } from '../../../receiver/limits/overload.ts'
import type { DeliveryOutcome } from '../../../receiver/receive.ts'
import { openConnection, requestHead } from '../../support/raw-connection.ts'
import { until } from '../../support/until.ts'
import { events, signed, verify } from '../support.ts'
import { FRAMEWORKS } from './frameworks.ts'

const { body, header } = signed(events('adapters on the wire').event('completed'))
const SIGNED = `X-Service-Signature: ${header}`
const SIZED = `Content-Length: ${body.length}`

const chunk = (bytes: Buffer) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

for (const [name, serve] of Object.entries(FRAMEWORKS)) {
  const receiver = async (bodyTimeoutMs = 10_000) => {
    const overload = createOverload({ maxHeldBytes: 64 * 1024 })
    const outcomes: DeliveryOutcome[] = []
    const onOutcome = (outcome: DeliveryOutcome) => void outcomes.push(outcome)
    const { url, close } = await serve({ verify, inbox: memoryInbox(), overload, bodyTimeoutMs, onOutcome })
    onTestFinished(async () => void (await close()))
    const dial = () => openConnection(url)
    /** Sends bytes on a new connection and waits for the answer. */
    const answerTo = async (...parts: readonly (string | Buffer)[]) => {
      const { socket, received, closed } = await dial()
      for (const part of parts) socket.write(part)
      await until(() => closed() || received().includes('}'))
      return received()
    }
    return { dial, answerTo, overload, outcomes }
  }

  it(`${name}: the answer to a slow body arrives`, async () => {
    const { answerTo, overload } = await receiver(20)
    expect(await answerTo(requestHead(SIGNED, SIZED), body.subarray(0, 10))).toContain('"body_too_slow"')
    expect(await answerTo(requestHead(SIGNED, SIZED))).toContain('"body_too_slow"')
    expect(overload.heldBytes).toBe(0)
  })

  it(`${name}: the answer to a body that is evicted arrives`, async () => {
    const { answerTo, overload } = await receiver()
    const evicted = answerTo(requestHead(SIGNED, 'Content-Length: 70000'), Buffer.alloc(60_000))
    await until(() => overload.heldBytes >= 60_000)
    overload.reserve(60_000)
    expect(await evicted).toContain('"body_evicted"')
    overload.release(60_000)
    expect(overload.heldBytes).toBe(0)
    expect(await answerTo(requestHead(SIGNED, SIZED), body)).toContain('{"received":true}')
  })

  it(`${name}: the answer to a body that is too large arrives before the body`, async () => {
    const { answerTo } = await receiver()
    expect(await answerTo(requestHead(SIGNED, `Content-Length: ${2 ** 30}`))).toContain('"body_too_large"')
  })

  it(`${name}: the answer to a body in tiny chunks arrives`, async () => {
    const { answerTo, overload } = await receiver()
    const chunks = Buffer.concat(Array.from({ length: 6000 }, () => chunk(Buffer.from('x'))))
    const answer = await answerTo(requestHead(SIGNED, 'Transfer-Encoding: chunked'), chunks)
    // They need more memory than the receiver has, unless it joins them.
    expect(answer).toMatch(/"body_too_fragmented"|"body_evicted"/)
    expect(overload.heldBytes).toBe(0)
  })

  it(`${name}: many senders that disconnect leave nothing behind`, async () => {
    const { dial, answerTo, overload, outcomes } = await receiver()
    const heads = [requestHead(SIGNED, SIZED), requestHead(SIGNED, 'Transfer-Encoding: chunked')]
    const starts = [Buffer.alloc(0), body.subarray(0, 50), body]
    const senders = Array.from({ length: 60 }, async (_, at) => {
      const { socket } = await dial()
      socket.write(heads[at % 2] ?? '')
      const start = starts[at % 3] ?? body
      socket.write(at % 2 === 0 ? start : start.length > 0 ? chunk(start) : '')
      setTimeout(() => socket.resetAndDestroy(), at % 7)
    })
    await Promise.all(senders)
    expect(await answerTo(requestHead(SIGNED, SIZED), body)).toContain('{"received":true}')
    await until(() => overload.heldBytes === 0)
    const codes = new Set(outcomes.map((result) => ('error' in result ? result.error.code : result.outcome)))
    expect([...codes].filter((code) => !['stored', 'duplicate', 'body_truncated'].includes(code))).toEqual([])
  })
}

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import { observeUrl } from '../../../../conformance/engine/observe/observe-url.ts'
import { createWatch } from '../../../../conformance/engine/observe/watch.ts'
import { afterAwake, awakeNow, excludeStalls } from '../../../../conformance/engine/time/awake.ts'
import { createPatience } from '../../../../conformance/engine/wire/patience.ts'
import { sendRaw } from '../../../../conformance/engine/wire/sender.ts'
import { serve } from '../../servers.ts'
import { noted, senderTo, targetOf } from '../wire/raw-server.ts'

const { observation } = paymentService

const ANSWER_MS = 20
const LIMIT_MS = 600
const STALL_MS = 900

/** A receiver in another thread, so that a stall of this one does not delay its response. */
const RECEIVER = `
  const { parentPort } = require('node:worker_threads')
  const server = require('node:http').createServer((request, response) => {
    request.resume().on('end', () => setTimeout(() => response.end('{"effects":[]}'), ${ANSWER_MS}))
  })
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))
`
let worker: Worker
let url: string

beforeAll(async () => {
  worker = new Worker(RECEIVER, { eval: true })
  const [port] = (await once(worker, 'message')) as [number]
  url = `http://127.0.0.1:${port}/hooks`
})
afterAll(() => worker.terminate())

/** Blocks the event loop, as an overloaded machine does that runs other programs instead. */
const stall = (ms = STALL_MS) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
const excluding = () => {
  const stop = excludeStalls()
  onTestFinished(() => void stop())
  return stop
}
/** Blocks the event loop as soon as the request is on the wire. */
const stallInFlight = () => setTimeout(stall, 5)

describe('a stall of this process is no fault of the receiver', () => {
  it.each([
    ['by node:http', () => senderTo(url, { timeoutMs: LIMIT_MS }).send(noted)],
    ['on a socket', () => sendRaw(noted, targetOf(url, { timeoutMs: LIMIT_MS }))],
  ])('a delivery sent %s gets its response in time', async (_, send) => {
    const stop = excluding()
    const sending = send()
    stallInFlight()
    const { answer, error } = await sending
    expect(error).toBeUndefined()
    expect(answer?.ms).toBeLessThan(LIMIT_MS)
    expect(answer?.wallMs).toBeGreaterThanOrEqual(STALL_MS)
    expect(stop()).toBeGreaterThan(STALL_MS / 2)
  })

  it('an observation arrives in time', async () => {
    excluding()
    const observing = observeUrl(new URL(url), observation, createPatience(LIMIT_MS)).effects('tx_1')
    stallInFlight()
    await expect(observing).resolves.toEqual([])
  })

  it('does not count as time in which no effect came', async () => {
    excluding()
    let looks = 0
    const observer = { effects: async () => [], intervalMs: 5, parallel: 1, sample: 1 }
    const watch = createWatch(observer, LIMIT_MS)
    const look = async () => {
      looks += 1
      if (looks === 1) stall()
      return looks === 4
    }
    expect(await watch.until(look, 1)).toBe(true)
  })

  it('does not end a wait', async () => {
    excluding()
    const started = awakeNow()
    const waited = new Promise<number>((resolve) => afterAwake(LIMIT_MS, () => resolve(awakeNow() - started)))
    stall()
    expect(await waited).toBeGreaterThanOrEqual(LIMIT_MS - 1)
  })
})

describe('time counts in full', () => {
  it('while nobody excludes stalls', () => {
    const started = awakeNow()
    stall()
    expect(awakeNow() - started).toBeGreaterThanOrEqual(STALL_MS - 1)
  })

  it('when the receiver runs in this process, and blocks it', async () => {
    const stop = excluding()
    const blocking = await serve((_, response) => {
      stall()
      response.end()
    })
    const { answer } = await senderTo(blocking.url, {}).send(noted)
    // A busy machine may wake this thread late, and that part is excluded: all of it but 50 ms would be, if nobody knew the host.
    expect(answer?.ms).toBeGreaterThan(STALL_MS / 2)
    expect((answer?.ms ?? 0) + stop()).toBeGreaterThanOrEqual(STALL_MS - 1)
  })

  it('when a receiver never responds', async () => {
    excluding()
    const silent = await serve(() => undefined)
    const { error } = await senderTo(silent.url, { timeoutMs: 30 }).send(noted)
    expect(error?.code).toBe('timeout')
  })
})

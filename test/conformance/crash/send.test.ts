import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { expect, onTestFinished, test } from 'vitest'
import { paymentService } from '../../../conformance/contracts/payment-service/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import { send } from '../../../conformance/crash/send.ts'
import { excludeStalls } from '../../../conformance/engine/time/awake.ts'
import { targetOf } from '../../../conformance/options.ts'
import { until } from '../../support/until.ts'

const SECRET = 'whsec_of_the_test_of_a_stall'
const TIMEOUT_MS = 100
const STALL_MS = 300
const kit = createKit('stall', { secret: SECRET, seed: 'a', mode: 'test', now: () => 1_800_000_000 })
const targetAt = (port: number) =>
  targetOf({ url: `http://127.0.0.1:${port}/`, secret: SECRET, timeoutMs: TIMEOUT_MS }, paymentService)

test('a response that arrives while this process is stalled is no timeout', async () => {
  const worker = new Worker(
    `const { createServer } = require('node:http')
     const { parentPort } = require('node:worker_threads')
     const server = createServer((_, response) => setTimeout(() => response.end(), 20))
     server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
    { eval: true },
  )
  const stalledMs = excludeStalls()
  onTestFinished(async () => {
    stalledMs()
    await worker.terminate()
  })
  const [port] = (await once(worker, 'message')) as [number]
  const target = targetAt(port)
  // Another one first, so that the connection below is only a matter of the stall.
  await send(kit.delivery('completed'), { ...target, timeoutMs: 10_000 })
  const sent = send(kit.delivery('completed'), target)
  // After an immediate, timers come before what has arrived.
  setTimeout(() => setImmediate(stall), 5)
  expect(await sent).toMatchObject({ status: 200 })
})

test('a body that never ends keeps no connection open', async () => {
  const server = createServer((_, response) => {
    const piece = setInterval(() => response.write('x'), 10)
    response.on('close', () => clearInterval(piece))
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const [socket, { status }] = await Promise.all([
    once(server, 'connection').then(([connection]) => connection as Socket),
    send(kit.delivery('completed'), targetAt(port)),
  ])
  expect(status).toBe(200)
  // By a reset as well as by a FIN.
  await until(() => socket.destroyed)
})

function stall(): void {
  const end = performance.now() + STALL_MS
  while (performance.now() < end);
}

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hookproof } from './support.ts'

let deliveries = 0
// Each run sends two deliveries, the preflight and the case, and eleven more to find the cause of a failure. The case of the
// second run gets another answer.
const server = createServer((request, response) => {
  deliveries += 1
  response.statusCode = deliveries === 4 ? 500 : 200
  request.resume().on('end', () => response.end())
})
let url = ''

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const run = (repeat: string) =>
  hookproof(['check', url, '--only', 'transport/posted-as-json', '--seed', 'repeated', '--repeat', repeat], {
    env: { HOOKPROOF_SECRET: 'whsec_x' },
  })

test('a verdict that differs between runs is unstable and fails, and the worst run is reported', async () => {
  expect(await run('3')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Not conformant'),
    stderr: expect.stringContaining('unstable: 1 verdict differs between runs: transport/posted-as-json'),
  })
  expect(deliveries).toBe(17)
  const steady = await run('2')
  expect(steady).toMatchObject({ code: 0 })
  expect(steady.stderr).not.toContain('unstable')
  expect(deliveries).toBe(21)
})

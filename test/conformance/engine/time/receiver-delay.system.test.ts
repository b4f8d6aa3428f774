import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'
import { excludeStalls, stopwatch } from '../../../../conformance/engine/time/awake.ts'
import {
  excludeReceiverDelay,
  listenersAt,
  withoutCpu,
} from '../../../../conformance/engine/time/receiver-delay.ts'
import { missingProgram, requires } from '../../../support/prerequisites.ts'

/** Answers each request after so much CPU time, in milliseconds. */
const COMPUTES_MS = 800
const RECEIVER = `
const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000 }
require('node:http').createServer((request, response) => {
  const end = cpuMs() + ${COMPUTES_MS}
  while (cpuMs() < end);
  response.end()
}).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

/** Runs a program on one core only. */
function onFirstCore(program: string) {
  const child = spawn('taskset', ['-c', '0', process.execPath, '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

requires(missingProgram('taskset')).test(
  'a receiver that shares its core with three busy programs is given the time in which they ran',
  async () => {
    const [port] = await once(createInterface({ input: onFirstCore(RECEIVER).stdout }), 'line')
    for (let busy = 0; busy < 3; busy += 1) onFirstCore('for (;;);')
    const url = new URL(`http://127.0.0.1:${port}/`)
    const stop = [excludeStalls(), excludeReceiverDelay(url)]
    onTestFinished(() => stop.forEach((each) => each()))
    const taken = stopwatch()
    const started = performance.now()
    await (await fetch(url)).text()
    const { ms } = taken()
    const wallMs = performance.now() - started
    expect(wallMs).toBeGreaterThan(2 * COMPUTES_MS)
    expect(ms).toBeLessThan(wallMs / 2 + COMPUTES_MS / 2)
    expect(ms).toBeGreaterThan(COMPUTES_MS / 2)
  },
)

it('a program got no CPU while a thread waited and none ran', () => {
  const times = (...threads: [ranMs: number, waitedMs: number][]) =>
    new Map(threads.map(([ranMs, waitedMs], thread) => [String(thread), { ranMs, waitedMs }]))
  const before = times([1_000, 5_000], [0, 0])
  expect(withoutCpu(before, before, 200)).toBe(0)
  expect(withoutCpu(before, times([1_050, 5_150], [0, 0]), 200)).toBe(150)
  // Its own threads kept the CPU from each other.
  expect(withoutCpu(before, times([1_200, 5_000], [200, 180]), 200)).toBe(0)
  expect(withoutCpu(before, times([1_000, 9_000], [0, 0]), 200)).toBe(200)
  // A thread that started in the meantime.
  expect(withoutCpu(before, times([1_000, 5_000], [0, 0], [10, 30]), 200)).toBe(30)
})

requires(process.platform === 'linux' ? undefined : 'only Linux shows it').test(
  'finds the process that listens at a port',
  async () => {
    const server = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    expect(listenersAt(port)).toEqual([process.pid])
    expect(listenersAt(1)).toEqual([])
  },
)

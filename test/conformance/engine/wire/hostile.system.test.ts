import type { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import type { CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { addressOf } from '../../../../load/connection.ts'
import { runLoad } from '../../../../load/run.ts'
import { serveRaw } from '../../servers.ts'
import { SECRET } from '../../support.ts'
import { answerSo, HOSTILE, type Hostile } from './hostile.ts'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
/** One for each way in which deliveries are sent. */
const CASES: CaseId[] = [
  'transport/posted-as-json',
  'transport/several-on-one-connection',
  'transport/pipelined',
  'transport/chunked-in-two',
  'robustness/good-while-bodies-are-held',
]
/** A run in which nothing is answered any more waits for ten seconds for a sign of life. */
const MOST_MS = 60_000
const AT_ONCE = 6
/** A report of so few cases. */
const MOST_REPORT_BYTES = 4 * 1024 * 1024
const MOST_MEMORY_BYTES = 700 * 1024 * 1024

/** Answers the first request of all with 200, and every other one so. */
async function hostileServer(hostile: Hostile, friendly: number) {
  let requests = 0
  return serveRaw((socket: Socket) => {
    socket.on('data', (chunk: Buffer) => {
      if (!/^[A-Z]+ \S+ HTTP/.test(chunk.subarray(0, 200).toString('latin1'))) return
      requests += 1
      if (requests <= friendly) socket.write(OK)
      else void answerSo(hostile, socket)
    })
  })
}

const memory = () => process.memoryUsage().rss

async function graded([name, hostile]: [string, Hostile]) {
  const { url, stop } = await hostileServer(hostile, 1)
  const started = performance.now()
  const report = await check({ url, secret: SECRET, only: CASES, timeoutMs: 500, waitMs: 500 })
  stop()
  return { name, report, ms: performance.now() - started }
}

it('a check of a hostile receiver ends with a report, whatever it answers', async () => {
  const before = memory()
  const all = Object.entries(HOSTILE)
  const reports = []
  // The receivers run in this process too: more at once would take the time that each run is measured by.
  for (let at = 0; at < all.length; at += AT_ONCE)
    reports.push(...(await Promise.all(all.slice(at, at + AT_ONCE).map(graded))))
  for (const { name, report, ms } of reports) {
    expect([name, report.verdicts.length]).toEqual([name, CASES.length])
    expect([name, ms < MOST_MS]).toEqual([name, true])
    expect([name, JSON.stringify(report).length < MOST_REPORT_BYTES]).toEqual([name, true])
  }
  expect(reports.length).toBeGreaterThanOrEqual(60)
  expect(memory() - before).toBeLessThan(MOST_MEMORY_BYTES)
}, 600_000)

it('load on a hostile receiver ends in time, whatever it answers', async () => {
  const before = memory()
  for (const [name, hostile] of Object.entries(HOSTILE)) {
    const { url, stop } = await hostileServer(hostile, 0)
    const started = performance.now()
    const result = await runLoad({
      url: new URL(url),
      address: await addressOf(new URL(url)),
      secret: SECRET,
      signatureHeader: 'X-Service-Signature',
      headers: [],
      connections: 2,
      durationMs: 200,
      duplicates: 0,
      timeoutMs: 300,
      seed: '1',
    })
    stop()
    expect([name, performance.now() - started < 10_000]).toEqual([name, true])
    expect(result).toBeDefined()
  }
  expect(memory() - before).toBeLessThan(MOST_MEMORY_BYTES)
}, 600_000)

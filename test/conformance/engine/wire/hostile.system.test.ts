import { fork } from 'node:child_process'
import { expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import type { CaseId } from '../../../../conformance/contracts/payment-service/cases/index.ts'
import { addressOf } from '../../../../load/connection.ts'
import { runLoad } from '../../../../load/run.ts'
import { SECRET } from '../../support.ts'
import { HOSTILE } from './hostile.ts'

/** One for each way in which deliveries are sent. */
const CASES: CaseId[] = [
  'transport/posted-as-json',
  'transport/several-on-one-connection',
  'transport/pipelined',
  'transport/chunked-in-two',
  'robustness/good-while-bodies-are-held',
]
const NAMES = Object.keys(HOSTILE)
/** So many receivers are in one process, and are tested at the same time. */
const AT_ONCE = 33
/** A run in which nothing is answered any more waits for ten seconds for a sign of life. */
const MOST_MS = 60_000
/** A report of so few cases. */
const MOST_REPORT_BYTES = 4 * 1024 * 1024
const MOST_MEMORY_BYTES = 300 * 1024 * 1024

/** Starts hostile receivers in a process of their own, one for each name; the first requests to each get 200. */
async function withReceivers<T>(
  names: readonly string[],
  friendly: number,
  use: (name: string, url: string) => Promise<T>,
): Promise<T[]> {
  const program = new URL('./hostile-server.ts', import.meta.url)
  const child = fork(program, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const urls = new Map<string, string>()
    const ready = new Promise<void>((resolve, reject) => {
      child.on('error', reject)
      child.on('exit', (status) => reject(new Error(`the hostile receivers ended with ${status}`)))
      child.on('message', ({ name, url }: { name: string; url: string }) => {
        urls.set(name, url)
        if (urls.size === names.length) resolve()
      })
    })
    for (const name of names) child.send({ name, friendly })
    await ready
    return await Promise.all(names.map((name) => use(name, urls.get(name) ?? '')))
  } finally {
    child.removeAllListeners('exit')
    child.kill('SIGKILL')
  }
}

const memory = () => process.memoryUsage().rss

it('a check of a hostile receiver ends with a report, whatever it answers', async () => {
  const before = memory()
  const graded = async (name: string, url: string) => {
    const started = performance.now()
    const report = await check({ url, secret: SECRET, only: CASES, timeoutMs: 500, waitMs: 500 })
    // On a busy machine this process waits for its turn, which no limit counts.
    return { name, report, ms: performance.now() - started - (report.stalledMs ?? 0) }
  }
  let count = 0
  for (let at = 0; at < NAMES.length; at += AT_ONCE) {
    for (const { name, report, ms } of await withReceivers(NAMES.slice(at, at + AT_ONCE), 1, graded)) {
      expect([name, report.verdicts.length]).toEqual([name, CASES.length])
      expect([name, ms < MOST_MS]).toEqual([name, true])
      expect([name, JSON.stringify(report).length < MOST_REPORT_BYTES]).toEqual([name, true])
      count += 1
    }
  }
  expect(count).toBeGreaterThanOrEqual(60)
  expect(memory() - before).toBeLessThan(MOST_MEMORY_BYTES)
}, 600_000)

it('load on a hostile receiver ends in time, whatever it answers', async () => {
  const before = memory()
  const loaded = async (name: string, url: string) => {
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
    expect(result).toBeDefined()
    expect([name, performance.now() - started < 10_000]).toEqual([name, true])
  }
  for (let at = 0; at < NAMES.length; at += AT_ONCE)
    await withReceivers(NAMES.slice(at, at + AT_ONCE), 0, loaded)
  expect(memory() - before).toBeLessThan(MOST_MEMORY_BYTES)
}, 600_000)

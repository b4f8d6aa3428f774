import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { progressText } from '../../../cli/commands/check/progress.ts'
import type { ConformanceReport } from '../../../schemas/types.ts'
import { recorder, start, until } from '../support.ts'

const PACE = { sent: 400, deliveries: 2_000, answerMs: 2_041, isParallel: true, concurrency: 8 }

test.each([
  [
    'how far it is, how slow the receiver answers, how long it takes, and what helps',
    progressText(80, 428, 40_000, PACE),
    'after 40 s: 80 of 428 cases judged; a response takes 2.0 s; about 3 minutes left, less with --concurrency 32',
  ],
  [
    'no option that does not help',
    progressText(80, 428, 40_000, { ...PACE, isParallel: false }),
    'after 40 s: 80 of 428 cases judged; a response takes 2.0 s; about 3 minutes left',
  ],
  [
    'nothing about a receiver that has not answered yet',
    progressText(0, 428, 20_000, { ...PACE, sent: 0, answerMs: undefined }),
    'after 20 s: 0 of 428 cases judged; no response yet',
  ],
  [
    'that only the causes are still missing',
    progressText(428, 428, 300_000, PACE),
    'after 300 s: all cases are judged, and more deliveries look for the causes; a response takes 2.0 s',
  ],
])('without a terminal, a run says %s', (_, text, expected) => {
  expect(text).toBe(expected)
})

test('a slow run says after 20 s how far it is, and SIGTERM writes the report of what was judged', async () => {
  const { url } = await recorder((_, response) => void pause(2_000).then(() => response.end()))
  const run = start(['check', url, '--no-config', '--report', 'json'])
  await until(() => run.stderr().includes('after 20 s:'))
  expect(run.stderr()).toMatch(
    /^hookproof: after 20 s: [1-9]\d* of \d+ cases judged; a response takes 2\.\d s; about \d+ \w+ left, less with --concurrency 32$/m,
  )

  run.kill('SIGTERM')

  expect(await run.done).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(run.stderr()).toContain('the report contains what was judged until then')
  const report = JSON.parse(run.stdout()) as ConformanceReport
  expect(report.interrupted).toBe(true)
  expect(report.counts.failed).toBeGreaterThan(0)
}, 60_000)

test('a signal while more deliveries look for the causes does not wait for their answers', async () => {
  let isSlow = false
  const { url, seen } = await recorder(
    (_, response) => void pause(isSlow ? 5_000 : 0).then(() => response.writeHead(401).end()),
  )
  const only = ['--only', 'transport/*', '--only', 'refusals/*']
  const run = start(['check', url, '--no-config', '--report', 'json', ...only])
  await until(() => run.stderr().includes('finished:'))
  isSlow = true
  const before = seen.length
  await until(() => seen.length > before)
  const at = performance.now()

  run.kill('SIGTERM')

  expect(await run.done).toMatchObject({ code: null, signal: 'SIGTERM' })
  expect(performance.now() - at).toBeLessThan(3_000)
  const report = JSON.parse(run.stdout()) as ConformanceReport
  expect(report.interrupted).toBe(true)
  expect(report.causes).not.toEqual([])
}, 30_000)

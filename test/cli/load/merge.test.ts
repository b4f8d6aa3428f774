import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { createHistogram } from '../../../load/histogram.ts'
import { decodeHistogram, encodeHistogram } from '../../../load/histogram-encoding.ts'
import { latencyOf } from '../../../load/tally.ts'
import { readSchema } from '../../../schemas/compile.ts'
import type { LoadReport } from '../../../schemas/types.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { hookproof, recorder, temporaryFolder } from '../support.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

/** Writes a file and returns its path. */
function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const [EXAMPLE] = readSchema('load')['examples'] as [LoadReport]

/** A result with these latencies, in microseconds. */
function reportOf(id: string, latencies: readonly number[], changes: Partial<LoadReport> = {}): LoadReport {
  const [run] = EXAMPLE.runs
  if (run === undefined) throw new Error('the example has no run')
  const histogram = createHistogram()
  for (const latency of latencies) histogram.record(latency)
  return {
    ...EXAMPLE,
    answered: latencies.length,
    latency: latencyOf(histogram),
    histogram: { unit: 'microseconds', encoded: encodeHistogram(histogram) },
    statuses: { 200: latencies.length },
    runs: [{ ...run, id }],
    ...changes,
  }
}

describe('hookproof load --json', () => {
  it('prints a result with a histogram, without the query of the URL', async () => {
    const { url, seen } = await recorder()
    const words = ['load', `${url}/webhooks?token=abc`, '--duration', '0.2', '--rate', '50', '--json']
    const { code, stdout } = await hookproof(words)
    expect(code).toBe(0)
    const report = JSON.parse(stdout) as LoadReport
    expect(explain(validate('load', report))).toBe('')
    expect(report).toMatchObject({ answered: seen.length, unsent: 0, statuses: { 200: seen.length } })
    expect(report.runs).toMatchObject([{ url: `${url}/webhooks`, rate: 50, connections: 50 }])
    expect(latencyOf(decodeHistogram(report.histogram.encoded))).toEqual(report.latency)
    expect(stdout).not.toContain('token')
  })

  it('exits with 1 when deliveries were due but not sent', async () => {
    const { url } = await recorder((_seen, response) => void setTimeout(() => response.end(), 60))
    const rate = ['--rate', '100', '--connections', '1', '--timeout', '0.1']
    const { code, stdout } = await hookproof(['load', url, '--duration', '0.1', ...rate])
    expect(code).toBe(1)
    expect(stdout).toMatch(/\nnot sent, because no connection was free: \d+\n/)
  })
})

describe('hookproof load --merge', () => {
  it('prints a single result, with the percentiles of its JSON', async () => {
    expect(latencyOf(decodeHistogram(EXAMPLE.histogram.encoded))).toEqual(EXAMPLE.latency)
    const { code, stdout } = await hookproof(['load', '--merge', file('a.json', EXAMPLE)])
    expect(code).toBe(0)
    expect(stdout).toContain('\nlatency in ms: p50 1.21, p90 1.87, p99 9.62, p99.9 41, max 41\n')
  })

  it('prints the percentiles of all latencies together', async () => {
    const fast = Array.from({ length: 990 }, () => 1000)
    const slow = Array.from({ length: 10 }, () => 500_000)
    const files = [file('a.json', reportOf('a', fast)), file('b.json', reportOf('b', slow))]
    const { code, stdout, stderr } = await hookproof(['load', '--merge', ...files])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        '2 runs on http://127.0.0.1:3000/webhooks',
        '1000 signed deliveries in 10.0 s: 100 per second',
        'latency in ms: p50 1.00, p90 1.00, p99 1.00, p99.9 500, max 500',
        'responses: 200: 1000',
        '',
      ].join('\n'),
    )
  })

  it('adds up everything, and its JSON can be merged again', async () => {
    const late = { startedAt: '2026-03-14T09:27:03.000Z' }
    const [run] = reportOf('b', []).runs
    const other = reportOf('b', [2000, 3000], {
      ...late,
      repeated: 1,
      unsent: 4,
      statuses: { 200: 1, 503: 1 },
      errors: { timeout: 2 },
      runs: [{ ...run, ...late, url: 'http://10.0.0.1/' } as LoadReport['runs'][number]],
    })
    const files = [file('a.json', reportOf('a', [1000], { errors: { timeout: 1 } })), file('b.json', other)]
    const merged = await hookproof(['load', '--json', '--merge', ...files])
    expect(merged.code).toBe(1)
    const report = JSON.parse(merged.stdout) as LoadReport
    expect(explain(validate('load', report))).toBe('')
    expect(report).toMatchObject({
      startedAt: EXAMPLE.startedAt,
      answered: 3,
      repeated: 1,
      unsent: 4,
      statuses: { 200: 2, 503: 1 },
      errors: { timeout: 3 },
      runs: [{ id: 'a' }, { id: 'b', url: 'http://10.0.0.1/' }],
    })
    // From the start of the first run to the end of the second.
    expect(report.seconds).toBeCloseTo(20.004)
    expect(report.perSecond).toBeCloseTo(3 / 20.004)

    const again = [file('merged.json', report), file('c.json', reportOf('c', [4000]))]
    const { stdout } = await hookproof(['load', '--merge', ...again, '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ answered: 4, runs: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] })
    expect((JSON.parse(stdout) as LoadReport).latency.max).toBeCloseTo(4, 1)
  })

  const { histogram, ...withoutHistogram } = EXAMPLE
  it.each<[string, unknown, RegExp]>([
    ['is not JSON', '{', /a\.json: it is not JSON; pass files written by `hookproof load --json`/],
    ['is a report of hookproof check', readSchema('report')['examples'], /a\.json: .*expected an object/],
    ['lacks the histogram', withoutHistogram, /\/histogram: expected a value/],
    ['has an unknown field', { ...EXAMPLE, extra: 1 }, /extra/],
    ['has another unit', { ...EXAMPLE, histogram: { ...histogram, unit: 'seconds' } }, /"microseconds"/],
    [
      'has a broken histogram',
      { ...EXAMPLE, histogram: { ...histogram, encoded: histogram.encoded.slice(0, -8) } },
      /a\.json: the histogram cannot be read: it is cut off/,
    ],
    ['has another number of responses', { ...EXAMPLE, answered: 999 }, /1000 latencies.*"answered" is 999/],
    ['has other statuses', { ...EXAMPLE, statuses: { 200: 1 } }, /1 responses/],
    ['has a status that is none', { ...EXAMPLE, statuses: { ok: 1000 } }, /a\.json: \/statuses/],
    ['contains a run twice', { ...EXAMPLE, runs: [EXAMPLE.runs[0], EXAMPLE.runs[0]] }, /the run \S+ twice/],
    ['is too large', ' '.repeat(5_000_000), /cannot read the result .*larger than 4194304 bytes/],
  ])('exits with 2 and one line when a file %s', async (_name, content, line) => {
    const { code, stdout, stderr } = await hookproof(['load', '--merge', file('a.json', content)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it.each<[string, (example: string) => string[], RegExp]>([
    ['a run is in two files', (example) => [example, example], /the run \S+ twice/],
    ['a file does not exist', () => [join(folder, 'none.json')], /none\.json: no such file or directory/],
    ['a run is also asked for', (example) => [example, '--rate', '5'], /'--merge <files...>'.*'--rate <n>'/],
    ['no file is named', () => [], /--merge <files...>' argument missing/],
  ])('exits with 2 and one line when %s', async (_name, words, line) => {
    const example = file('example.json', EXAMPLE)
    const { code, stdout, stderr } = await hookproof(['load', '--merge', ...words(example)])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(line)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })

  it('takes no URL', async () => {
    const words = ['load', 'http://127.0.0.1:9/', '--merge', file('a.json', EXAMPLE)]
    const { code, stderr } = await hookproof(words)
    expect(code).toBe(2)
    expect(stderr).toMatch(/--merge .*leave out the URL/)
  })
})

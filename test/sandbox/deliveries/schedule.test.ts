import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../../sandbox/deliveries/chaos.ts'
import { retryAfterMs, SCHEDULES, waitAfter } from '../../../sandbox/deliveries/schedule.ts'
import { HELPERS } from '../../../sandbox/pages/render.ts'

const middle = () => 0.5
const HOUR = 3_600_000

test.each([
  ['fast', [1, 5, 15, 60, 300]],
  ['realistic', [5, 300, 1800, 7200, 18_000, 36_000, 36_000]],
] as const)('%s waits %s seconds, then gives up', (name, seconds) => {
  const waits = SCHEDULES[name]
  for (const [index, wait] of seconds.entries()) {
    expect(waitAfter(waits, { failures: index + 1, random: middle })).toBe(wait * 1000)
  }
  expect(waitAfter(waits, { failures: seconds.length + 1, random: middle })).toBeUndefined()
})

test('the documentation has the waits of each schedule', () => {
  const docs = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8')
  for (const [name, waits] of Object.entries(SCHEDULES)) {
    const texts = waits.map((wait) => (wait === 60_000 ? '60 s' : HELPERS.duration(wait)))
    const [row] = docs.match(new RegExp(`^\\| \`${name}\`.*`, 'm')) ?? []
    expect(row).toContain(`| ${texts.join(', ')} | the ${waits.length + 1}th,`)
  }
})

test('the jitter is up to 20 % in both directions', () => {
  const wait = (random: number) => waitAfter([10_000], { failures: 1, random: () => random })
  expect(wait(0)).toBe(8000)
  expect(wait(0.999_999)).toBe(12_000)
  const random = seededRandom('7')
  const waits = Array.from({ length: 200 }, () => waitAfter([10_000], { failures: 1, random }) ?? 0)
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(8000)
  expect(Math.max(...waits)).toBeLessThanOrEqual(12_000)
  expect(new Set(waits).size).toBeGreaterThan(150)
})

test('the same seed gives the same numbers, another seed does not', () => {
  const numbers = (seed: string) => Array.from({ length: 5 }, seededRandom(seed))
  expect(numbers('1')).toEqual(numbers('1'))
  expect(numbers('1')).not.toEqual(numbers('2'))
  expect(numbers('1').every((number) => number >= 0 && number < 1)).toBe(true)
})

describe('Retry-After', () => {
  const wait = (retryAfter: number) =>
    waitAfter([1000], { failures: 1, retryAfterMs: retryAfter, random: middle })

  test('extends a wait', () => expect(wait(90_000)).toBe(90_000))
  test('never shortens a wait', () => expect(wait(0)).toBe(1000))
  test('extends it to at most a day', () => expect(wait(999 * HOUR)).toBe(24 * HOUR))
  test('does not add attempts to the schedule', () => {
    expect(waitAfter([1000], { failures: 2, retryAfterMs: 5000, random: middle })).toBeUndefined()
  })

  const now = Date.parse('2026-01-01T00:00:00Z')
  test.each([
    ['120', 120_000],
    [' 0 ', 0],
    ['0010', 10_000],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
    ['', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['5 minutes', undefined],
    ['2026-01-01T00:01:00Z', undefined],
    ['Thu, 99 Jan 2026 00:01:00 GMT', undefined],
    ['99999999999', undefined],
    [undefined, undefined],
  ])('%j is %s ms', (value, ms) => expect(retryAfterMs(value, now)).toBe(ms))
})

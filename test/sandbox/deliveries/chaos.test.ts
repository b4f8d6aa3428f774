import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { goldenEvents, serialize, sign } from '../../../fixtures/index.ts'
import { createVerifier } from '../../../receiver/verify.ts'
import { planCopies, readChaos, seededRandom, signatureFor } from '../../../sandbox/deliveries/chaos.ts'
import { retryAfterMs, SCHEDULES, waitAfter } from '../../../sandbox/deliveries/schedule.ts'
import { HELPERS } from '../../../sandbox/pages/render.ts'
import { validate } from '../../../schemas/validate.ts'

const secret = 'whsec_of_the_test'
const body = serialize({ event: 'payment.completed', payment_id: 'tx_1', amount: '25.00' })
const now = 1_750_000_000_750
const signed = { secret, body, now }
const verify = createVerifier({ secrets: secret, clock: () => now })
const refusal = (header: string) => {
  try {
    verify(body, header)
    return 'accepted'
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('the signature', () => {
  test('covers t, a dot and the bytes, with t in whole seconds of real time', () => {
    expect(signatureFor(signed)).toBe(sign({ secret, t: 1_750_000_000, body }).header)
  })

  test('is accepted by the reference receiver, also with an extra label', () => {
    expect(refusal(signatureFor(signed))).toBe('accepted')
    const labeled = signatureFor({ ...signed, chaos: { extraLabel: true } })
    expect(labeled).toMatch(/^t=1750000000,v1=[0-9a-f]{64},v2=[0-9a-f]{64}$/)
    expect(refusal(labeled)).toBe('accepted')
  })

  test('can be invalid but well-formed', () => {
    const header = signatureFor({ ...signed, chaos: { badSignature: true } })
    expect(header).toMatch(/^t=1750000000,v1=[0-9a-f]{64}$/)
    expect(refusal(header)).toBe('signature_mismatch')
  })

  test('can be stale but validly signed', () => {
    const header = signatureFor({ ...signed, chaos: { staleBySeconds: 301 } })
    expect(header).toBe(sign({ secret, t: 1_749_999_699, body }).header)
    expect(refusal(header)).toBe('timestamp_too_old')
    expect(refusal(signatureFor({ ...signed, chaos: { staleBySeconds: 299 } }))).toBe('accepted')
  })
})

describe('the deliveries of an event', () => {
  test('are a single one, due immediately, with the bytes of the event', () => {
    expect(planCopies(null, body, Math.random)).toEqual([{ delayMs: 0, body: null }])
  })

  test('are several with duplicate', () => {
    expect(planCopies({ duplicate: 2 }, body, Math.random)).toHaveLength(3)
  })

  test('are late with delayMs', () => {
    expect(planCopies({ delayMs: 1500 }, body, Math.random)).toEqual([{ delayMs: 1500, body: null }])
  })

  test('are out of order with reorderWithinMs', () => {
    const random = seededRandom('3')
    const due = Array.from(
      { length: 8 },
      () => planCopies({ reorderWithinMs: 1000 }, body, random)[0]?.delayMs ?? -1,
    )
    expect(due.every((delay) => delay >= 0 && delay < 1000)).toBe(true)
    expect(due).not.toEqual(due.toSorted((a, b) => a - b))
  })

  test('have an unknown field and otherwise the same bytes with unknownField', () => {
    for (const bytes of goldenEvents().values()) {
      const sent = Buffer.from(planCopies({ unknownField: true }, bytes, Math.random)[0]?.body ?? [])
      const event = JSON.parse(sent.toString())
      expect(event).toEqual({ ...JSON.parse(bytes.toString()), x_unknown_field: 'chaos' })
      expect(validate('event.tolerant', event)).toEqual([])
      expect(sent.subarray(-(bytes.length - 1)).equals(bytes.subarray(1))).toBe(true)
    }
  })
})

describe('readChaos', () => {
  test.each([
    {},
    { duplicate: 1, delayMs: 1, reorderWithinMs: 86_400_000, dropFirst: 3 },
    { staleBySeconds: 1 },
    { badSignature: true, staleBySeconds: 600, extraLabel: false, unknownField: true },
  ])('accepts %j', (value) => expect(readChaos(value)).toEqual(value))

  test.each([
    [null, 'object'],
    ['duplicate', 'object'],
    [[1], 'object'],
    [{ duplicated: 1 }, 'duplicated is unknown'],
    [JSON.parse('{"__proto__":1}'), '__proto__ is unknown'],
    [{ toString: 1 }, 'toString is unknown'],
    [{ duplicate: 0 }, 'duplicate must be'],
    [{ duplicate: 11 }, 'from 1 to 10'],
    [{ duplicate: '2' }, 'duplicate must be'],
    [{ delayMs: 1.5 }, 'delayMs must be'],
    [{ staleBySeconds: -1 }, 'staleBySeconds must be'],
    [{ dropFirst: Number.NaN }, 'dropFirst must be'],
    [{ badSignature: 1 }, 'badSignature must be true or false'],
  ])('rejects %j', (value, words) => {
    expect(() => readChaos(value)).toThrow(
      expect.objectContaining({ code: 'BAD_CHAOS', message: expect.stringContaining(words) }),
    )
  })
})

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

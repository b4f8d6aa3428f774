import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type CheckOptions, check } from '../../../../conformance/check.ts'
import { createRate } from '../../../../conformance/engine/pace/rate.ts'
import type { Behavior } from '../../../mutants/behavior.ts'
import { CORRECT, nameOf, smallReceiver } from '../../small-receiver.ts'
import { SECRET } from '../../support.ts'

const CASES = ['transport/posted-as-json', 'events', 'refusals']

/** Grades a receiver with something in front of it; `gate` answers before the receiver reads anything. */
async function graded(behavior: Partial<Behavior>, options: Partial<CheckOptions> = {}) {
  const { url } = await smallReceiver({ behavior })
  return check({ url, secret: SECRET, profile: 'core', only: CASES, ...options })
}

/** A front server that turns away everything once `isFull` says so. */
const turningAway = (status: number, isFull: (count: number) => boolean, headers = {}): Partial<Behavior> => {
  let count = 0
  return {
    gate(request, body) {
      count += 1
      return isFull(count) ? status : CORRECT.gate(request, body)
    },
    refusalHeaders: headers,
  }
}

describe('a receiver behind a rate limiter or a ban list ends the run in one line', () => {
  it.each([
    [429, 'rate_limited', {}],
    [503, 'unavailable', { 'Retry-After': '60' }],
  ])('that answers %i after 40 deliveries: %s', async (status, code, headers) => {
    const run = graded(turningAway(status, (count) => count > 40, headers))
    await expect(run).rejects.toMatchObject({
      code,
      names: ['rate'],
      message: expect.stringMatching(
        new RegExp(`answers ${status} to every valid delivery, after (3\\d|4\\d) deliveries .*"rate"`),
      ),
    })
  })

  it('that answers 403 to everything after three bad signatures', async () => {
    let bad = 0
    const status = ({ code }: { code: number }) => {
      if (code === 401) bad += 1
      return code
    }
    const gate: Behavior['gate'] = (request, body) => (bad >= 3 ? 403 : CORRECT.gate(request, body))
    await expect(graded({ status, gate })).rejects.toMatchObject({
      code: 'blocked',
      names: ['rate'],
      message: expect.stringMatching(/answers 403 to every valid delivery, after \d+ deliveries .*ban list/),
    })
  })

  it('quotes the beginning of the response, escaped and without the signing secret', async () => {
    const body = `{"error":\n"disk\u001b[31m full", "secret":"${SECRET}"} ${'x'.repeat(400)}`
    const run = graded({
      ...turningAway(503, (count) => count > 40, { 'Retry-After': '5' }),
      explain: () => body,
    })
    await expect(run).rejects.toThrow(
      /it fails, or limits the rate; .*; response body: \{"error": "disk\\u\{1b\}\[31m full", "secret":"\[signing secret\]"\} x{200,300}\.\.\.$/,
    )
  })

  it('that is full only at the end of the run', async () => {
    const only = ['events/completed', 'events/voluntary-refund', 'acknowledgement/in-time']
    const run = graded(
      turningAway(429, (count) => count > 2),
      { only, concurrency: 1 },
    )
    await expect(run).rejects.toMatchObject({ code: 'rate_limited' })
  })
})

describe('a receiver that turns some deliveries away has failures', () => {
  it('403 to a bad signature only', async () => {
    const report = await graded({ status: ({ code }) => (code === 401 ? 403 : code) })
    expect(report.counts.failed).toBeGreaterThan(5)
    expect(report.counts.passed).toBeGreaterThan(20)
  })

  it('503 without Retry-After from some point on', async () => {
    const report = await graded(turningAway(503, (count) => count > 40))
    expect(report.counts.failed).toBeGreaterThan(5)
  })

  it('429 to one kind of event', async () => {
    const rejects: Behavior['rejects'] = (event) => (nameOf(event) === 'payment.failed' ? 429 : undefined)
    const report = await graded({ rejects }, { only: ['events'], concurrency: 1 })
    expect(report.verdicts.find(({ case: id }) => id === 'events/every-failure-code')?.outcome).toBe('failed')
  })

  it('429 to deliveries at the same time', async () => {
    let busy = 0
    const report = await graded(
      {
        rejects: () => (busy >= 4 ? 429 : undefined),
        async acknowledge(_, response) {
          busy += 1
          await pause(20)
          busy -= 1
          response.writeHead(200).end()
        },
      },
      { only: ['acknowledgement'], concurrency: 1 },
    )
    const failed = report.verdicts.filter(({ outcome }) => outcome === 'failed')
    expect(failed.map(({ case: id }) => id)).toEqual([
      'acknowledgement/burst-of-50',
      'acknowledgement/burst-of-mostly-refunds',
    ])
  })

  it('429 to everything, from the first delivery on', async () => {
    const report = await graded(
      turningAway(429, () => true),
      { only: ['events/*refund*'] },
    )
    expect(report.diagnosis).toContain('all got 429')
  })

  it('503 to everything, from the first delivery on: a failure, not a limit', async () => {
    const never = turningAway(503, () => true, { 'Retry-After': '5' })
    const { diagnosis, causes } = await graded(never, { only: ['events/*refund*'] })
    expect(diagnosis).toContain('all got 503')
    expect(causes?.[0]?.fix).toContain('its store')
    expect(causes?.[0]?.fix).not.toContain('rate')
  })
})

describe('a rate', () => {
  it('holds for every second, also around groups', async () => {
    let now = 0
    const sent: number[] = []
    const rate = createRate(
      10,
      () => now,
      async (ms) => (now += ms),
    )
    for (const count of [1, 1, 1, 5, 1, 1, 10, 1, 3, 3, ...Array.from({ length: 20 }, () => 1)]) {
      await rate.take(count)
      for (let one = 0; one < count; one += 1) sent.push(now)
      now += 7
    }
    const most = sent.map((start) => sent.filter((at) => at >= start && at < start + 999).length)
    expect(Math.max(...most)).toBe(10)
    expect(sent).toHaveLength(47)
  })

  it('keeps a run below the limit of the receiver, and says what it could not send', async () => {
    const times: number[] = []
    const report = await graded(
      {
        gate(request, body) {
          times.push(performance.now())
          return CORRECT.gate(request, body)
        },
      },
      {
        rate: 40,
        only: [
          'events/completed',
          'acknowledgement/in-time',
          'acknowledgement/burst-of-50',
          'refusals/empty-key',
        ],
      },
    )
    const untested = report.verdicts.filter(({ outcome }) => outcome !== 'passed')
    expect(untested.map(({ case: id }) => id)).toEqual(['acknowledgement/burst-of-50'])
    expect(untested[0]?.reason).toBe(
      'it sends 50 deliveries at the same time, and the rate is limited to 40 a second',
    )
    // A timer may fire a little early, and a delivery may arrive late.
    expect((times.at(-1) ?? 0) - (times[0] ?? 0)).toBeGreaterThan((times.length - 1) * 25 - 30)
  })

  it('below one is a bad option', async () => {
    await expect(graded({}, { rate: 0 })).rejects.toMatchObject({ code: 'bad_option', names: ['rate'] })
  })
})

import { createServer, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import {
  formatObservation,
  isDoubtful,
  type Observation,
  shortfallsOf,
  violationsOf,
} from '../../../scripts/proofs/attack/judge.ts'
import { acceptedAmong } from '../../../scripts/proofs/attack/malformed/run.ts'
import { attackWith, createEnd, createLink, noEffort } from '../../../scripts/proofs/attack/target.ts'
import { randomFrom } from '../../../scripts/proofs/shared/random.ts'
import { openConnection } from '../../support/raw-connection.ts'
import { startServer } from '../../support/start-server.ts'
import { until } from '../../support/until.ts'

/** An attack that a receiver withstood. */
const withstood: Observation = {
  deliveries: Array.from({ length: 100 }, (_, index) => ({ ms: index + 1, answer: 200 })),
  memory: { before: 80, peak: 200 },
  withheldMs: 3,
}
const lost = (count: number, answer: number | string): Observation => ({
  ...withstood,
  deliveries: withstood.deliveries.map((delivery, index) =>
    index < count ? { ...delivery, answer } : delivery,
  ),
})

describe('the verdict on an attack', () => {
  it('is favorable if every valid delivery was answered 200 in time and memory stayed within its bound', () => {
    expect(violationsOf(withstood, {})).toEqual([])
    expect(formatObservation(withstood)).toBe(
      '100 valid deliveries: 0 lost, p50 50 ms, p99 99 ms, max 100 ms; RSS 80 to 200 MiB',
    )
  })

  it('counts a delivery as lost if its answer was not 200 or never came', () => {
    expect(violationsOf(lost(1, 503), {})).toEqual(['1 of 100 valid deliveries were not answered 200: 503'])
    expect(violationsOf(lost(1, 'timeout'), { mayLose: 0.01 })).toEqual([])
    expect(violationsOf(lost(2, 'timeout'), { mayLose: 0.01 })).toEqual([
      '2 of 100 valid deliveries were not answered 200: timeout',
    ])
  })

  it('fails for a delivery that took more than a second', () => {
    const slow = { ...withstood, deliveries: [...withstood.deliveries, { ms: 1001, answer: 200 }] }
    expect(violationsOf(slow, {})).toEqual(['a valid delivery took 1,001 ms; the limit is 1,000 ms'])
    expect(violationsOf(slow, { mayTakeMs: 1001 })).toEqual([])
  })

  it('fails if half of the deliveries took more than 100 ms', () => {
    const slow = withstood.deliveries.map(({ answer }) => ({ ms: 101, answer }))
    expect(violationsOf({ ...withstood, deliveries: slow }, {})).toEqual([
      'half of the valid deliveries took 101 ms or more; the limit is 100 ms',
    ])
    expect(isDoubtful({ ...withstood, deliveries: slow, withheldMs: 2 }, {})).toBe(true)
  })

  it('fails for memory above the bound, for growth above its bound, and for a receiver that has ended', () => {
    const memory = (before: number, peak: number): Observation => ({ ...withstood, memory: { before, peak } })
    expect(violationsOf(memory(80, 513), {})).toEqual(['memory reached 513 MiB; the limit is 512 MiB'])
    expect(violationsOf(memory(80, 209), { mayGrowMiB: 128 })).toEqual([
      'memory grew by 129 MiB; the limit is 128 MiB',
    ])
    expect(violationsOf(memory(80, Number.NaN), {})).toHaveLength(1)
  })

  it('fails if no valid delivery was sent', () => {
    expect(violationsOf({ ...withstood, deliveries: [] }, {})).toEqual(['no valid delivery was sent'])
  })

  it('is in doubt if a stall of the machine explains what is wrong, and only then', () => {
    const slow = (ms: number, withheldMs: number): Observation => ({
      ...withstood,
      deliveries: [...withstood.deliveries, { ms, answer: 200 }],
      withheldMs,
    })
    expect(isDoubtful({ ...withstood, withheldMs: 5000 }, {})).toBe(false)
    expect(isDoubtful(slow(1500, 600), {})).toBe(true)
    expect(isDoubtful(slow(1500, 400), {})).toBe(false)
    expect(isDoubtful({ ...slow(1500, 600), memory: { before: 80, peak: 600 } }, {})).toBe(false)
    expect(isDoubtful({ ...lost(5, 503), withheldMs: 900 }, {})).toBe(false)
    expect(isDoubtful({ ...lost(5, 503), withheldMs: 2000 }, {})).toBe(true)
  })

  it('requires that the attack took place', () => {
    const effort = { ...noEffort(), opened: 5000, mostOpen: 4999 }
    expect(shortfallsOf(effort, { opened: 5000 })).toEqual([])
    expect(shortfallsOf(effort, { mostOpen: 5000 })).toEqual([
      'the attack was too weak: mostOpen 4999 of 5000',
    ])
  })
})

// Node.js cannot reset a connection that has just begun to close, and never says that it is closed.
it('an attack ends although its victim closes the connections in the same moment', async () => {
  const accepted: Socket[] = []
  const url = await startServer(
    createServer((socket) => {
      accepted.push(socket)
      socket.on('error', () => {}).on('data', () => accepted.forEach((each) => void each.destroy()))
    }),
  )
  const [end, effort] = [createEnd(), noEffort()]
  const target = {
    port: Number(new URL(url).port),
    random: randomFrom('test'),
    end,
    effort,
    link: createLink(end),
  }
  const running = attackWith(target, { count: 9, reopenMs: 1, use: (client) => client.closed() })
  await until(() => accepted.length === 9)
  const last = await openConnection(url)
  last.socket.on('end', () => end.now()).write('close all')
  await running
  expect(effort).toMatchObject({ opened: 9, mostOpen: 9 })
})

it('a malformed request must not leave an event in the inbox', () => {
  const event = { paymentId: 'tx_1', event: 'payment.completed', amount: '1.00', currency: 'USD' }
  const sent = { ...event, body: Buffer.alloc(0), acknowledged: false }
  const result = {
    requests: 1,
    answers: new Map(),
    deliveries: [],
    events: [sent],
    forbidden: new Map([[sent, 'two lengths']]),
    violations: [],
  }
  expect(acceptedAmong(result, [])).toEqual([])
  expect(acceptedAmong(result, [event])).toEqual([
    'two lengths: the receiver stored an event of a request that it must refuse',
  ])
})

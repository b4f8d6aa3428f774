import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { check } from '../../../../conformance/check.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Exchange } from '../../../../conformance/contracts/webhook/model.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import type { Delivery as AnyDelivery } from '../../../../conformance/engine/delivery.ts'
import { createSemaphore } from '../../../../conformance/engine/pace/semaphore.ts'
import { isSlow, type Measured, paceOf } from '../../../../conformance/engine/pace/slow.ts'
import type { Traffic } from '../../../../conformance/engine/pace/traffic.ts'
import { noticeText } from '../../../../conformance/report/words/notices.ts'
import { runCases as runAll } from '../../run-cases.ts'
import { smallReceiver } from '../../small-receiver.ts'
import { caseOf, NOW, SECRET } from '../../support.ts'

const MEASURED: Measured = {
  oneMs: 6_000,
  allMs: 6_100,
  together: 4,
  ackWithinMs: 5_000,
  concurrency: 8,
  left: 600,
}

describe('a slow receiver', () => {
  it('that answers in parallel gets more, until its answers take longer', () => {
    const { cases, notice, growth } = paceOf(MEASURED) ?? {}
    expect(cases).toBe(16)
    expect(notice && noticeText(notice)).toContain('takes 6.1 s to answer')
    const after = (times: number, ms: number) => Array.from({ length: times }, () => growth?.after(ms)).at(-1)
    expect([after(15, 6_100), after(1, 6_100), growth?.isUndisturbed()]).toEqual([16, 32, false])
    expect([after(32, 6_100), growth?.isUndisturbed()]).toEqual([64, true])
    expect([after(1, 9_000), growth?.isUndisturbed()]).toEqual([32, false])
    expect(after(500, 6_100)).toBe(32)
  })

  it('that answers in turn gets fewer, and a long run is announced', () => {
    const { cases, notice } = paceOf({ ...MEASURED, allMs: 24_000 }) ?? {}
    expect(cases).toBe(1)
    expect(notice && noticeText(notice)).toMatch(/one .* 6\.0 s: .* 60 more minutes; Ctrl-C/)
    expect(paceOf({ ...MEASURED, oneMs: 700, allMs: 2_800 })).toMatchObject({ cases: 3 })
    expect(paceOf({ ...MEASURED, oneMs: 700, allMs: 2_800, left: 10 })).toEqual({ cases: 3 })
  })

  it('that is quick enough changes nothing', () => {
    expect(paceOf({ ...MEASURED, oneMs: 4_600, allMs: 10 })).toBeUndefined()
    expect(paceOf({ ...MEASURED, oneMs: 700, allMs: 800 })).toBeUndefined()
    expect([isSlow(600, MEASURED), isSlow(700, MEASURED)]).toEqual([false, true])
  })

  it('fails what it is late for, and nothing else, in much less time than its answers add up to', async () => {
    const { url } = await smallReceiver({
      behavior: {
        async acknowledge(_, response) {
          await pause(150)
          response.writeHead(200).end()
        },
      },
    })
    const notices: string[] = []
    const started = performance.now()
    const report = await check({
      url,
      secret: SECRET,
      profile: 'core',
      ackWithinMs: 100,
      only: ['events', 'acknowledgement/in-time', 'disclosure'],
      onNotice: (notice) => notices.push(notice),
    })
    const failed = report.verdicts.filter(({ outcome }) => outcome !== 'passed')
    expect(failed.map(({ case: id }) => id)).toEqual(['acknowledgement/in-time'])
    expect(notices).toEqual([expect.stringContaining('more cases send at the same time')])
    const inTurnMs = report.verdicts.flatMap(({ exchanges }) => exchanges).length * 150
    expect(performance.now() - started).toBeLessThan(inTurnMs / 2)
  })
})

describe('a resized semaphore', () => {
  it('admits more at once, or fewer as soon as enough have finished', async () => {
    const semaphore = createSemaphore(1)
    let running = 0
    const take = () => semaphore.take().then(() => (running += 1))
    for (let task = 0; task < 6; task += 1) void take()
    await pause(0)
    expect(running).toBe(1)
    semaphore.resize(3)
    await pause(0)
    expect(running).toBe(3)
    semaphore.resize(1)
    semaphore.give()
    semaphore.give()
    await pause(0)
    expect(running).toBe(3)
    semaphore.give()
    await pause(0)
    expect(running).toBe(4)
  })
})

describe('a delivery that is checked late', () => {
  /** Runs one case against a correct receiver that compares `t` with its clock only after `seconds`, without waiting. */
  async function verdictOf(id: Parameters<typeof caseOf>[0], seconds: number[], windowSeconds = 300) {
    const late = [...seconds]
    const send = async (sent: AnyDelivery): Promise<Exchange> => {
      const delivery = sent as Delivery
      const delay = late.length > 1 ? (late.shift() ?? 0) : (late[0] ?? 0)
      const isInside = Math.abs(NOW + delay - Number(delivery.signed.t)) <= windowSeconds
      const answer = { status: isInside ? 200 : 400, headers: [], body: Buffer.alloc(0), truncated: false }
      return { delivery, answer: { ...answer, ms: delay * 1000 }, error: undefined }
    }
    const traffic: Traffic = {
      send,
      group: (_, together) => together(traffic),
      onOneConnection: () => traffic,
      close: () => undefined,
      semaphore: createSemaphore(1),
      rate: undefined,
      hurry: new Promise<never>(() => undefined),
      isHurried: () => false,
      pace: () => ({ sent: 0, answerMs: undefined, isParallel: false }),
      aside: () => traffic,
      measure: async () => undefined,
      finish: async () => undefined,
      stop: () => undefined,
      certain: async () => undefined,
      recovery: () => Promise.resolve([]),
      lock: () => undefined,
      silence: () => undefined,
      silent: new Promise<never>(() => undefined),
      end: () => undefined,
    }
    const target = createTarget({
      url: new URL('http://localhost/'),
      secret: SECRET,
      signatureHeader: 'S',
      headers: [],
      timeoutMs: 9,
    })
    const options = {
      target,
      secret: SECRET,
      seed: '1',
      mode: 'test' as const,
      now: () => NOW,
      observer: undefined,
    }
    const limits = { concurrency: 1, ackWithinMs: 5_000, waitMs: 5_000 }
    for await (const { outcome } of runAll({ ...options, ...limits, cases: [caseOf(id)], traffic }))
      return outcome
    return undefined
  }

  it.each(['time-window/just-inside-the-past', 'time-window/just-outside-the-future'] as const)(
    '%s is sent again when only the first answer was late, or all were',
    async (id) => {
      expect(await verdictOf(id, [6, 0])).toBe('passed')
      expect(await verdictOf(id, [6])).toBe('passed')
      expect(await verdictOf(id, [9])).toBe('passed')
    },
  )

  it('is not judged when its answers take ever longer', async () => {
    expect(await verdictOf('time-window/just-inside-the-past', [6, 30])).toBe('untested')
  })

  it('fails a receiver with another window', async () => {
    expect(await verdictOf('time-window/just-inside-the-past', [6], 240)).toBe('failed')
    expect(await verdictOf('time-window/just-inside-the-past', [0], 240)).toBe('failed')
    expect(await verdictOf('time-window/just-outside-the-future', [6], 900)).toBe('failed')
  })
})

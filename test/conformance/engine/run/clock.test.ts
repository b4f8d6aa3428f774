import { describe, expect, it } from 'vitest'
import { createKit } from '../../../../conformance/contracts/payment-service/kit.ts'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import { type SendTimed, skewOf, type Timed } from '../../../../conformance/engine/run/preflight.ts'
import { SECRET } from '../../support.ts'

/** A moment with whole seconds. */
const NOW_MS = 1_750_000_000_000
const kit = createKit('clock', { secret: SECRET, seed: '1', mode: 'test', now: () => NOW_MS / 1000 })

/** A receiver without a network: its clock and its Date header differ from this machine's by these seconds. */
interface Made {
  readonly ahead?: number
  readonly dateAhead?: number | undefined
  /** How long each response takes, in milliseconds. */
  readonly ms?: number[]
  readonly windowSeconds?: number
}

async function skewOfReceiver({ ahead = 0, dateAhead, ms = [], windowSeconds = 300 }: Made) {
  const took = [...ms]
  let sent = 0
  const send: SendTimed = async (delivery) => {
    const { signed } = delivery as Delivery
    sent += 1
    const inWindow = Math.abs(NOW_MS / 1000 + ahead - Number(signed.t)) <= windowSeconds
    const date = dateAhead === undefined ? [] : [dateHeader(NOW_MS + dateAhead * 1000)]
    const answer = { status: inWindow ? 200 : 400, headers: date, body: Buffer.alloc(0), truncated: false }
    return { delivery, answer: { ...answer, ms: took.shift() ?? 3 }, sentAt: NOW_MS }
  }
  const skew = await skewOf((await send(kit.delivery('completed'))) as Timed, kit, send)
  return { skew, sent }
}
const dateHeader = (ms: number): [string, string] => ['date', new Date(ms).toUTCString()]

describe('the clock of a receiver', () => {
  it.each([2, 4, 10, 60, 120, 299, 301, 1000, 40_000_000])(
    'is that of its Date header when its window shows it: %i s',
    async (seconds) => {
      for (const ahead of [seconds, -seconds]) {
        expect((await skewOfReceiver({ ahead, dateAhead: ahead })).skew).toBeCloseTo(ahead, -1)
      }
    },
  )

  it.each([4, 10, 60, 1000, 40_000_000])(
    'is this machine’s when only its Date header differs: %i s',
    async (seconds) => {
      for (const dateAhead of [seconds, -seconds]) {
        expect((await skewOfReceiver({ dateAhead })).skew).toBeUndefined()
      }
    },
  )

  it('is unknown without a Date header, and the same if that has the right time: nothing more is sent', async () => {
    expect(await skewOfReceiver({ ahead: 60 })).toEqual({ skew: undefined, sent: 1 })
    expect(await skewOfReceiver({ dateAhead: 0 })).toEqual({ skew: 0, sent: 1 })
  })

  it.each([4_600, -4_600])('is not wrong because of a slow response: Date off by %i ms', async (off) => {
    // Written on arrival, or by a clock that is ahead by less than the response took.
    expect((await skewOfReceiver({ dateAhead: off / 1000, ms: [4_600] })).skew).not.toBe(off)
    expect(await skewOfReceiver({ dateAhead: 0, ms: [4_600] })).toEqual({ skew: 0, sent: 1 })
  })

  it('is measured again after a slow response, and by a second delivery when the first was late', async () => {
    const made = { ahead: 60, dateAhead: 60, ms: [4_600, 3, 40_000, 3, 3] }
    expect(await skewOfReceiver(made)).toEqual({ skew: 60, sent: 5 })
  })

  it('is assumed to be right when the receiver has no window, or accepts nothing', async () => {
    expect((await skewOfReceiver({ dateAhead: 60, windowSeconds: 1e9 })).skew).toBeUndefined()
    expect((await skewOfReceiver({ dateAhead: 60, windowSeconds: -1 })).skew).toBeUndefined()
  })

  it('is found when the window is too narrow', async () => {
    expect((await skewOfReceiver({ ahead: 120, dateAhead: 120, windowSeconds: 60 })).skew).toBe(120)
    expect((await skewOfReceiver({ dateAhead: 120, windowSeconds: 60 })).skew).toBeUndefined()
  })
})

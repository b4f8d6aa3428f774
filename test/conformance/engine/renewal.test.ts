import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../../conformance/contracts/payment-service/cases/index.ts'
import { createKit } from '../../../conformance/contracts/payment-service/kit.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import { renewable, renewed } from '../../../conformance/engine/renewal.ts'
import { kitOf, NOW, SECRET } from '../support.ts'

const LATER = 1_000

/** The deliveries of each case, planned at a time, with events of the same time as before. */
const plannedAt = (now: number) =>
  CATALOGUE.map(({ id, send }) => {
    const kit = createKit(id, { secret: SECRET, seed: '1', mode: 'test', now: () => now, emittedAt: NOW })
    return [id, send(kit).flatMap(({ deliveries }) => deliveries)] as const
  })

/** Everything but the header lines that may contain a time. */
const withoutTime = ({ role, event, key, body, method, nameCase, transport, headers }: Delivery) => [
  [role, event, key, method, nameCase, transport],
  createHash('sha256').update(body).digest('hex'),
  headers.map(([name]) => name),
]
/** Its body has the time of its signature. */
const TIMED_BODY = ['time-window/stale-with-the-timestamp-of-its-body']
/** Their `t` is no number of seconds, is the same whenever they are sent, or is looked for by its signature. */
const OTHER_TIMES = [
  'signature-header/t-with-minus-sign',
  'signature-header/t-wrapped-at-64-bits',
  'time-window/at-zero',
  'time-window/stale-although-its-t-was-accepted-before',
  'time-window/far-ahead',
  'time-window/in-milliseconds',
]
const aheadOf = ({ signed, madeAt = 0 }: Delivery) => Number(signed.t) - madeAt

describe('a delivery that is made again later', () => {
  const [first, later] = [plannedAt(NOW), plannedAt(NOW + LATER)]

  it('is the same delivery, whichever case it is of', () => {
    const other = first.filter(([, deliveries], index) => {
      const again = later[index]?.[1].map(withoutTime)
      return JSON.stringify(again) !== JSON.stringify(deliveries.map(withoutTime))
    })
    expect(other.map(([id]) => id)).toEqual(TIMED_BODY)
  })

  it('is as old as it was planned', () => {
    const moved = first.filter((_, index) => {
      const [before, after] = [first[index]?.[1].map(aheadOf), later[index]?.[1].map(aheadOf)]
      return JSON.stringify(before) !== JSON.stringify(after)
    })
    expect(moved.map(([id]) => id)).toEqual(OTHER_TIMES)
  })

  it('is sent as planned as long as it did not wait', () => {
    let now = NOW
    const make = () => [{ ...kitOf('renewal').delivery('completed'), madeAt: now }]
    const planned = make()
    renewable(planned, make, () => now)
    const [delivery] = planned as [Delivery]

    now += 2
    expect(renewed(delivery)).toBe(delivery)
    now += 1
    expect(renewed(delivery)).toMatchObject({ key: delivery.key, madeAt: NOW + 3 })
  })
})

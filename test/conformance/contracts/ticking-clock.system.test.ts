import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { SERVICE_NAMES, type ServiceId } from '../../../conformance/contracts/service-names.ts'
import { requireService } from '../../../conformance/contracts/services.ts'
import type { Delivery } from '../../../conformance/contracts/webhook/delivery.ts'
import { SECRETS } from '../services/receiver.ts'
import { NOW, SECRET } from '../support.ts'

/** What a receiver gets of a delivery. */
const sentOf = ({ body, ...sent }: Delivery) =>
  JSON.stringify({
    ...sent,
    role: 0,
    change: 0,
    madeAt: 0,
    signed: 0,
    body: createHash('sha256').update(body).digest('hex'),
  })

/** What a case sends while the clock ticks once, before a call of it. */
function sentBy(service: ServiceId, id: string, ticksAt: number): string[] {
  const { cases, createKit } = requireService(service)
  let calls = 0
  const now = () => {
    calls += 1
    return NOW + (calls > ticksAt ? 1 : 0)
  }
  const secret = service === 'payment-service' ? SECRET : SECRETS[service]
  const kit = createKit(id, { secret, seed: 's', mode: 'test', now, emittedAt: NOW })
  const plan = cases.find((one) => one.id === id)?.send(kit) ?? []
  return plan.flatMap(({ deliveries }) => deliveries).map(sentOf)
}

it.each(SERVICE_NAMES)('%s: a clock that ticks makes no two deliveries of a case equal', (service) => {
  const equal = requireService(service).cases.flatMap(({ id }) => {
    const usual = sentBy(service, id, Number.POSITIVE_INFINITY)
    return [1, 2, 3].flatMap((ticksAt) => {
      const sent = sentBy(service, id, ticksAt)
      return sent.flatMap((one, index) => {
        const first = sent.indexOf(one)
        return first < index && usual[first] !== usual[index] ? [`${id}: ${first} and ${index}`] : []
      })
    })
  })
  expect(equal).toEqual([])
})

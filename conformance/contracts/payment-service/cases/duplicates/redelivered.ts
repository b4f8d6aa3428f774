import { inTurn } from '../../../../engine/plan.ts'
import { anotherTime, type Delivery, type HeaderLine } from '../../../webhook/delivery.ts'
import type { Guidance, Plan } from '../../../webhook/model.ts'
import { type Mutation, withHeaders } from '../../../webhook/mutate.ts'
import type { Kit } from '../../kit.ts'

export const shippedTwice = {
  impact: 'The merchant ships the goods more than once.',
  fix: 'Insert the payment and event under a unique key first; handle the event only when the insert succeeded.',
  about: ['fulfilled-again'],
} satisfies Guidance

/** A redelivery, made from the delivery that was sent first. */
type Redelivery = (delivery: Delivery, kit: Kit) => Delivery

/** A completed payment, then its redeliveries in turn. */
export const redelivered =
  (...redeliveries: Redelivery[]) =>
  (kit: Kit): Plan => {
    const delivery = kit.delivery('completed')
    return inTurn(delivery, ...redeliveries.map((redelivery) => redelivery(delivery, kit)))
  }

/** The same bytes with the same signature. */
export const unchanged: Redelivery = (delivery) => delivery

/** The same body, signed for a second earlier. */
export const secondEarlier: Redelivery = (delivery, kit) =>
  kit.redelivery(delivery, { t: anotherTime(delivery, kit.now()) })

/** The same event, emitted a second later. */
export const withNewTimestamp: Redelivery = (delivery, kit) => {
  const event = JSON.parse(delivery.body.toString()) as Record<string, unknown>
  const later = { ...event, timestamp: new Date((kit.emittedAt() + 1) * 1000).toISOString() }
  return { ...kit.redelivery(delivery, { body: Buffer.from(JSON.stringify(later)) }), change: undefined }
}

/** The same event as other JSON. */
export const reserialized: Redelivery = (delivery, kit) =>
  kit.redelivery(delivery, {
    body: Buffer.from(JSON.stringify(JSON.parse(delivery.body.toString()), null, 2)),
  })

/** Headers by which receivers recognize a request that was sent before. The signature covers none of them. */
const REQUEST_IDS = [
  'Idempotency-Key',
  'X-Idempotency-Key',
  'X-Request-Id',
  'Request-Id',
  'X-Correlation-Id',
  'Webhook-Id',
  'X-Webhook-Id',
  'X-Event-Id',
  'X-Delivery-Id',
  'Svix-Id',
]

/** Adds the same id in each of the headers that identify a request. The delivery remains valid. */
export const withRequestId = (id: string): Mutation =>
  withHeaders(
    `${REQUEST_IDS[0]}, ${REQUEST_IDS[2]} and the like with ${id}`,
    ...REQUEST_IDS.map((name): HeaderLine => [name, id]),
  )

export const REQUEST_IDS_IGNORED =
  'Recognize a redelivery by the payment and the event in its signed body; ignore Idempotency-Key, X-Request-Id and other headers.'
export const MAY_USE_HEADER =
  'A receiver may refuse a delivery with a header that it uses for something else; only what it does counts.'

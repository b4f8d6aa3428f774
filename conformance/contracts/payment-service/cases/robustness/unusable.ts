import { inTurn } from '../../../../engine/plan.ts'
import { asControl, type Delivery } from '../../../webhook/delivery.ts'
import {
  accepted,
  answeredBelow500,
  contextAnsweredBelow500,
  refusedThoughSigned,
} from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { nothingHandled, nothingHandledNow } from '../../expectations/effects.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'

type Event = Record<string, unknown>
type Make = (kit: Kit) => Delivery

/** A validly signed body of any text. */
const signed =
  (change: string, text: string): Make =>
  (kit) => ({ ...kit.body(text), change })
/** A validly signed event with some fields changed. */
const signedEvent =
  (change: string, alter: (event: Event) => Event): Make =>
  (kit) => {
    const event = kit.event('completed')
    return { ...kit.body(JSON.stringify(alter(event)), aboutEvent(event)), change }
  }
/** All three ids of an event, replaced. */
const withIds = (change: string, id: (original: unknown) => unknown): Make =>
  signedEvent(change, ({ id: original, ...event }) => {
    const value = id(original)
    return { ...event, id: value, payment_id: value, order_id: value }
  })

const NOT_JSON = {
  'not-json': signed('a body that is not JSON', 'event=payment.completed&amount=25.00'),
  'json-cut-short': signed('truncated JSON', '{"event":"payment.completed","id":"tx_'),
  'empty-body': signed('an empty body', ''),
}
const OTHER_EVENT_TYPE = signedEvent('a number as the event', (event) => ({ ...event, event: 7 }))
const NO_EVENT = {
  'json-null': signed('the JSON value null', 'null'),
  'json-array': signed('a JSON array', '[]'),
  'json-text': signed('a JSON string', '"payment.completed"'),
  'empty-object': signed('an empty JSON object', '{}'),
  'event-of-wrong-type': OTHER_EVENT_TYPE,
}
const EVENT_IN_ARRAY: Make = (kit) => {
  const event = kit.event('completed')
  return { ...kit.body(JSON.stringify([event]), aboutEvent(event)), change: 'an array that holds an event' }
}
const IDS_IN_ARRAYS = withIds('ids in arrays', (id) => [id])
/** Events whose ids are null, each with a text that a language may make of it, under which there must be no effect. */
const NULL_IDS = ['null', 'None', 'nil', 'undefined'].map(
  (text): Make =>
    (kit) => ({
      ...withIds('null as the ids', () => null)(kit),
      key: text,
    }),
)
const NO_ID = {
  'ids-missing': signedEvent(
    'no id, payment_id or order_id',
    ({ id: _id, payment_id: _payment, order_id: _order, ...event }) => event,
  ),
  'ids-empty': withIds('empty ids', () => ''),
  'ids-of-wrong-type': withIds('objects as ids', () => ({ $ne: null })),
}

/** The unusable body between two valid deliveries: the second one shows what the body did to the receiver. */
const between =
  (make: Make) =>
  (kit: Kit): Plan =>
    inTurn(asControl(kit.delivery('completed')), { ...make(kit), role: 'context' }, kit.delivery('completed'))
const survived = (make: Make) => ({ send: between(make), expect: [contextAnsweredBelow500, accepted] })
const withoutEffect = (make: Make) => ({
  needs: 'effects' as const,
  send: (kit: Kit) => inTurn(make(kit), asControl(kit.delivery('completed'))),
  expect: [answeredBelow500, nothingHandled],
})
const allRefused = (all: Readonly<Record<string, Make>>, ...statuses: [number, ...number[]]) => ({
  send: (kit: Kit) =>
    inTurn(...Object.values(all).map((make) => make(kit)), asControl(kit.delivery('completed'))),
  expect: [refusedThoughSigned(...statuses)],
})

const shapeless = {
  impact: 'The handler crashes on a missing field, or records a payment without an id.',
  fix: 'After parsing, check that the body is an object with a payment id (`payment_id`, else `id`) and an `event`, both non-empty strings; only a simulated event (`test` true) may have a `status` instead of an `event`. Otherwise answer 400.',
}
const unnoticed = {
  impact: 'Nobody notices that the service sends something that the receiver cannot use.',
}

/** What a receiver does not survive, or acts on, although it cannot use it. */
export const unusable = [
  requirement(
    'A receiver MUST answer a validly signed body that is not JSON with a status below 500, and accept the next delivery.',
    {
      impact: 'One malformed body makes the server answer 5xx or crash, and the sender keeps retrying it.',
      fix: 'Catch the parse error and answer 400.',
    },
    {
      'not-json': survived(NOT_JSON['not-json']),
      'json-cut-short': survived(NOT_JSON['json-cut-short']),
      'empty-body': survived(NOT_JSON['empty-body']),
    },
  ),
  requirement(
    'A receiver MUST answer validly signed JSON that is not an event with a status below 500 and without an effect, and accept the next delivery.',
    shapeless,
    {
      'json-null': survived(NO_EVENT['json-null']),
      'json-array': survived(NO_EVENT['json-array']),
      'json-text': survived(NO_EVENT['json-text']),
      'empty-object': survived(NO_EVENT['empty-object']),
      'event-of-wrong-type': survived(OTHER_EVENT_TYPE),
      'event-in-an-array-has-no-effect': {
        ...withoutEffect(EVENT_IN_ARRAY),
        impact: 'Something that is not an event is credited as a payment.',
        fix: 'Check that the body is an object, not an array, before you read its fields.',
      },
      'event-of-wrong-type-has-no-effect': {
        ...withoutEffect(OTHER_EVENT_TYPE),
        impact: 'Something that is not an event is credited as a payment.',
        fix: 'Check that `event` is a string, and decide by its exact value.',
      },
    },
  ),
  requirement(
    'A receiver MUST answer a validly signed event without a payment id with a status below 500 and without an effect, and accept the next delivery.',
    shapeless,
    {
      'ids-missing': survived(NO_ID['ids-missing']),
      'ids-empty': survived(NO_ID['ids-empty']),
      'ids-of-wrong-type': {
        ...survived(NO_ID['ids-of-wrong-type']),
        impact: 'An id that is an object can act as a database query, or as a key that all payments share.',
      },
      'ids-in-arrays-have-no-effect': {
        ...withoutEffect(IDS_IN_ARRAYS),
        impact: 'A payment is recorded under an id that was converted to text, so deduplication may miss it.',
        fix: 'Check that the payment id is a string; do not convert it.',
      },
      'null-ids-have-no-effect': {
        needs: 'effects',
        send: (kit) => inTurn(...NULL_IDS.map((make) => make(kit)), asControl(kit.delivery('completed'))),
        expect: [answeredBelow500, nothingHandledNow],
        impact: 'All events without an id count as one payment, whose id is the text of null.',
        fix: 'Check that the payment id is a string; do not convert it.',
      },
    },
  ),
] as const

/** Whether the response shows that something is wrong. */
export const unusableRefused = [
  requirement(
    'A receiver SHOULD refuse a validly signed body that is not JSON, with status 400, 415 or 422.',
    { ...unnoticed, fix: 'Catch the parse error and answer 400.' },
    { 'not-json-is-refused': allRefused(NOT_JSON, 400, 415, 422) },
  ),
  requirement(
    'A receiver SHOULD refuse validly signed JSON that is not an event, with status 400 or 422.',
    { ...unnoticed, fix: shapeless.fix },
    { 'not-an-event-is-refused': allRefused(NO_EVENT, 400, 422) },
  ),
  requirement(
    'A receiver SHOULD refuse a validly signed event without a payment id, with status 400 or 422.',
    { ...unnoticed, fix: shapeless.fix },
    { 'no-payment-id-is-refused': allRefused(NO_ID, 400, 422) },
  ),
] as const

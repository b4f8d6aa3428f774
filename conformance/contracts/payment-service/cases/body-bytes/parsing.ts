import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import { accepted, answeredBelow500 } from '../../../webhook/expectations/expect.ts'
import type { Plan } from '../../../webhook/model.ts'
import { fulfilledOnce } from '../../expectations/effects.ts'
import { aboutEvent, type Kit } from '../../kit.ts'
import { requirement } from '../../section.ts'
import { type Event, serializedAs, withField } from './common.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** A completion that was emitted some seconds ago and is signed now. */
const emitted = (kit: Kit, secondsAgo: number) =>
  kit.delivery('completed', { timestamp: new Date((kit.emittedAt() - secondsAgo) * 1000).toISOString() })
const emittedAgo =
  (secondsAgo: number) =>
  (kit: Kit): Plan =>
    inTurn(emitted(kit, secondsAgo))

/** Valid deliveries of events that were emitted at another time. */
export const timestamps = requirement(
  'A receiver MUST accept a valid delivery regardless of the `timestamp` in its body.',
  {
    impact:
      'A payment is lost when the service sends its event late or again, because the receiver checks the wrong time.',
    fix: 'Compare only `t` of the signature header with the clock; `timestamp` says when the event happened.',
  },
  {
    'timestamp-an-hour-ago': { send: emittedAgo(HOUR), expect: [accepted] },
    'timestamp-a-day-ago': { send: emittedAgo(DAY), expect: [accepted] },
    'timestamp-a-year-ago': { send: emittedAgo(365 * DAY), expect: [accepted] },
    'timestamp-ahead': {
      send: (kit) => inTurn(emitted(kit, -5), emitted(kit, -4 * MINUTE)),
      expect: [accepted],
      // No further than the window: the service writes `t` by the same clock.
      impact: 'Payments are lost while the clock of the service is ahead of yours.',
    },
    'late-events-are-fulfilled': {
      needs: 'effects',
      send: (kit) => inTurn(emitted(kit, HOUR), emitted(kit, 2 * DAY), emitted(kit, 365 * DAY)),
      expect: [accepted, fulfilledOnce],
    },
  },
)

/** Sends a validly signed body that not every receiver can parse or store, then a valid delivery. */
const parsedVariously =
  (change: string, write: (event: Event) => string) =>
  (kit: Kit): Plan => {
    const event = kit.event('completed')
    const signed = { ...kit.body(write(event), aboutEvent(event)), change }
    return inTurn({ ...signed, key: undefined }, asControl(kit.delivery('completed')))
  }
const withIds = (event: Event, text: string) =>
  JSON.stringify({ ...event, id: '', payment_id: '', order_id: '' }).replaceAll('id":""', `id":"${text}"`)

const beyondFloats = (event: Event) => withField(event, '"most":1e400,"least":1e-400')

const parserDiffers = {
  impact: 'One body makes the server fail, and the sender keeps retrying it.',
  fix: 'Catch the errors of the parser and of the store, and answer 400 or 422 to a body that you cannot store.',
}
const eitherIsCorrect =
  'JSON does not say what such a body means, so a receiver may accept it or refuse it with a 4xx status.'

/** Validly signed bodies that are read differently by different parsers. */
export const ambiguous = [
  requirement(
    'A receiver MUST answer a validly signed body that JSON parsers treat differently with a status below 500.',
    parserDiffers,
    {
      'bare-nan': {
        send: parsedVariously('a bare NaN, which is not JSON', (event) => withField(event, '"risk":NaN')),
        expect: [answeredBelow500],
        open: eitherIsCorrect,
      },
      'bare-infinity': {
        send: parsedVariously('a bare -Infinity, which is not JSON', (event) =>
          withField(event, '"risk":-Infinity'),
        ),
        expect: [answeredBelow500],
        open: eitherIsCorrect,
      },
      'number-beyond-floating-point': {
        send: parsedVariously('1e400 in an unknown field', beyondFloats),
        expect: [answeredBelow500],
        open: eitherIsCorrect,
      },
      'lone-surrogate-in-the-id': {
        send: parsedVariously('a lone surrogate in the ids', (event) =>
          withIds(event, `${String(event['id'])}\\ud83e`),
        ),
        expect: [answeredBelow500],
        fix: `${parserDiffers.fix} For a lone surrogate, json_decode of PHP returns null and JSON.parse of Ruby raises JSON::ParserError: handle that before you use the result.`,
        open: eitherIsCorrect,
      },
      'payment-id-repeated': {
        send: parsedVariously('two payment ids under one key', (event) =>
          withField(event, `"payment_id":"${String(event['id'])}_2"`),
        ),
        expect: [answeredBelow500],
        open: eitherIsCorrect,
      },
    },
  ),
  requirement(
    'A receiver MUST accept a number beyond 2^53 in an unknown field.',
    {
      impact: 'Payments are lost from the day the service adds a field with a large number.',
      fix: 'Ignore the fields that you do not know, or parse them leniently.',
    },
    {
      'number-beyond-2-53': {
        // Not in the metadata, whose values are strings.
        send: (kit) =>
          inTurn(
            serializedAs('numbers that do not fit into 64 bits', (event) =>
              withField(event, '"sequence":9007199254740993,"serial":123456789012345678901234567890'),
            )(kit),
          ),
        expect: [accepted],
      },
    },
  ),
] as const

/** Numbers that most parsers keep as infinity, and some refuse. */
export const beyondFloatingPoint = requirement(
  'A receiver SHOULD accept a number beyond floating point in an unknown field, such as `1e400`.',
  {
    impact: 'A payment is refused because of a field that the receiver does not need.',
    fix: 'Ignore the fields that you do not know, or parse numbers as text or as decimals.',
  },
  {
    'number-beyond-floating-point-accepted': {
      send: (kit) => inTurn(serializedAs('1e400 and 1e-400 in unknown fields', beyondFloats)(kit)),
      expect: [accepted],
    },
  },
)

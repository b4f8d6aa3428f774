import type { IncomingMessage } from 'node:http'
import { type Behavior, CORRECT, type Event, effect, idOf, nameOf, signing, text } from '../../behavior.ts'
import type { Mutant } from '../../mutant.ts'

/** Behavior that looks at the entire request: it is verified and parsed without a pause. */
function looking(does: (request: () => IncomingMessage, body: () => Buffer) => Partial<Behavior>) {
  return (): Partial<Behavior> => {
    let received: { request: IncomingMessage; body: Buffer } | undefined
    const latest = () => {
      if (received === undefined) throw new Error('nothing was received')
      return received
    }
    return {
      trusts(_, request, body) {
        received = { request, body }
        return false
      },
      ...does(
        () => latest().request,
        () => latest().body,
      ),
    }
  }
}

/** Lets something that is not signed change an event. */
const merging = (unsigned: (request: IncomingMessage) => Event) =>
  looking((request) => ({
    parse(body) {
      const event = CORRECT.parse(body)
      return CORRECT.isEvent(event) ? { ...event, ...unsigned(request()) } : event
    },
  }))
const queryOf = ({ url = '' }: IncomingMessage) => new URL(url, 'http://localhost').searchParams
/** Sets fields to the value of a header, if it is there. */
const fromHeader =
  (name: string, ...fields: string[]) =>
  ({ headers }: IncomingMessage): Event =>
    Object.fromEntries(
      fields.flatMap((field) => (headers[name] === undefined ? [] : [[field, headers[name]]])),
    )
const fromCookies = ({ headers: { cookie = '' } }: IncomingMessage): Event =>
  Object.fromEntries(cookie.split('; ').flatMap((pair) => (pair === '' ? [] : [pair.split('=', 2)])))

/** The text of a body in the charset that its content type declares, or in UTF-8 if no such charset is known. */
function declaredText(body: Buffer, { headers }: IncomingMessage): string {
  const [, charset = 'utf-8'] = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '') ?? []
  if (charset === 'utf-7')
    return body.toString('latin1').replace(/\+([A-Za-z\d/+]+)-?/g, (_, coded: string) => {
      const bytes = Buffer.from(coded, 'base64')
      return bytes
        .subarray(0, bytes.length & ~1)
        .swap16()
        .toString('utf16le')
    })
  try {
    return new TextDecoder(charset).decode(body)
  } catch {
    return body.toString()
  }
}

/** Recognizes a redelivery by the first of these headers that it has. */
const recognizing = (...names: string[]) => ({
  ...merging(({ headers }) => ({
    sentAs: names.map((name) => headers[name]).find((id) => id !== undefined),
  }))(),
  keyOf: (event: Event, body: Buffer, header: string) =>
    text(event['sentAs']) || CORRECT.keyOf(event, body, header),
})
const near = (left: number, right: number) => Math.abs(left - right) <= 300
const isRefund = (event: Event) => nameOf(event) === 'payment.refunded'

/** Data that is believed although the signature does not cover it (SPEC.md 3.3, 7.4, 7.8, 8.21, 12.2 and 12.7). */
export const OF_UNSIGNED_DATA: Readonly<Record<string, Mutant>> = {
  'merges the query into the body': {
    does: merging((request) => Object.fromEntries(queryOf(request))),
    cause: 'query_merged',
    fails: [
      'events/query-with-another-amount',
      'events/query-with-another-payment',
      'events/query-with-a-completion',
    ],
  },
  'merges cookies into the body': {
    does: merging(fromCookies),
    fails: [
      'events/headers-with-another-amount',
      'events/headers-with-another-payment',
      'events/headers-with-a-completion',
    ],
  },
  'takes the payment from the query': {
    does: merging((request) => {
      const id = queryOf(request).get('order_id')
      return id === null ? {} : { payment_id: id }
    }),
    fails: ['events/query-with-another-payment'],
  },
  'takes the event from X-Event-Type': {
    does: merging(fromHeader('x-event-type', 'event')),
    fails: ['events/headers-with-a-completion'],
  },
  'takes the payment from X-Payment-Id': {
    does: merging(fromHeader('x-payment-id', 'id', 'payment_id')),
    fails: ['events/headers-with-another-payment'],
  },
  'takes the amount from X-Amount': {
    does: merging(fromHeader('x-amount', 'amount')),
    fails: ['events/headers-with-another-amount'],
  },

  'fills the id from the metadata': {
    does: {
      parse(body) {
        const event = CORRECT.parse(body)
        if (typeof event !== 'object' || event === null || Array.isArray(event)) return event
        const { metadata, ...fields } = event as Event
        const id = Object(metadata)['payment_id'] as unknown
        return idOf(fields) === '' && typeof id === 'string' ? { ...fields, metadata, payment_id: id } : event
      },
    },
    fails: ['bypass/metadata-with-what-the-body-lacks'],
  },
  'decodes the body by its charset after it verified it': {
    does: looking((request) => ({ parse: (body) => JSON.parse(declaredText(body, request())) })),
    fails: ['events/headers-with-another-charset'],
  },
  'decodes the body by its charset before it verifies it': {
    does: looking((request) => ({
      messages: (t, body) => [signing(`${t}.`, declaredText(body, request()))],
      parse: (body) => JSON.parse(declaredText(body, request())),
    })),
    cause: 'body_decoded_as_text',
    fails: ['bypass/content-type-with-another-charset'],
  },
  'takes livemode from the query': {
    does: merging((request) => {
      const livemode = queryOf(request).get('livemode')
      return livemode === null ? {} : { livemode: livemode === 'true' }
    }),
    mode: 'live',
    fails: ['bypass/test-payment-on-a-live-receiver'],
  },

  // Times
  'takes the Date header for its clock': {
    does: looking((request) => ({
      inWindow(age, t) {
        const { date } = request().headers
        return date === undefined ? CORRECT.inWindow(age, t) : near(Date.parse(date) / 1000, Number(t))
      },
    })),
    fails: ['time-window/stale-with-times-in-headers'],
  },
  'takes t from the query': {
    does: looking((request) => ({
      inWindow(age, t) {
        const stated = new URL(request().url ?? '', 'http://localhost').searchParams.get('t')
        return stated === null ? CORRECT.inWindow(age, t) : near(age + Number(t), Number(stated))
      },
    })),
    fails: ['time-window/stale-whatever-the-request-says'],
  },
  'takes X-Timestamp for the time of the signature': {
    does: looking((request) => ({
      inWindow(age, t) {
        const stated = request().headers['x-timestamp']
        return stated === undefined ? CORRECT.inWindow(age, t) : near(age + Number(t), Number(stated))
      },
    })),
    fails: ['time-window/stale-with-times-in-headers'],
  },
  'also compares t with the timestamp of the body': {
    does: looking((_, body) => ({
      inWindow: (age, t) =>
        CORRECT.inWindow(age, t) ||
        near(Date.parse(/"timestamp":"([^"]*)"/.exec(body().toString())?.[1] ?? '') / 1000, Number(t)),
    })),
    fails: ['time-window/stale-with-the-timestamp-of-its-body'],
  },

  // Ids of requests
  'recognizes a redelivery by Idempotency-Key': {
    does: () => recognizing('idempotency-key'),
    fails: ['duplicates/with-another-request-id', 'duplicates/payments-with-the-same-request-id'],
  },
  'recognizes a redelivery by the id of Standard Webhooks': {
    does: () => recognizing('svix-id', 'webhook-id'),
    fails: ['duplicates/with-another-request-id', 'duplicates/payments-with-the-same-request-id'],
  },

  // Test events with the id of a live payment
  'keeps test and live payments together': {
    does: { modeOf: () => '' },
    mode: 'live',
    fails: [
      'events/test-refund-with-the-id-of-a-live-payment',
      'events/test-completion-with-the-id-of-a-live-payment',
    ],
  },
  'remembers an early refund for both modes': {
    does: () => {
      const early = new Set<string>()
      return {
        effectOf(event, before) {
          if (isRefund(event) && before.length === 0) early.add(idOf(event))
          return early.has(idOf(event)) && before.length === 0 && !isRefund(event)
            ? undefined
            : CORRECT.effectOf(event, before)
        },
      }
    },
    mode: 'live',
    fails: ['events/test-refund-with-the-id-of-a-live-payment'],
  },
  'recognizes a refund in either mode': {
    does: () => {
      const reversed = new Set<string>()
      return {
        effectOf(event, before) {
          if (!isRefund(event) || before.length === 0) return CORRECT.effectOf(event, before)
          if (reversed.has(idOf(event))) return undefined
          reversed.add(idOf(event))
          return effect(event, 'reversed')
        },
      }
    },
    mode: 'live',
    fails: ['events/test-refund-with-the-id-of-a-live-payment'],
  },

  // Unverified requests
  'reads the payload of a form, which it does not verify': {
    does: {
      join: (chunks, { headers }) => {
        const body = Buffer.concat(chunks)
        const isForm = headers['content-type'] === 'application/x-www-form-urlencoded'
        const payload = isForm ? new URLSearchParams(body.toString()).get('payload') : null
        return payload === null ? body : Buffer.from(payload)
      },
      trusts: (_, { headers }, body) =>
        headers['content-type'] === 'application/x-www-form-urlencoded' && body.toString().startsWith('{'),
    },
    cause: 'verification_bypassed',
    fails: ['bypass/content-type-of-a-form', 'bypass/other-bodies-have-no-effect'],
  },
  'verifies the path of X-Original-URL': {
    does: { trusts: (_, { headers }) => headers['x-original-url'] !== undefined },
    fails: ['bypass/other-methods-have-no-effect'],
  },
}

import { inTurn } from '../../engine/plan.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { handledOnce, handledOnceTogether } from '../webhook/expectations/handled.ts'
import { notLetInThoughSigned } from '../webhook/expectations/unverified.ts'
import * as body from '../webhook/families/body.ts'
import * as duplicates from '../webhook/families/duplicates.ts'
import { acknowledged, type Family } from '../webhook/families/family.ts'
import * as signature from '../webhook/families/signature.ts'
import * as time from '../webhook/families/time.ts'
import { toleranceByPractice } from '../webhook/families/tolerance.ts'
import * as transport from '../webhook/families/transport.ts'
import type { Kit } from '../webhook/kit.ts'
import { header } from '../webhook/mutate.ts'
import { mutated, mutatedThenControl } from '../webhook/plans.ts'
import { must, type Quote, should } from '../webhook/requirement.ts'
import { serviceContract } from '../webhook/service.ts'
import { SAMPLES } from './samples.ts'

/** A place in Stripe's documentation of webhooks. */
const docs = (section: string, quote: string): Quote => ({
  address: 'https://docs.stripe.com/webhooks',
  section,
  quote,
  read: '2026-11-24',
})
const SUPPORT: Quote = {
  address: 'https://support.stripe.com/questions/webhooks-how-to-investigate-and-fix-timed-out',
  section: 'Timed out',
  quote: 'Stripe expects your server to promptly respond with an HTTP status code in the 200–299 range',
  read: '2026-11-26',
}
const RAW: Quote = {
  address: 'https://github.com/stripe/stripe-node#webhook-signing',
  section: 'Webhook signing',
  quote: 'you must pass the raw request body, exactly as received from Stripe',
  read: '2026-11-26',
}
const SCHEMES = docs(
  'Verify webhook signatures manually',
  'To prevent downgrade attacks, ignore all schemes that aren’t v1',
)
const REPLAYED = {
  harm: 'Anyone who recorded a delivery can send it again within the tolerance, and Stripe itself may send an event more than once.',
} as const
const FAKE = 'ab'.repeat(32)

const besideV0: Family = {
  section: 'signature',
  impact: 'Test events are refused: Stripe sends a signature under v0 with them.',
  fix: 'Split the header at commas, and skip each entry whose label is neither t nor v1.',
  cases: () => ({
    'v0-before-v1': {
      send: mutated(header('a v0 entry before v1', ({ t, v1 }) => `t=${t},v0=${FAKE},v1=${v1}`)),
      expect: [acknowledged],
    },
    'v0-after-v1': {
      send: mutated(header('a v0 entry after v1', ({ t, v1 }) => `t=${t},v1=${v1},v0=${FAKE}`)),
      expect: [acknowledged],
    },
  }),
}
const onlyV1: Family = {
  section: 'signature',
  impact: 'A signature of a weaker scheme counts as v1, so an attacker can choose the scheme.',
  fix: 'Take the signature from the entries whose label is exactly v1.',
  cases: () => ({
    'valid-signature-under-v0': {
      send: mutatedThenControl(header('the signature under v0', ({ t, v1 }) => `t=${t},v0=${v1}`)),
      expect: [notLetInThoughSigned],
    },
    'valid-signature-under-v10': {
      send: mutatedThenControl(header('the signature under v10', ({ t, v1 }) => `t=${t},v10=${v1}`)),
      expect: [notLetInThoughSigned],
    },
  }),
}

/** The delivery with other fields in its event. */
function withFields(delivery: Delivery, kit: Kit, fields: Readonly<Record<string, unknown>>): Delivery {
  const event = JSON.parse(delivery.body.toString()) as object
  return kit.body(JSON.stringify({ ...event, ...fields }), delivery)
}

const byId: Family = {
  section: 'duplicates',
  impact: 'A redelivery is taken for another event, and what it stands for is done twice.',
  fix: 'Insert the `id` of the event under a unique key first; leave out the body, the time and the signature.',
  cases: () => ({
    'with-other-pending-webhooks': {
      needs: 'effects',
      send: (kit) => {
        const delivery = kit.valid()
        return inTurn(delivery, withFields(delivery, kit, { pending_webhooks: 0 }))
      },
      expect: [acknowledged, handledOnce],
    },
  }),
}
const sameChange: Family = {
  section: 'duplicates',
  impact: 'What happened once is done twice when Stripe reports it by two Event objects.',
  fix: 'For events that happen once to an object, use the `id` in `data.object` and the `type` of the event as key, too.',
  cases: () => ({
    'two-events-of-one-change': {
      needs: 'effects',
      send: (kit) => {
        const [delivery, { key = '' }] = [kit.valid(), kit.valid()]
        return inTurn(delivery, { ...withFields(delivery, kit, { id: key }), key })
      },
      expect: [acknowledged, handledOnceTogether],
    },
  }),
}

/** What Stripe requires of webhook endpoints. Not affiliated with Stripe. */
export const stripe = serviceContract({
  id: 'stripe',
  title: 'Stripe',
  version: '1.0',
  scheme: {
    signed: ['time', { text: '.' }, 'body'],
    digest: 'hex',
    key: 'text',
    header: { name: 'Stripe-Signature', separator: ',', label: 'v1=', time: 't=' },
  },
  windowSeconds: 300,
  ackWithinMs: 10_000,
  acknowledgedBy: [200, 299],
  dedupe: { in: { field: 'id' } },
  samples: SAMPLES,
  library: {
    express: {
      imports: "import { Stripe } from 'stripe'",
      verifying: [
        'let event',
        "try { event = Stripe.webhooks.constructEvent(body, req.get('Stripe-Signature') ?? '', secret) }",
        'catch { return res.status(400).end() } // missing, malformed, too old or a wrong signature',
      ],
    },
  },
  userAgent: 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
  about: (event) => {
    const { id, type, livemode } = event as Readonly<Record<string, unknown>>
    return { event: String(type), key: String(id), livemode: livemode === true }
  },
  requirements: [
    must(
      'A receiver MUST acknowledge a valid delivery with a status from 200 to 299.',
      SUPPORT,
      transport.valid,
    ),
    must(
      'A receiver MUST accept a delivery with several `v1` signatures when one of them is valid.',
      docs('Roll endpoint signing secrets', 'Stripe generates one signature for each secret'),
      signature.rotation,
    ),
    must(
      'A receiver MUST accept a valid `v1` signature beside one of another scheme.',
      docs(
        'Verify webhook signatures manually',
        'Stripe sends an additional signature with a fake v0 scheme, for test events',
      ),
      besideV0,
    ),
    must('A receiver MUST NOT accept the signature of an entry whose label is not `v1`.', SCHEMES, onlyV1),
    must(
      'A receiver MUST NOT accept a delivery whose `t` is not the signed one.',
      docs('Verify webhook signatures manually', 'The actual JSON payload (i.e., the request body)'),
      time.signedTime,
    ),
    must(
      'A receiver MUST NOT accept a body that was written differently after signing.',
      RAW,
      body.respelled,
    ),
    must(
      'A receiver MUST accept a valid body that a JSON library would serialize differently.',
      RAW,
      body.raw,
    ),
    should(
      'A receiver SHOULD accept a valid body of up to 60 KiB.',
      { practice: 'A sample of Stripe for Go reads up to 65,536 bytes.' },
      body.size60,
    ),
    ...toleranceByPractice('Stripe'),
    should(
      'A receiver SHOULD NOT accept a `t` that is not an integer.',
      { practice: 'A time that is no number is never too old.' },
      time.noTime,
    ),
    should(
      'A receiver SHOULD acknowledge every kind of event, also a thin one and one that it does not know.',
      { practice: 'An endpoint can be subscribed to events that its code does not handle yet.' },
      transport.everyEvent,
    ),
    should('A receiver SHOULD answer within ten seconds.', SUPPORT, transport.inTime),
    must(
      'A receiver MUST handle an event and its redeliveries, which have the same `id`, once.',
      REPLAYED,
      duplicates.handledOnceInTurn,
    ),
    must(
      'A receiver MUST handle copies of an event that arrive together once.',
      REPLAYED,
      duplicates.handledOnceAtOnce,
    ),
    should(
      'A receiver SHOULD recognize a redelivery by the `id` of the event alone.',
      docs('Handle duplicate events', 'logging the event IDs you’ve processed'),
      byId,
    ),
    should(
      'A receiver SHOULD handle two Event objects of one change once.',
      docs('Handle duplicate events', 'In some cases, two separate Event objects are generated and sent.'),
      sameChange,
    ),
  ],
})

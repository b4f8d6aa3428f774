import { notLetIn, notLetInThoughSigned } from '../webhook/expectations/unverified.ts'
import * as body from '../webhook/families/body.ts'
import * as duplicates from '../webhook/families/duplicates.ts'
import { acknowledged, type Family } from '../webhook/families/family.ts'
import * as signature from '../webhook/families/signature.ts'
import * as time from '../webhook/families/time.ts'
import * as transport from '../webhook/families/transport.ts'
import { header, type Mutation } from '../webhook/mutate.ts'
import { mutated, mutatedThenControl } from '../webhook/plans.ts'
import { must, type Quote, should } from '../webhook/requirement.ts'
import { serviceContract } from '../webhook/service.ts'
import { SAMPLES } from './samples.ts'

/** A place in the specification, version 1.0.0. */
const spec = (section: string, quote: string): Quote => ({
  address: 'https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md',
  section,
  quote,
  read: '2026-11-26',
})
const CONTENT = spec(
  'Signature scheme',
  'The content to be signed is therefore: `{msg_id}.{timestamp}.{payload}`.',
)
const LIST = spec(
  'Webhook headers',
  'The signature header is a space delimited list of signatures associated with this webhook.',
)

/** States another id than the signed one. */
const otherId =
  (change: string, id: (own: string) => string): Mutation =>
  (delivery) => ({
    ...delivery,
    change,
    stamps: delivery.stamps.map(([name, value]) => [name, name === 'webhook-id' ? id(value) : value]),
  })
const withoutStamp =
  (missing: string): Mutation =>
  (delivery) => ({
    ...delivery,
    change: `no ${missing} header`,
    stamps: delivery.stamps.filter(([name]) => name !== missing),
  })

const signedId: Family = {
  section: 'signature',
  impact: 'Anyone who saw one delivery can send it again under another id, so that it is handled twice.',
  fix: 'Compute the HMAC over the id, a dot, the timestamp, a dot and the raw body, each as received.',
  cases: () => ({
    'id-replaced': {
      send: mutatedThenControl(otherId('another id than the signed one', (id) => `${id}2`)),
      expect: [notLetIn],
    },
    'id-emptied': { send: mutatedThenControl(otherId('an empty id', () => '')), expect: [notLetIn] },
    'id-missing': { send: mutatedThenControl(withoutStamp('webhook-id')), expect: [notLetIn] },
    'timestamp-missing': {
      send: mutatedThenControl(withoutStamp('webhook-timestamp')),
      expect: [notLetIn],
    },
  }),
}
/** 64 bytes, the length of a signature by ed25519. */
const ASYMMETRIC = `v1a,${Buffer.alloc(64, 7).toString('base64')}`
const otherVersions: Family = {
  section: 'signature',
  impact: 'Every delivery is refused from the day on which the service adds a signature of another kind.',
  fix: 'Split the header at spaces, and skip each entry whose version is not `v1`.',
  cases: () => ({
    'asymmetric-signature-first': {
      send: mutated(header('a v1a entry before the valid one', ({ v1 }) => `${ASYMMETRIC} v1,${v1}`)),
      expect: [acknowledged],
    },
    'asymmetric-signature-last': {
      send: mutated(header('a v1a entry after the valid one', ({ v1 }) => `v1,${v1} ${ASYMMETRIC}`)),
      expect: [acknowledged],
    },
  }),
}
const onlyV1: Family = {
  section: 'signature',
  impact:
    'A signature of another scheme counts as v1. Only the holder of the secret can make such a delivery.',
  fix: 'Take the signature from an entry whose version is exactly `v1`.',
  cases: () => ({
    'valid-signature-under-v1a': {
      send: mutatedThenControl(header('the signature under v1a', ({ v1 }) => `v1a,${v1}`)),
      expect: [notLetInThoughSigned],
    },
    'valid-signature-under-v2': {
      send: mutatedThenControl(header('the signature under v2', ({ v1 }) => `v2,${v1}`)),
      expect: [notLetInThoughSigned],
    },
  }),
}

/** What Standard Webhooks, version 1.0.0, requires of receivers. Not affiliated with the project. */
export const standardWebhooks = serviceContract({
  id: 'standard-webhooks',
  title: 'Standard Webhooks',
  version: '1.0',
  scheme: {
    signed: ['id', { text: '.' }, 'time', { text: '.' }, 'body'],
    digest: 'base64',
    key: { base64After: 'whsec_' },
    header: { name: 'webhook-signature', separator: ' ', label: 'v1,' },
    stamps: { id: 'webhook-id', time: 'webhook-timestamp' },
  },
  windowSeconds: 300,
  ackWithinMs: 15_000,
  acknowledgedBy: [200, 299],
  dedupe: { in: 'id' },
  deliveryId: (newId) => newId('msg_', 27),
  samples: SAMPLES,
  userAgent: 'Svix-Webhooks/1.0',
  about: (event) => ({ event: 'type' in event ? String(event.type) : undefined }),
  requirements: [
    must(
      'A receiver MUST acknowledge a valid delivery with a status from 200 to 299.',
      spec('Delivery success and failure', 'successful if it was responded to with a `2xx` status code'),
      transport.valid,
    ),
    must('A receiver MUST verify that the signature covers the id and the timestamp.', CONTENT, signedId),
    must(
      'A receiver MUST NOT accept a delivery whose timestamp is not the signed one.',
      CONTENT,
      time.signedTime,
    ),
    must(
      'A receiver MUST accept a delivery with several signatures when one of them is valid.',
      LIST,
      signature.rotation,
    ),
    must(
      'A receiver MUST accept a valid `v1` signature beside one of another version.',
      spec('Signature scheme', 'the same consumer may change back and forth between them'),
      otherVersions,
    ),
    should(
      'A receiver SHOULD NOT accept the signature of an entry whose version is not `v1`.',
      spec('Signature scheme', 'Symmetric signatures are prefixed with `v1` and asymmetric with `v1a`.'),
      onlyV1,
    ),
    must(
      'A receiver MUST NOT accept a body that was written differently after signing.',
      spec('Signature scheme', 'even a stray space can cause the signature to be invalid'),
      body.respelled,
    ),
    must(
      'A receiver MUST accept a valid body that a JSON library would serialize differently.',
      spec(
        'Signature scheme',
        'a very common failure mode as many webhook consumers often accidentally parse the body as json',
      ),
      body.raw,
    ),
    must(
      'A receiver MUST accept a valid body of up to 16 KiB.',
      spec('Payload size', 'usually smaller than 20kb'),
      body.size16,
    ),
    must(
      'A receiver MUST accept a valid delivery that was signed half a minute ago.',
      spec('Verifying signatures', 'within some allowable tolerance of the current timestamp'),
      time.fresh,
    ),
    should(
      'A receiver SHOULD accept a valid delivery that was signed less than five minutes ago.',
      { practice: 'The libraries of the project use a tolerance of five minutes.' },
      time.withinTolerance,
    ),
    must(
      'A receiver MUST NOT accept a delivery that was signed a day ago.',
      spec('Verifying signatures', 'Make sure to verify the `webhook-timestamp` header'),
      time.old,
    ),
    should(
      'A receiver SHOULD NOT accept a delivery that was signed more than five minutes ago.',
      { practice: 'The libraries of the project use a tolerance of five minutes.' },
      time.beyondTolerance,
    ),
    should(
      'A receiver SHOULD NOT accept a delivery that is dated in the future.',
      spec('Verifying signatures', 'within some allowable tolerance of the current timestamp'),
      time.future,
    ),
    should(
      'A receiver SHOULD NOT accept a timestamp that is not an integer.',
      spec('Webhook headers', 'integer unix timestamp (seconds since epoch)'),
      time.noTime,
    ),
    should(
      'A receiver SHOULD acknowledge every kind of event.',
      spec('Delivery success and failure', 'it is considered a failure in any other scenario'),
      transport.everyEvent,
    ),
    should(
      'A receiver SHOULD answer within 15 seconds.',
      spec(
        'Request timeouts',
        'A recommended request timeout value for webhooks is somewhere between 15 and 30s.',
      ),
      transport.inTime,
    ),
    must(
      'A receiver MUST handle a delivery and its redeliveries, which have the same `webhook-id`, once.',
      spec(
        'Verifying signatures',
        'Use the `webhook-id` header as an idempotency key to prevent accidentally processing the same webhook more than once',
      ),
      duplicates.handledOnceInTurn,
    ),
    must(
      'A receiver MUST handle copies of a delivery that arrive together once.',
      spec(
        'Webhook metadata',
        'ensure that they only process a specific event once, even if sent multiple times maliciously, in error, or due to networking issues',
      ),
      duplicates.handledOnceAtOnce,
    ),
    should(
      'A receiver SHOULD handle deliveries with the same content and different ids separately.',
      spec('Webhook metadata', 'a unique identifier associated with a specific event triggered'),
      duplicates.sameContent,
    ),
  ],
})

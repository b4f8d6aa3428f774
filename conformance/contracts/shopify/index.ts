import { inTurn } from '../../engine/plan.ts'
import { asControl, type HeaderLine } from '../webhook/delivery.ts'
import { refused } from '../webhook/expectations/expect.ts'
import { notAccepted } from '../webhook/expectations/unverified.ts'
import { waysAround } from '../webhook/families/around.ts'
import * as body from '../webhook/families/body.ts'
import * as duplicates from '../webhook/families/duplicates.ts'
import type { Family } from '../webhook/families/family.ts'
import * as transport from '../webhook/families/transport.ts'
import { forged, type Mutation, withHeaders } from '../webhook/mutate.ts'
import { must, type Quote, should } from '../webhook/requirement.ts'
import { serviceContract, uuidOf } from '../webhook/service.ts'
import { SAMPLES, SHOP, TOPICS } from './samples.ts'

/** A page of Shopify's documentation of apps. */
const docs = (page: string, section: string, quote: string): Quote => ({
  address: `https://shopify.dev/docs/apps/build/${page}`,
  section,
  quote,
  read: '2026-11-26',
})
const VERIFYING = 'webhooks/verify-deliveries'
const ONCE = docs(
  VERIFYING,
  'Ignoring duplicates',
  'use the `X-Shopify-Webhook-Id` header to detect and skip duplicates',
)

/** Adds a header, or replaces it. */
const headed =
  (change: string, ...line: HeaderLine): Mutation =>
  (delivery, kit) =>
    withHeaders(change, line)(
      { ...delivery, headers: delivery.headers.filter(([name]) => name !== line[0]) },
      kit,
    )
const ofTopic = (topic: string) => headed(`the topic ${topic}`, 'X-Shopify-Topic', topic)

const unsignedHeaders: Family = {
  section: 'signature',
  impact:
    'Anyone on the internet can report an event of any shop, by a topic or another header that skips the check.',
  fix: 'Verify the signature before you look at the topic, the shop or any other header, which anyone can write.',
  cases: () => ({
    'no-way-around-by-topics': {
      send: waysAround(
        ...['app/uninstalled', 'customers/redact', 'shop/redact', 'unknown/topic'].map(ofTopic),
      ),
      expect: [notAccepted],
      role: 'way-around',
    },
    'no-way-around-by-headers-of-shopify': {
      send: waysAround(
        headed('a test notification', 'X-Shopify-Test', 'true'),
        headed('another shop', 'X-Shopify-Shop-Domain', 'another-shop.myshopify.com'),
      ),
      expect: [notAccepted],
      role: 'way-around',
    },
  }),
}
/** A SHOULD, although Shopify writes "must": only apps of the Shopify App Store get these webhooks. */
const compliance: Family = {
  section: 'compliance',
  impact: 'The review for the Shopify App Store rejects the app.',
  fix: 'Answer 401 to a compliance webhook whose signature is wrong.',
  cases: () => ({
    'refused-with-401': {
      role: 'way-around',
      send: (kit) => {
        const topics = ['customers-data-request', 'customers-redact', 'shop-redact']
        const probes = topics.map((name) => {
          const delivery = kit.sample(name)
          const change = `a forged compliance webhook of the topic ${delivery.event}`
          return { ...forged(delivery, kit), change }
        })
        return inTurn(...probes, asControl(kit.valid()))
      },
      expect: [refused(401)],
    },
  }),
}

/** What Shopify requires of apps that receive webhooks over HTTPS. Not affiliated with Shopify. */
export const shopify = serviceContract({
  id: 'shopify',
  title: 'Shopify',
  version: '1.0',
  scheme: {
    signed: ['body'],
    digest: 'base64',
    key: 'text',
    header: { name: 'X-Shopify-Hmac-SHA256', separator: ',', label: '' },
  },
  windowSeconds: 300,
  ackWithinMs: 5_000,
  acknowledgedBy: [200, 299],
  dedupe: { in: { header: 'X-Shopify-Webhook-Id' }, isUuid: true },
  samples: SAMPLES,
  userAgent: 'Shopify-Captain-Hook',
  about: (_, sample, newId) => ({ event: TOPICS[sample], key: uuidOf(newId('', 36)) }),
  headers: ({ event = 'orders/create', key = '' }, at): HeaderLine[] => [
    ['X-Shopify-Topic', event],
    ['X-Shopify-Shop-Domain', SHOP],
    ['X-Shopify-API-Version', '2026-07'],
    ['X-Shopify-Webhook-Id', key],
    // Some receivers recognize redeliveries by this one, which is as good.
    ['X-Shopify-Event-Id', uuidOf(`the event of ${key}`)],
    ['X-Shopify-Triggered-At', new Date(at * 1000).toISOString()],
  ],
  requirements: [
    must(
      'A receiver MUST acknowledge a valid delivery with a status from 200 to 299.',
      docs(
        'webhooks/troubleshoot',
        'Responses and retries',
        "If your app doesn't respond with a `200` series status code, the delivery has failed.",
      ),
      {
        ...transport.valid,
        fix: `${transport.valid.fix} The deliveries have the topic orders/create, which the receiver has to handle.`,
      },
    ),
    must(
      'A receiver MUST answer within five seconds.',
      docs(
        'webhooks/troubleshoot',
        'Troubleshoot delivery failures',
        'Your app must respond to the webhook within five seconds.',
      ),
      transport.inTime,
    ),
    must(
      'A receiver MUST NOT accept an unsigned or forged delivery because of its topic or another header of Shopify.',
      { harm: 'Anyone can write these headers: the signature does not cover them.' },
      unsignedHeaders,
    ),
    must(
      'A receiver MUST NOT accept a body that was written differently after signing.',
      docs(VERIFYING, 'Manual verification', "Reject any delivery where the signatures don't match."),
      body.respelled,
    ),
    must(
      'A receiver MUST accept a valid body that a JSON library would serialize differently.',
      docs(VERIFYING, 'Manual verification', 'HMAC verification requires the raw request body.'),
      body.raw,
    ),
    should(
      'A receiver SHOULD refuse a compliance webhook whose signature is wrong with 401.',
      docs(
        'compliance/privacy-law-compliance',
        'How it works',
        'then the app must return a `401 Unauthorized` HTTP status',
      ),
      compliance,
    ),
    should(
      'A receiver SHOULD accept a valid body of 60 KiB.',
      { practice: 'A product with many variants is that large.' },
      body.size60,
    ),
    should(
      'A receiver SHOULD acknowledge every topic.',
      { practice: 'Shopify can delete a subscription after eight failures in a row.' },
      transport.everyEvent,
    ),
    should(
      'A receiver SHOULD handle a delivery and its redeliveries, which have the same `X-Shopify-Webhook-Id`, once.',
      ONCE,
      duplicates.handledOnceInTurn,
    ),
    should(
      'A receiver SHOULD handle copies of a delivery that arrive together once.',
      ONCE,
      duplicates.handledOnceAtOnce,
    ),
  ],
})

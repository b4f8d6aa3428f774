import type { HeaderLine } from '../webhook/delivery.ts'
import { notAccepted, notLetInThoughSigned } from '../webhook/expectations/unverified.ts'
import { waysAround } from '../webhook/families/around.ts'
import * as body from '../webhook/families/body.ts'
import * as duplicates from '../webhook/families/duplicates.ts'
import type { Family } from '../webhook/families/family.ts'
import * as transport from '../webhook/families/transport.ts'
import { header, type Mutation, withHeaders } from '../webhook/mutate.ts'
import { mutatedThenControl } from '../webhook/plans.ts'
import { must, type Quote, should } from '../webhook/requirement.ts'
import { serviceContract, uuidOf } from '../webhook/service.ts'
import { SAMPLES } from './samples.ts'

/** A page of GitHub's documentation of webhooks. */
const docs = (page: string, section: string, quote: string): Quote => ({
  address: `https://docs.github.com/en/webhooks/using-webhooks/${page}`,
  section,
  quote,
  read: '2026-11-26',
})
const VALIDATING = 'validating-webhook-deliveries'
const BEST = 'best-practices-for-using-webhooks'
const UNIQUE = docs(
  BEST,
  'Use the X-GitHub-Delivery header',
  'you can use the `X-GitHub-Delivery` header to ensure that each delivery is unique per event',
)

/** Only the header for older receivers. */
const sha1: Mutation = (delivery) => ({ ...delivery, change: 'a signature by SHA-1 alone', signature: [] })
/** Says which event it is, in the header that no signature covers. */
const named = (name: string): Mutation => {
  const added = withHeaders(`the event ${name}`, ['X-GitHub-Event', name])
  return (delivery, kit) => {
    const headers = delivery.headers.filter(([line]) => line !== 'X-GitHub-Event')
    return added({ ...delivery, headers }, kit)
  }
}

const events: Family = {
  section: 'signature',
  impact:
    'Anyone on the internet can send an event that never happened, by the name of one that is not checked.',
  fix: 'Verify the signature before you look at X-GitHub-Event, which anyone can write.',
  cases: () => ({
    'no-way-around-by-events': {
      send: waysAround(...['ping', 'installation', 'meta', 'unknown_event'].map(named)),
      expect: [notAccepted],
      role: 'way-around',
    },
  }),
}
const weaker: Family = {
  section: 'signature',
  impact: 'A weaker signature counts. Only the holder of the secret can make such a delivery.',
  fix: 'Read X-Hub-Signature-256 only, and compare its entire value, `sha256=` included.',
  cases: () => ({
    'sha-1-alone': {
      send: mutatedThenControl(sha1),
      expect: [notLetInThoughSigned],
      impact:
        'The receiver takes X-Hub-Signature, which GitHub still sends for older receivers, by SHA-1. Only the holder of the secret can make such a delivery.',
      fix: 'Verify X-Hub-Signature-256 instead, and ignore X-Hub-Signature.',
    },
    'label-missing': {
      send: mutatedThenControl(header('no sha256= before the signature', ({ v1 }) => v1)),
      expect: [notLetInThoughSigned],
    },
    'label-of-another-hash': {
      send: mutatedThenControl(header('sha512= before the signature', ({ v1 }) => `sha512=${v1}`)),
      expect: [notLetInThoughSigned],
    },
  }),
}

/** What GitHub requires of webhook servers. Not affiliated with GitHub. */
export const github = serviceContract({
  id: 'github',
  title: 'GitHub',
  version: '1.0',
  scheme: {
    signed: ['body'],
    digest: 'hex',
    key: 'text',
    header: { name: 'X-Hub-Signature-256', separator: ',', label: 'sha256=' },
    older: { hash: 'sha1', header: { name: 'X-Hub-Signature', separator: ',', label: 'sha1=' } },
  },
  windowSeconds: 300,
  ackWithinMs: 10_000,
  acknowledgedBy: [200, 299],
  dedupe: { in: { header: 'X-GitHub-Delivery' }, isUuid: true },
  samples: SAMPLES,
  userAgent: 'GitHub-Hookshot/0000000',
  about: (_, sample, newId) => ({ event: sample, key: uuidOf(newId('', 36)) }),
  headers: ({ event = 'push', key = '' }): HeaderLine[] => [
    ['X-GitHub-Event', event],
    ['X-GitHub-Delivery', key],
  ],
  requirements: [
    must(
      'A receiver MUST acknowledge a valid delivery with a status from 200 to 299.',
      docs(BEST, 'Respond within 10 seconds', 'Your server should respond with a 2XX response'),
      transport.valid,
    ),
    must(
      'A receiver MUST answer within ten seconds.',
      docs(
        BEST,
        'Respond within 10 seconds',
        'terminates the connection and considers the delivery a failure',
      ),
      transport.inTime,
    ),
    must(
      'A receiver MUST NOT accept an unsigned or forged delivery because of the event that a header names.',
      { harm: 'Anyone can write the header X-GitHub-Event: the signature does not cover it.' },
      events,
    ),
    should(
      'A receiver SHOULD accept no signature but `sha256=` and its digits.',
      docs(VALIDATING, 'Validating webhook deliveries', 'The hash signature always starts with `sha256=`.'),
      weaker,
    ),
    must(
      'A receiver MUST NOT accept a body that was written differently after signing.',
      docs(VALIDATING, 'Validating webhook deliveries', 'ensure that the delivery was not tampered with'),
      body.respelled,
    ),
    must(
      'A receiver MUST accept a valid body that a JSON library would serialize differently.',
      docs(
        VALIDATING,
        'Validating webhook deliveries',
        'your webhook’s secret token and the payload contents',
      ),
      body.raw,
    ),
    should(
      'A receiver SHOULD accept a valid body of 1 MiB.',
      { practice: 'A push of many commits is that large.' },
      body.size1024,
    ),
    should(
      'A receiver SHOULD acknowledge every kind of event, also a ping.',
      docs(BEST, 'Check the event type and action', 'continues to add new event types and new actions'),
      transport.everyEvent,
    ),
    should(
      'A receiver SHOULD handle a delivery and its redeliveries, which have the same `X-GitHub-Delivery`, once.',
      UNIQUE,
      duplicates.handledOnceInTurn,
    ),
    should(
      'A receiver SHOULD handle copies of a delivery that arrive together once.',
      UNIQUE,
      duplicates.handledOnceAtOnce,
    ),
  ],
})

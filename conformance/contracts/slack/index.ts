import { inTurn } from '../../engine/plan.ts'
import { asControl } from '../webhook/delivery.ts'
import { isSuccess } from '../webhook/expectations/statuses.ts'
import { notAccepted, notLetIn, notLetInThoughSigned } from '../webhook/expectations/unverified.ts'
import { plain, unverified, waysAround } from '../webhook/families/around.ts'
import * as body from '../webhook/families/body.ts'
import * as duplicates from '../webhook/families/duplicates.ts'
import { acknowledged, type Family, type SharedKit } from '../webhook/families/family.ts'
import * as time from '../webhook/families/time.ts'
import { toleranceByPractice } from '../webhook/families/tolerance.ts'
import * as transport from '../webhook/families/transport.ts'
import type { Expectation } from '../webhook/model.ts'
import { header, withHeaders } from '../webhook/mutate.ts'
import { mutated, mutatedThenControl } from '../webhook/plans.ts'
import { must, type Quote, should } from '../webhook/requirement.ts'
import { serviceContract } from '../webhook/service.ts'
import { SAMPLES, urlVerification } from './samples.ts'

const quoted = (address: string, section: string, quote: string): Quote => ({
  address,
  section,
  quote,
  read: '2026-11-26',
})
/** The guide to the Events API. */
const guide = (section: string, quote: string): Quote =>
  quoted('https://docs.slack.dev/tools/java-slack-sdk/guides/events-api', section, quote)
const RAW = guide(
  'Under the hood',
  'This needs "X-Slack-Signature" header, "X-Slack-Request-Timestamp" header, and raw request body',
)
const CHALLENGE = quoted(
  'https://api.slack.com/events/url_verification',
  'url_verification event',
  "verify the request's authenticity and then respond in plaintext with the challenge attribute value",
)
const ONCE = {
  practice: 'Slack sends an event again under the same `event_id` when its answer was late.',
} as const

const challenged = (kit: SharedKit) => {
  const { body: text } = urlVerification(kit.valid().body)
  return { ...kit.body(text, { event: 'url_verification' }), change: 'a request to verify the address' }
}
const ADDRESS = {
  impact: 'Slack does not save the address of the receiver, so no event is sent to it.',
  fix: 'After the signature is verified, answer a body of the type url_verification with 200 and its challenge.',
} as const
/** The response to each probe contains the challenge, as text, in a form or in JSON. */
const challengeAnswered: Expectation = {
  kind: 'answered',
  expected: { code: 'challenge_answered' },
  check: ({ exchanges }) => {
    const without = exchanges.filter(({ delivery, answer }) => {
      if (delivery.role !== 'probe') return false
      const { challenge } = JSON.parse(delivery.body.toString()) as { readonly challenge: string }
      return !isSuccess(answer) || answer?.body.includes(challenge) !== true
    })
    return without.length === 0
      ? undefined
      : {
          wrong: { code: 'challenge_not_answered' },
          severity: 'protocol',
          exchanges: without,
          guidance: ADDRESS,
        }
  },
}
const verification: Family = {
  ...ADDRESS,
  section: 'url-verification',
  cases: () => ({
    'challenge-answered': { send: (kit) => inTurn(challenged(kit)), expect: [challengeAnswered] },
  }),
}
const onlySigned: Family = {
  section: 'url-verification',
  impact: 'Anyone can make the receiver confirm its address, also for a Slack app that is not yours.',
  fix: 'Verify the signature before you look at the type of the body.',
  cases: () => ({
    'no-challenge-without-signature': {
      send: (kit) => {
        const probes = unverified(plain).map((change) => change(challenged(kit), kit))
        return inTurn(...probes, asControl(kit.valid()))
      },
      expect: [notLetIn],
    },
  }),
}

const retry = (reason: string, count = '1') =>
  withHeaders(
    `the header of retry ${count} because of ${reason}`,
    ['X-Slack-Retry-Num', count],
    ['X-Slack-Retry-Reason', reason],
  )
const retriesVerified: Family = {
  section: 'signature',
  impact: 'Anyone on the internet can send an event that never happened, as if it were sent again.',
  fix: 'Verify the signature before you look at X-Slack-Retry-Num, which anyone can write.',
  cases: () => ({
    'no-way-around-by-retries': {
      send: waysAround(retry('http_timeout'), retry('http_error', '3')),
      expect: [notAccepted],
      role: 'way-around',
    },
  }),
}
const retriesAcknowledged: Family = {
  section: 'acknowledgement',
  impact: 'An event that failed once fails again, however often Slack sends it.',
  fix: 'Answer a signed retry as the first delivery, and handle its event_id once.',
  cases: () => ({
    'retry-acknowledged': { send: mutated(retry('http_timeout')), expect: [acknowledged] },
  }),
}
const onlyV0: Family = {
  section: 'signature',
  impact: 'A signature of another version counts. Only the holder of the secret can make such a delivery.',
  fix: 'Compare the entire value of X-Slack-Signature, `v0=` included.',
  cases: () => ({
    'label-missing': {
      send: mutatedThenControl(header('no v0= before the signature', ({ v1 }) => v1)),
      expect: [notLetInThoughSigned],
    },
    'label-of-another-version': {
      send: mutatedThenControl(header('v1= before the signature', ({ v1 }) => `v1=${v1}`)),
      expect: [notLetInThoughSigned],
    },
  }),
}

/** What Slack requires of receivers of its Events API; commands and interactions, which are forms, are not tested. Not affiliated with Slack. */
export const slack = serviceContract({
  id: 'slack',
  title: 'Slack',
  version: '1.0',
  scheme: {
    signed: [{ text: 'v0:' }, 'time', { text: ':' }, 'body'],
    digest: 'hex',
    key: 'text',
    header: { name: 'X-Slack-Signature', separator: ',', label: 'v0=' },
    stamps: { time: 'X-Slack-Request-Timestamp' },
  },
  windowSeconds: 300,
  ackWithinMs: 3_000,
  acknowledgedBy: [200, 299],
  dedupe: { in: { field: 'event_id' } },
  samples: SAMPLES,
  userAgent: 'Slackbot 1.0 (+https://api.slack.com/robots)',
  about: (event, sample) => ({
    event: sample,
    key: 'event_id' in event ? String(event.event_id) : undefined,
  }),
  requirements: [
    must(
      'A receiver MUST acknowledge a valid delivery with a status from 200 to 299.',
      guide('What your Bolt app does', 'Respond to the Slack API server with 200 OK as an acknowledgment'),
      transport.valid,
    ),
    must(
      'A receiver MUST answer within three seconds.',
      guide('What your Bolt app does', 'Your app has to respond to the request within 3 seconds'),
      transport.inTime,
    ),
    must('A receiver MUST answer a signed `url_verification` with its challenge.', CHALLENGE, verification),
    must('A receiver MUST NOT accept an unsigned or forged `url_verification`.', CHALLENGE, onlySigned),
    must(
      'A receiver MUST NOT accept an unsigned or forged delivery because headers say that it is a retry.',
      { harm: 'Anyone can write the headers X-Slack-Retry-Num and X-Slack-Retry-Reason.' },
      retriesVerified,
    ),
    should(
      'A receiver SHOULD acknowledge a valid delivery that is a retry.',
      { practice: 'Slack sends an event again when its first delivery was not acknowledged.' },
      retriesAcknowledged,
    ),
    should(
      'A receiver SHOULD accept no signature but `v0=` and its digits.',
      { practice: 'The libraries of Slack compare the entire header.' },
      onlyV0,
    ),
    must(
      'A receiver MUST NOT accept a delivery whose timestamp is not the signed one.',
      { harm: 'Anyone who recorded a delivery can send it again under a fresh timestamp.' },
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
      'A receiver SHOULD accept a valid body of 60 KiB.',
      { practice: 'A message with many blocks is that large.' },
      body.size60,
    ),
    ...toleranceByPractice('Slack'),
    should(
      'A receiver SHOULD NOT accept a timestamp that is not an integer.',
      { practice: 'A time that is no number is never too old.' },
      time.noTime,
    ),
    should(
      'A receiver SHOULD acknowledge every kind of event.',
      { practice: 'An app can be subscribed to events that its code does not handle yet.' },
      transport.everyEvent,
    ),
    should(
      'A receiver SHOULD handle a delivery that arrives again once.',
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

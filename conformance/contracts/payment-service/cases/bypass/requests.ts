import { inTurn } from '../../../../engine/plan.ts'
import { asControl } from '../../../webhook/delivery.ts'
import { notAccepted } from '../../../webhook/expectations/unverified.ts'
import { waysAround } from '../../../webhook/families/around.ts'
import {
  CONTENT_TYPES,
  FIELDS,
  HEADERS,
  NOT_LIVE,
  QUERIES,
  REENCODED,
  TRANSFERS,
} from '../../../webhook/families/ways.ts'
import { requirement } from '../../section.ts'
import { forgedPayment } from './places.ts'

/** What the request says about itself, which anyone can write. */
export const requests = [
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of a field in its body, such as `test` or `livemode`.',
    {
      ...forgedPayment,
      fix: 'Verify simulated and test events as well: the service signs them. Read the body only after that.',
    },
    {
      'test-in-the-body': { send: waysAround(...FIELDS.test), expect: [notAccepted] },
      'not-live-in-the-body': { mode: 'live', send: waysAround(...NOT_LIVE), expect: [notAccepted] },
      'event-of-a-test': { send: waysAround(...FIELDS.name), expect: [notAccepted] },
      'claims-in-the-body': { send: waysAround(...FIELDS.claims, ...FIELDS.amount), expect: [notAccepted] },
    },
  ),
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of its content type.',
    {
      ...forgedPayment,
      fix: 'Read the raw bytes and verify them, regardless of the content type; refuse a type that you do not read.',
    },
    {
      'content-type-of-text': { send: waysAround(...CONTENT_TYPES.text), expect: [notAccepted] },
      'content-type-of-a-form': { send: waysAround(...CONTENT_TYPES.forms), expect: [notAccepted] },
      'content-type-like-json': { send: waysAround(...CONTENT_TYPES.likeJson), expect: [notAccepted] },
      'content-type-with-another-charset': {
        send: (kit) => {
          const signed = kit.noted('Zo\u00eb paid')
          return inTurn(...REENCODED.map((written) => written(signed, kit)), asControl(signed))
        },
        expect: [notAccepted],
        impact:
          'An attacker can replace the bytes of a body, because the receiver decodes it before it verifies it.',
        fix: 'Compute the HMAC over the bytes as they arrived, and ignore the charset: JSON is always UTF-8.',
      },
    },
  ),
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of the way in which it is transferred, such as in chunks or by HTTP/1.0.',
    {
      ...forgedPayment,
      fix: 'Verify the bytes of the body however they arrived; an absent Content-Length does not mean an empty body.',
    },
    {
      'sent-in-chunks': { send: waysAround(...TRANSFERS.chunked), expect: [notAccepted] },
      'sent-by-http-1-0': { send: waysAround(...TRANSFERS.http10), expect: [notAccepted] },
      'sent-after-continue': { send: waysAround(...TRANSFERS.expecting), expect: [notAccepted] },
      'sent-compressed': { send: waysAround(...TRANSFERS.compressed), expect: [notAccepted] },
      'sent-as-if-encoded': { send: waysAround(...TRANSFERS.encoded), expect: [notAccepted] },
    },
  ),
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of its query.',
    {
      ...forgedPayment,
      fix: 'Read no setting from the query, and the signing secret from your configuration only.',
    },
    {
      'test-in-the-query': { send: waysAround(...QUERIES.test), expect: [notAccepted] },
      'claims-in-the-query': { send: waysAround(...QUERIES.claims), expect: [notAccepted] },
      'keys-in-the-query': { send: waysAround(...QUERIES.keys), expect: [notAccepted] },
      'secret-in-the-query': { send: waysAround(...QUERIES.secret), expect: [notAccepted] },
    },
  ),
  requirement(
    'A receiver MUST NOT accept an unsigned or forged delivery because of a header, such as one that proxies or tests set.',
    {
      ...forgedPayment,
      fix: 'Anyone can write any header: verify the delivery whatever its headers say about where it comes from.',
    },
    {
      'proxy-headers': { send: waysAround(...HEADERS.proxy), expect: [notAccepted] },
      'internal-headers': { send: waysAround(...HEADERS.internal), expect: [notAccepted] },
      'secret-in-a-header': { send: waysAround(...HEADERS.secret), expect: [notAccepted] },
      'signatures-of-other-services': { send: waysAround(...HEADERS.signatures), expect: [notAccepted] },
      'other-credentials': { send: waysAround(...HEADERS.credentials), expect: [notAccepted] },
      'client-certificate-headers': { send: waysAround(...HEADERS.certificates), expect: [notAccepted] },
      'retry-headers': { send: waysAround(...HEADERS.retries), expect: [notAccepted] },
      'health-check-headers': { send: waysAround(...HEADERS.health), expect: [notAccepted] },
      'test-keys': { send: waysAround(...HEADERS.keys), expect: [notAccepted] },
      'headers-of-a-client': { send: waysAround(...HEADERS.client), expect: [notAccepted] },
    },
  ),
] as const

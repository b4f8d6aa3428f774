import { createHash } from 'node:crypto'
import type { CaseId } from '../../conformance/catalogue/index.ts'
import { type Behaviour, CORRECT, effect, idOf, nameOf, text } from './small-receiver.ts'

/** One thing that a receiver does wrong, and the cases that must find it. */
export interface Defect {
  readonly does: Partial<Behaviour>
  readonly fails: readonly [CaseId, ...CaseId[]]
}

const json = (body: Buffer) => JSON.parse(body.toString()) as Record<string, unknown>
const signing = (...parts: (string | Buffer)[]) => Buffer.concat(parts.map((part) => Buffer.from(part)))
const statusOf = (from: number, to: number): Partial<Behaviour> => ({
  status: ({ code }) => (code === from ? to : code),
})
const fulfilFor = (amount: string, currency: string) => ({
  ...effect({}, 'fulfilled'),
  event: 'payment.completed',
  amount,
  currency,
})

/** Single defects, as people make them. Each is told from a correct receiver by the cases beside it. */
export const DEFECTS: Readonly<Record<string, Defect>> = {
  // Signature header
  'takes parts of the header by position': {
    does: {
      entries(header) {
        const [t = '', v1 = ''] = header.split(',').map((entry) => entry.split('=')[1] ?? '')
        return { times: t === '' ? [] : [t], signatures: v1 === '' ? [] : [v1] }
      },
    },
    fails: [
      'signature-header/order-swapped',
      'signature-header/unknown-label-first',
      'signature-header/unknown-label-between',
    ],
  },
  'refuses labels that it does not know': {
    does: {
      entries: (header) =>
        /^t=\w*,v1=\w*$/.test(header) ? CORRECT.entries(header) : { times: [], signatures: [] },
    },
    fails: ['signature-header/unknown-label-last', 'signature-header/unknown-label-with-equals-signs'],
  },
  'knows a label by its beginning': {
    does: {
      entries(header) {
        const signatures = header.split(',').flatMap((entry) => /^v1\d*=(.*)$/.exec(entry)?.[1] ?? [])
        return { times: CORRECT.entries(header).times, signatures }
      },
    },
    fails: ['signature-header/right-signature-under-v11'],
  },
  'looks the header up with regard to case': {
    does: {
      headerOf({ rawHeaders }) {
        const at = rawHeaders.indexOf('X-Service-Signature')
        return at === -1 ? '' : (rawHeaders[at + 1] ?? '')
      },
    },
    fails: ['transport/header-name-in-lower-case', 'transport/header-name-in-upper-case'],
  },
  'reads the digits before the letters of t': {
    does: { seconds: (t) => Number.parseInt(t, 10) },
    fails: ['signature-header/t-with-letters-after-digits', 'signature-header/t-with-sign'],
  },
  'lets a t through that is not a number': {
    does: { seconds: Number, inWindow: (age) => !(Math.abs(age) > 300) },
    fails: ['signature-header/t-not-a-number', 'signature-header/t-in-hexadecimal'],
  },
  'checks one t and verifies another': {
    does: { signedTimes: (times) => times },
    fails: ['signature-header/t-twice-stale-one-signed-last'],
  },
  'compares as much as it was given': {
    does: { same: (expected, given) => given !== '' && expected.startsWith(given) },
    fails: ['signature-header/v1-truncated', 'signature-header/v1-of-one-digit'],
  },
  'compares the first 64 digits': {
    does: { same: (expected, given) => expected === given.slice(0, 64) },
    fails: ['signature-header/v1-prolonged'],
  },

  // Time window
  'has no window': {
    does: { inWindow: () => true },
    fails: [
      'time-window/just-outside-the-past',
      'time-window/just-outside-the-future',
      'time-window/a-year-ago',
      'time-window/at-zero',
      'refusals/stale-has-no-effect',
    ],
  },
  'looks at the past only': {
    does: { inWindow: (age) => age <= 300 },
    fails: ['time-window/just-outside-the-future', 'time-window/a-year-ahead'],
  },
  'looks at the future only': {
    does: { inWindow: (age) => age >= -300 },
    fails: ['time-window/just-outside-the-past', 'time-window/a-year-ago'],
  },
  'has a window of a minute': {
    does: { inWindow: (age) => Math.abs(age) < 60 },
    fails: ['time-window/just-inside-the-past', 'time-window/just-inside-the-future'],
  },
  'takes milliseconds for seconds where it likes': {
    does: { seconds: (t) => (t.length > 11 ? Math.floor(Number(t) / 1000) : CORRECT.seconds(t)) },
    fails: ['time-window/in-milliseconds'],
  },

  // Body bytes
  're-serialises the body': {
    does: { messages: (t, body) => [signing(`${t}.`, JSON.stringify(json(body)))] },
    fails: [
      'body-bytes/indented',
      'body-bytes/escaped-slashes',
      'body-bytes/number-forms',
      'body-bytes/spaces-added',
    ],
  },
  'decodes the body before it verifies': {
    does: { messages: (t, body) => [signing(`${t}.`, body.toString('utf8'))] },
    fails: ['body-bytes/replacement-characters'],
  },
  'trims the body': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(`${t}.`, body.toString().trim())] },
    fails: ['body-bytes/line-break-added'],
  },
  'reads 50 KiB at most': {
    does: { gate: (request, body) => (body.length > 50 * 1024 ? 413 : CORRECT.gate(request, body)) },
    fails: ['body-bytes/of-60-kib', 'body-bytes/with-100-kib-of-metadata'],
  },
  'reads one content type': {
    does: {
      gate: (request, body) =>
        request.headers['content-type'] === 'application/json' ? CORRECT.gate(request, body) : 415,
    },
    fails: ['transport/content-type-with-charset', 'transport/content-type-missing'],
  },

  // Refusals
  'takes a missing secret for an empty key': {
    does: { keys: (secret) => [secret, ''] },
    fails: ['refusals/empty-key'],
  },
  'signs with the word undefined': {
    does: { keys: (secret) => [secret, 'undefined'] },
    fails: ['refusals/key-undefined'],
  },
  'takes the secret without its prefix as well': {
    does: { keys: (secret) => [secret, secret.slice(secret.lastIndexOf('_') + 1)] },
    fails: ['refusals/secret-without-prefix'],
  },
  'signs the body alone': {
    does: { messages: (t, body) => [signing(`${t}.`, body), body] },
    fails: ['refusals/body-alone'],
  },
  'signs without the dot': {
    does: { messages: (t, body) => [signing(`${t}.`, body), signing(t, body)] },
    fails: ['refusals/without-the-dot'],
  },
  'answers 400 to a forged delivery': {
    does: statusOf(401, 400),
    fails: ['refusals/another-secret', 'body-bytes/one-byte-of-the-amount-altered'],
  },
  'answers 401 to a stale delivery': {
    does: {
      inWindow: CORRECT.inWindow,
      status: ({ code, message }) => (message.includes('window') ? 401 : code),
    },
    fails: ['time-window/just-outside-the-past'],
  },
  'verifies nothing': {
    does: { same: () => true },
    fails: ['refusals/another-secret', 'refusals/signature-of-zeros', 'signature-header/v1-twice-both-wrong'],
  },
  'acts before it verifies': {
    does: { peek: (body, handle) => handle(json(body)), effectOf: fulfilsOnce() },
    fails: ['refusals/forged-has-no-effect', 'refusals/unsigned-has-no-effect'],
  },

  // Acknowledgement
  'answers 201': {
    does: { acknowledge: (_, response) => void response.writeHead(201).end() },
    fails: ['acknowledgement/exactly-200', 'transport/posted-as-json', 'duplicates/acknowledged-again'],
  },
  redirects: {
    does: { acknowledge: (_, response) => void response.writeHead(307, { Location: '/webhooks' }).end() },
    fails: ['acknowledgement/exactly-200'],
  },
  'answers 202 where there is nothing to do': {
    does: {
      acknowledge: (event, response) =>
        void response.writeHead(nameOf(event) === 'payment.completed' ? 200 : 202).end(),
    },
    fails: ['acknowledgement/nothing-to-do', 'events/failed'],
  },
  'loses one delivery in ten': {
    does: { keeps: everyButTheTenth() },
    fails: ['acknowledgement/burst-carried-out'],
  },

  // Duplicates
  'remembers nothing': {
    does: { keyOf: () => String(Math.random()) },
    fails: [
      'duplicates/delivered-twice-in-turn',
      'duplicates/delivered-twice-at-once',
      'effects/refund-reverses',
    ],
  },
  'knows a redelivery by its signature': {
    does: { keyOf: (_, __, header) => header },
    fails: ['duplicates/signed-anew', 'duplicates/with-a-new-timestamp'],
  },
  'knows a redelivery by its bytes': {
    does: { keyOf: (_, body) => createHash('sha256').update(body).digest('hex') },
    fails: ['duplicates/with-a-new-timestamp', 'duplicates/written-anew'],
  },
  'knows a redelivery by the payment alone': {
    does: { keyOf: idOf },
    fails: [
      'duplicates/refund-after-completion',
      'effects/refund-reverses',
      'effects/completion-after-partial',
      'effects/completion-after-failure',
    ],
  },
  'folds the case of payment ids and their length': {
    does: { keyOf: (event) => `${idOf(event).toLowerCase().slice(0, 23)} ${nameOf(event)}` },
    fails: ['duplicates/payments-that-are-alike'],
  },
  'looks first and writes later': {
    does: { gapMs: 20 },
    fails: ['duplicates/delivered-twice-at-once', 'duplicates/delivered-20-times-at-once'],
  },
  'remembers a delivery that it refuses': {
    does: { claimsFirst: true },
    fails: ['duplicates/forged-first', 'duplicates/altered-first', 'duplicates/stale-first'],
  },

  // Events and forward compatibility
  'refuses events that it does not know': {
    does: {
      dislike: (event) =>
        /^payment\.(completed|failed|partial|refunded|expired)$/.test(nameOf(event)) ? undefined : 422,
    },
    fails: [
      'events/unknown-event',
      'events/unknown-event-of-another-kind',
      'effects/unknown-event-has-no-effect',
    ],
  },
  'refuses fields that it does not know': {
    does: { dislike: (event) => ('loyalty_points' in event ? 422 : undefined) },
    fails: ['events/unknown-fields'],
  },
  'refuses payment methods that it does not know': {
    does: {
      dislike: (event) =>
        ['card', 'pix', 'crypto'].includes(text(event['payment_method'])) ? undefined : 422,
    },
    fails: ['events/unknown-payment-method', 'events/every-payment-method'],
  },
  'refuses failure codes that it does not know': {
    does: { dislike: (event) => (text(event['failure_code']).startsWith('moon') ? 422 : undefined) },
    fails: ['events/unknown-failure-code'],
  },
  'needs payment_id': {
    does: { dislike: (event) => ('payment_id' in event ? undefined : 400) },
    fails: ['events/simulated-and-sparse'],
  },
  'turns amounts into numbers that it then refuses': {
    does: { dislike: (event) => (Number(event['amount']) > Number.MAX_SAFE_INTEGER ? 422 : undefined) },
    fails: ['robustness/huge-amount'],
  },

  // Effects
  'credits amount_requested': {
    does: {
      effectOf: (event, before) =>
        CORRECT.effectOf({ ...event, amount: event['amount_requested'] ?? event['amount'] }, before),
    },
    fails: ['effects/short-payment-for-amount', 'effects/short-gift-card-for-amount'],
  },
  'credits what settled': {
    does: {
      effectOf(event, before) {
        const settled = event['settled_via'] as Record<string, unknown> | undefined
        return CORRECT.effectOf({ ...event, ...settled }, before)
      },
    },
    fails: ['effects/mixed-checkout-in-own-currency'],
  },
  'credits partial payments': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.partial'
          ? fulfilFor(text(event['amount_received']), text(event['currency']))
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/partial-is-not-credited', 'effects/completion-after-partial'],
  },
  'credits expired payments': {
    does: {
      effectOf: (event, before) =>
        CORRECT.effectOf(
          nameOf(event) === 'payment.expired' ? { ...event, event: 'payment.completed' } : event,
          before,
        ),
    },
    fails: ['effects/expired-is-not-credited'],
  },
  'goes by the status': {
    does: {
      effectOf: (event, before) =>
        event['status'] === 'completed' ? effect(event, 'fulfilled') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/unknown-event-has-no-effect'],
  },
  'ignores refunds': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' ? undefined : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-reverses', 'effects/chargeback-reverses', 'duplicates/refund-after-completion'],
  },
  'ignores chargebacks': {
    does: {
      effectOf: (event, before) =>
        event['type'] === 'chargeback' ? undefined : CORRECT.effectOf(event, before),
    },
    fails: ['effects/chargeback-reverses'],
  },
  'forgets a refund that comes early': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.refunded' && before.length === 0
          ? undefined
          : CORRECT.effectOf(event, before),
    },
    fails: ['effects/refund-before-completion'],
  },
  'ships after the refund': {
    does: { effectOf: (event) => CORRECT.effectOf(event, []) },
    fails: ['effects/refund-before-completion'],
  },
  'takes a completion back at once': {
    does: {
      effectOf: (event, before) =>
        nameOf(event) === 'payment.failed' ? effect(event, 'reversed') : CORRECT.effectOf(event, before),
    },
    fails: ['effects/failed-is-not-credited'],
  },
  'shows every payment as live': {
    does: {
      effectOf(event, before) {
        const one = CORRECT.effectOf(event, before)
        return one === undefined ? undefined : { ...one, livemode: true }
      },
    },
    fails: ['effects/livemode-is-shown'],
  },

  // Robustness
  'parses before it verifies, and breaks': {
    does: { peek: (body) => void JSON.parse(body.toString()) },
    fails: ['robustness/not-json', 'robustness/empty-body', 'body-bytes/cut-short'],
  },
  'takes any JSON for an event': {
    does: { dislike: () => undefined, status: ({ code, message }) => (message === 'no event' ? 200 : code) },
    fails: [
      'robustness/json-null',
      'robustness/empty-object',
      'robustness/ids-missing',
      'robustness/ids-of-wrong-type',
    ],
  },
  'takes every method': {
    does: { gate: () => undefined },
    fails: ['transport/method-put', 'transport/method-delete'],
  },

  // Disclosure
  'shows the secret': {
    does: { explain: (problem, { secret }) => `${problem.message}: the key is ${secret}` },
    fails: ['disclosure/no-secret-in-a-refusal', 'disclosure/no-secret-after-an-unreadable-body'],
  },
  'shows the expected signature': {
    does: { explain: (problem, { expected }) => `${problem.message}: expected ${expected}` },
    fails: ['disclosure/no-expected-signature-in-a-refusal'],
  },
  'shows a stack trace': {
    does: { explain: ({ stack }) => String(stack) },
    fails: ['disclosure/no-trace-in-a-refusal', 'disclosure/no-trace-after-an-unreadable-body'],
  },
}

/** Fulfils only where nothing stands yet, so that acting early is the one defect. */
function fulfilsOnce(): Behaviour['effectOf'] {
  return (event, before) => (before.length > 0 ? undefined : CORRECT.effectOf(event, before))
}

function everyButTheTenth(): Behaviour['keeps'] {
  let count = 0
  return () => (count += 1) % 10 !== 0
}

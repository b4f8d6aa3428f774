import { CORRECT, idOf, nameOf, signing } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const NOTHING_ACCEPTED = [
  'transport/posted-as-json',
  'acknowledgement/exactly-200',
  'events/completed',
] as const

/** A receiver that verifies another text than t, a dot and the body. */
const verifying = (text: (t: string, body: Buffer) => string | Buffer): Mutant['does'] => ({
  messages: (t, body) => [signing(text(t, body))],
})
const parsed = (body: Buffer): unknown => {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}
/** As json.dumps of Python writes it. */
function dumps(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(dumps).join(', ')}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${dumps(key)}: ${dumps(item)}`)
      .join(', ')}}`
  }
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
/** As encoding/json of Go writes a map. */
const marshaled = (value: unknown): string =>
  JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  ).replace(/[<>&]/g, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`)

/** Mistakes that let a receiver accept nothing, or that fail many cases: the report has to name them (SPEC.md 4 to 7). */
export const OF_CAUSES: Readonly<Record<string, Mutant>> = {
  'has another secret': {
    does: { keys: () => ['whsec_of_a_former_endpoint'] },
    // The run ends with the first section.
    fails: ['transport/posted-as-json', 'transport/several-on-one-connection'],
    cause: 'wrong_secret',
  },
  'uses the secret without its prefix': {
    does: { keys: (secret) => [secret.replace(/^whsec_/, '')] },
    fails: NOTHING_ACCEPTED,
    cause: 'secret_changed',
    prefixed: true,
  },
  'uses the secret with the line break of its file': {
    does: { keys: (secret) => [`${secret}\n`] },
    fails: NOTHING_ACCEPTED,
    cause: 'secret_changed',
  },
  'has no secret and an empty key': {
    does: { keys: () => [''] },
    fails: NOTHING_ACCEPTED,
    cause: 'key_guessable',
  },
  'serializes with json.dumps before it verifies': {
    does: verifying((t, body) => `${t}.${dumps(parsed(body))}`),
    fails: NOTHING_ACCEPTED,
    cause: 'body_reserialized',
  },
  'serializes a sorted map before it verifies': {
    does: verifying((t, body) => `${t}.${marshaled(parsed(body))}`),
    fails: NOTHING_ACCEPTED,
    cause: 'body_reserialized',
  },
  'verifies the text of an object': {
    does: verifying((t) => `${t}.[object Object]`),
    fails: NOTHING_ACCEPTED,
    cause: 'body_already_read',
  },
  'verifies a body that a parser has consumed': {
    does: verifying((t) => `${t}.`),
    fails: NOTHING_ACCEPTED,
    cause: 'body_already_read',
  },
  'verifies the body alone': {
    does: verifying((_, body) => body),
    fails: NOTHING_ACCEPTED,
    cause: 'signed_text_differs',
  },
  'expects the signature in base64': {
    does: { same: (expected, given) => Buffer.from(expected, 'hex').toString('base64') === given },
    fails: NOTHING_ACCEPTED,
    cause: 'signature_encoding',
  },
  'throws on every delivery': {
    does: { gate: () => 500 },
    fails: NOTHING_ACCEPTED,
    cause: 'handler_throws',
  },
  'stands behind a body parser and says so': {
    does: { gate: () => 500, explain: () => '{"error":"body_already_read"}' },
    fails: NOTHING_ACCEPTED,
    cause: 'body_already_read',
  },
  'stands behind a protection against CSRF': {
    does: { gate: () => 403, explain: () => '<h1>Forbidden</h1><p>CSRF verification failed.</p>' },
    fails: NOTHING_ACCEPTED,
    cause: 'csrf_protection',
  },
  "answers with Laravel's page for a missing CSRF token": {
    does: { gate: () => 419, explain: () => '<title>Page Expired</title><h1>419</h1>' },
    fails: NOTHING_ACCEPTED,
    cause: 'csrf_protection',
  },
  'compares signatures without awaiting the result': {
    does: { same: (_, given) => /^([0-9a-f]{2})+$/.test(given) },
    fails: ['refusals/another-secret'],
    cause: 'no_verification',
  },
  'reads another signature header': {
    does: { headerOf: ({ headers }) => String(headers['x-webhook-signature'] ?? '') },
    fails: NOTHING_ACCEPTED,
    cause: 'wrong_header_name',
  },
  'compares milliseconds with seconds': {
    does: { seconds: (t) => (/^\d+$/.test(t) ? Number(t) / 1_000 : undefined) },
    fails: NOTHING_ACCEPTED,
    cause: 'milliseconds',
  },
  'takes local time for Unix time': {
    does: { inWindow: (age) => Math.abs(age + 2 * 3600) <= 300 },
    fails: NOTHING_ACCEPTED,
    cause: 'clock_off',
  },
  'swaps 400 and 401': {
    does: { status: ({ code }) => (code === 400 ? 401 : code === 401 ? 400 : code) },
    fails: ['refusals/another-secret', 'signature-header/absent'],
    cause: 'statuses_swapped',
  },
  'answers 403 to every refusal': {
    does: { status: ({ code }) => (code === 400 || code === 401 ? 403 : code) },
    fails: ['refusals/another-secret', 'signature-header/absent'],
    cause: 'one_refusal_status',
  },
  'throws on every refusal': {
    does: { status: ({ code }) => (code === 400 || code === 401 ? 500 : code) },
    fails: ['refusals/another-secret', 'signature-header/absent'],
    cause: 'refusal_with_5xx',
  },
  'looks for a duplicate before it records it, and answers last': {
    does: {
      gapMs: 10,
      acknowledge: (_, response) => void setTimeout(() => response.writeHead(200).end(), 40),
    },
    timed: true,
    cause: 'not_atomic',
    fails: ['duplicates/delivered-twice-at-once'],
  },
  'recognizes a redelivery by its t': {
    does: {
      keyOf: (event, _, header) => `${idOf(event)} ${nameOf(event)} ${CORRECT.entries(header).times[0]}`,
    },
    fails: ['duplicates/signed-again'],
    cause: 'deduplicated_by_signature',
  },
  'recognizes a redelivery by its timestamp': {
    does: {
      keyOf: (event) =>
        `${idOf(event)} ${nameOf(event)} ${String(event['amount_received'])} ${String(event['timestamp'])}`,
    },
    fails: ['duplicates/with-a-new-timestamp'],
    cause: 'deduplicated_by_timestamp',
  },
  'answers 200 to refusals, and does nothing': {
    does: { status: () => 200 },
    cause: 'refusals_acknowledged',
    fails: ['refusals/another-secret', 'refusals/forged-has-no-effect', 'refusals/stale-has-no-effect'],
  },
  'acknowledges first, verifies later, and checks no window': {
    does: { status: ({ code }) => (code === 405 || code === 413 ? code : 200), inWindow: () => true },
    cause: 'refusals_acknowledged',
    also: ['no_window'],
    fails: ['refusals/another-secret', 'refusals/stale-has-no-effect', 'time-window/a-year-ago'],
  },
  'reads the header as a dictionary and checks no window': {
    does: {
      entries: (header) => ({
        times: CORRECT.entries(header).times.slice(-1),
        signatures: CORRECT.entries(header).signatures.slice(-1),
      }),
      inWindow: () => true,
    },
    cause: 'no_window',
    fails: ['time-window/a-year-ago', 'time-window/a-year-ahead'],
  },
  'reads any number as t and refuses only old deliveries': {
    does: {
      seconds: (t) => (/^\s*[+-]?\d{1,20}\s*$/.test(t) ? Number(t) : undefined),
      inWindow: (age) => age <= 300,
    },
    cause: 'window_past_only',
    fails: ['time-window/a-year-ahead', 'time-window/in-milliseconds'],
  },
}

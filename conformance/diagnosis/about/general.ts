import type { CauseCode, Statement } from '../statement.ts'

type General = Omit<Statement, 'code'>

const RESPONSES =
  'Answer 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.'
const WINDOW =
  'Answer 400 when |now - t| is more than 300, both in seconds (in JavaScript, Math.floor(Date.now() / 1000)).'

/** Causes whose sentence in a report says what was observed, such as a status: the sentence that always holds. */
export const GENERAL = {
  amount_limited: {
    sentence: 'Large amounts overflow, or are credited as the largest value of their type.',
    fix: 'Keep amounts as decimal strings or in a decimal type that is large enough.',
  },
  answers_not_200: {
    sentence: 'Valid deliveries are acknowledged with a status other than 200.',
    fix: 'Answer exactly 200 to every valid delivery, even if there is nothing to do.',
  },
  body_expanded_first: {
    sentence:
      'A compressed body is expanded without a limit before its signature is checked, which holds up all others.',
    fix: 'Verify the bytes as they arrive, before any decompression, or limit the decompressed size.',
  },
  body_limit: {
    sentence: 'A valid body is refused because of its size.',
    fix: 'Raise the limit of the body parser, the framework and any proxy to 1 MiB.',
  },
  body_parsed_first: {
    sentence: 'The body is parsed before the signature is checked.',
    fix: 'Verify the raw body first and answer 401 if the signature is wrong; parse it only afterwards, and answer 400 if it is not JSON.',
  },
  clock_off: {
    sentence: "The receiver's clock is ahead or behind: it accepts only a t near its own time.",
    fix: 'Synchronize its clock, and compare t with Unix time: a local time without its time zone is off by hours.',
  },
  clock_stands_still: {
    sentence: "The receiver's clock does not advance: the time is read once and kept.",
    fix: 'Read the clock for every delivery, inside the handler.',
  },
  crashed: {
    sentence: 'The receiver stopped answering during the run and refuses connections: it may have crashed.',
    fix: 'Check its log and exit status, and catch every error within a request so that it does not end the process.',
  },
  csrf_protection: {
    sentence:
      'No valid delivery is accepted: CSRF protection expects a token, which the service does not send.',
    fix: 'Exempt the webhook route from CSRF protection: the signature protects it.',
  },
  deduplicated_by_order_number: {
    sentence:
      'A redelivery is recognized by a field of the metadata: another payment with the same value is lost.',
    fix: 'Recognize redeliveries by the payment id and the kind of event; a shop may use one order number for several payments.',
  },
  effects_unreadable: {
    sentence: 'The effects that the receiver shows cannot be read.',
    fix: 'Return {"effects": [{"event", "effect", "amount", "currency", "livemode"}]} for the payment, oldest first, with strings for all but livemode; schemas/observation.json describes it.',
  },
  error_not_caught: {
    sentence: 'An unusual request gets 500, or no response at all, because an error is not caught.',
    fix: 'Catch every error that reading the header, the signature and the body can cause: answer 401 if the signature is wrong, 400 if the header, t or a signed body is unusable, and 200 to a valid event.',
  },
  handler_throws: {
    sentence:
      'No valid delivery is accepted, and the response is 500 or none: the handler probably throws an error.',
    fix: "Look for the first error in the receiver's log. The usual cause is a body parser that has already consumed the body.",
  },
  no_effects: {
    sentence: 'Payments are acknowledged, but no effect of any of them was observed.',
    fix: "Check that --observe reads from this receiver's database, and that the worker that handles stored deliveries is running. If the receiver ignores test events by design, use --mode live.",
  },
  no_verification: {
    sentence: 'Forged deliveries are accepted: the signature is not verified, or the result is ignored.',
    fix: 'Compute the HMAC-SHA256 of t, a dot and the raw body with the signing secret, compare it with v1 in constant time, and answer 401 when they differ. In JavaScript, await the result: a Promise is always true.',
  },
  not_atomic: {
    sentence:
      'Copies that arrive together are handled twice: the check for a duplicate and its record are two steps.',
    fix: 'Make it one step: insert under a unique key, and handle the event only if the insert succeeded.',
  },
  nothing_accepted: {
    sentence: 'No valid delivery is accepted, and the responses do not show why.',
    fix: 'Check, in this order: both sides have the same signing secret, the handler verifies the raw body instead of a parsed one, the name of the signature header, the clock, and any proxy or middleware in front of the handler. If the receiver refuses test events by design, use --mode live.',
  },
  one_refusal_status: { sentence: 'Every refusal gets the same status.', fix: RESPONSES },
  overlap_not_locked: {
    sentence:
      'A refund that arrives while another event of its payment is handled is lost or overwritten: the check for a refund and the fulfillment are two steps.',
    fix: 'Lock the payment while you change it, and look for a refund in the same transaction that fulfills it; do not overwrite a state that another event has changed in the meantime.',
  },
  redirects: {
    sentence: 'Valid deliveries are answered with a redirect, which the service does not follow.',
    fix: 'Register and test the URL that it redirects to, with its scheme and its trailing slash, or answer 200 at this one.',
  },
  refusal_with_5xx: {
    sentence: 'Refused deliveries get a status of 500 or more: an error in the verification is not caught.',
    fix: RESPONSES,
  },
  refusals_acknowledged: {
    sentence:
      'Refusals are answered with a status of 2xx: what should be refused has no effect, but is acknowledged.',
    fix: 'Set the response status when you refuse a delivery: 400 if the signature header, t or v1 is missing or malformed or if t is stale, and 401 if the signature is wrong.',
  },
  secret_disclosed: {
    sentence: 'A response shows the signing secret.',
    fix: 'Answer with a fixed message and a code; never include configuration, environment or local variables in a response, not even in an error.',
  },
  signature_disclosed: {
    sentence: 'A response shows the signature that the receiver expected.',
    fix: 'Answer with a fixed message and a code; keep both signatures out of the response, in any form.',
  },
  slow_acknowledgment: {
    sentence: 'Valid deliveries are acknowledged too late.',
    fix: 'Store the delivery, answer 200, and do the work afterwards, outside the request.',
  },
  slow_effects: {
    sentence: 'Effects appear later than the suite waits for them.',
    fix: 'Set --wait above the time that the receiver takes to handle an acknowledged delivery.',
  },
  statuses_swapped: { sentence: 'The statuses 400 and 401 are swapped.', fix: RESPONSES },
  verification_bypassed: {
    sentence: 'Verification is skipped for some deliveries because of data that the sender controls.',
    fix: 'Verify every request in the same way, regardless of its body, headers, query or connection.',
  },
  window_length: { sentence: 'The window is shorter or longer than 300 s.', fix: WINDOW },
  window_unit: {
    sentence: 'The window is much longer than 300 s, so it is probably in another unit.',
    fix: WINDOW,
  },
  wrong_header_name: {
    sentence: 'The receiver reads the signature from another header.',
    fix: 'Read it from X-Service-Signature, or pass the other name with --signature-header if a proxy in front of the receiver renames it.',
  },
  wrong_refusal_status: { sentence: 'Refusals have the wrong status.', fix: RESPONSES },
  wrong_secret: {
    sentence:
      'No valid delivery is accepted, the status for a wrong signature: the receiver most likely has a different signing secret.',
    fix: 'Use the same signing secret in the receiver and the suite, including whsec_ and without quotation marks or a line break. If they are the same, verify the raw body, and await the computed signature if it is a Promise.',
  },
} as const satisfies Readonly<Partial<Record<CauseCode, General>>>

import type { CauseCode, Statement } from '../statement.ts'

type General = Omit<Statement, 'code'>

const RESPONSES =
  'Answer 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.'
const WINDOW =
  'Answer 400 when |now - t| is more than 300, both in seconds (in JavaScript, Math.floor(Date.now() / 1000)).'

/** Causes whose sentence in a report says what was observed, such as a status: the sentence that always holds. */
export const GENERAL = {
  amount_limited: {
    sentence: 'Large amounts overflow, or are credited as the largest that the type holds.',
    fix: 'Keep amounts as decimal text or as a decimal type without a small limit.',
  },
  answers_not_200: {
    sentence: 'Valid deliveries are acknowledged with another status than 200.',
    fix: 'Answer exactly 200 to every valid delivery, also when there is nothing to do.',
  },
  body_expanded_first: {
    sentence:
      'A compressed body is expanded without a limit before its signature is checked, which holds up all others.',
    fix: 'Verify the bytes as they arrive and expand nothing before, or limit the size after expansion.',
  },
  body_limit: {
    sentence: 'A valid body is refused because of its size.',
    fix: 'Raise the limit of the body parser, of the framework and of any proxy before it to 1 MiB.',
  },
  body_parsed_first: {
    sentence: 'The body is parsed before the signature is checked.',
    fix: 'Verify the raw body first and answer 401 when the signature is wrong; parse it only afterwards, and answer 400 when it is not JSON.',
  },
  clock_off: {
    sentence: "The receiver's clock is ahead or behind: it accepts only a t of that time.",
    fix: 'Synchronize its clock, and compare t with the Unix time: a local time without its zone is wrong by the hours of the zone.',
  },
  clock_stands_still: {
    sentence: 'The clock of the receiver does not advance: the time is read once and kept.',
    fix: 'Read the clock for every delivery, inside the handler.',
  },
  crashed: {
    sentence: 'The receiver stopped answering during the run, and refuses connections: it may have crashed.',
    fix: 'Look at its log and exit status, and catch every error of one request so that it does not end the process.',
  },
  csrf_protection: {
    sentence:
      'No valid delivery is accepted: a protection against CSRF expects a token, which the service does not send.',
    fix: 'Exempt the route of the webhook from the CSRF protection: the signature protects it.',
  },
  deduplicated_by_order_number: {
    sentence:
      'A redelivery is recognized by a field of the metadata: another payment with the same value is lost.',
    fix: 'Recognize redeliveries by the payment id and what happened to it; a shop may use one order number for several payments.',
  },
  effects_unreadable: {
    sentence: 'The effects that the receiver shows cannot be read.',
    fix: 'Return {"effects": [{"event", "effect", "amount", "currency", "livemode"}]} for the payment, oldest first, with strings for all but livemode; schemas/observation.json describes it.',
  },
  error_not_caught: {
    sentence: 'An unusual request gets 500, or no response at all, because an error is not caught.',
    fix: 'Catch every error of reading the header, the signature and the body: answer 401 when the signature is wrong, 400 when the header, t or a signed body cannot be used, and 200 to a valid event.',
  },
  handler_throws: {
    sentence:
      'No valid delivery is accepted, and the response is 500 or none: the handler probably throws an error.',
    fix: "Look at the receiver's log for the first error. A body parser in front that has consumed the body is the usual one.",
  },
  no_effects: {
    sentence: 'Payments are acknowledged, and no effect of any was observed.',
    fix: 'Check that --observe shows this receiver and its database, and that the worker that handles stored deliveries runs. A receiver that ignores test events by design has to be checked with --mode live.',
  },
  no_verification: {
    sentence: 'Forged deliveries are accepted: the signature is not verified, or the result is ignored.',
    fix: 'Compute the HMAC-SHA256 of t, a dot and the raw body with the signing secret, compare it with v1 in constant time, and answer 401 when they differ. In JavaScript, await the result: a Promise is always true.',
  },
  not_atomic: {
    sentence:
      'Copies that arrive together are handled twice: the check for a duplicate and its record are two steps.',
    fix: 'Make it one step: insert under a unique key, and handle the event only when the insert succeeded.',
  },
  nothing_accepted: {
    sentence: 'No valid delivery is accepted, and the responses do not show why.',
    fix: 'Check, in this order: the same signing secret on both sides, the raw body instead of a parsed one, the name of the signature header, the clock, and what stands before the handler. A receiver that refuses test events by design has to be checked with --mode live.',
  },
  one_refusal_status: { sentence: 'Every refusal gets the same status.', fix: RESPONSES },
  overlap_not_locked: {
    sentence:
      'A refund that arrives while another event of its payment is handled is lost or overwritten: the check for a refund and the fulfillment are two steps.',
    fix: 'Lock the payment while you change it, and look for a refund in the transaction that fulfills it; do not write back a state that another event has changed meanwhile.',
  },
  redirects: {
    sentence: 'Valid deliveries are answered with a redirect, which the service does not follow.',
    fix: 'Register and test the URL that it redirects to, with its scheme and its trailing slash, or answer 200 at this one.',
  },
  refusal_with_5xx: {
    sentence: 'A refusal gets a status of 500 or more: the error of the verification is not caught.',
    fix: RESPONSES,
  },
  refusals_acknowledged: {
    sentence:
      'Refusals are answered with a status of 2xx: what should be refused has no effect, but is acknowledged.',
    fix: 'Set the status of the response when you refuse a delivery: 400 when the signature header, t or v1 is missing or malformed and when t is stale, and 401 when the signature is wrong.',
  },
  secret_disclosed: {
    sentence: 'A response shows the signing secret.',
    fix: 'Answer with a fixed message and a code; show no configuration, environment or local variables in any response, also in those of errors.',
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
    fix: 'Raise --wait above the time that the receiver needs to handle an acknowledged delivery.',
  },
  statuses_swapped: { sentence: 'The statuses 400 and 401 are swapped.', fix: RESPONSES },
  verification_bypassed: {
    sentence: 'Verification is skipped for some deliveries because of what their sender chose.',
    fix: 'Verify every request in the same way, whatever its body, headers, query or connection says.',
  },
  window_length: { sentence: 'The window is shorter or longer than 300 s.', fix: WINDOW },
  window_unit: {
    sentence: 'The window is much longer than 300 s, so it is probably in another unit.',
    fix: WINDOW,
  },
  wrong_header_name: {
    sentence: 'The receiver reads the signature from another header.',
    fix: 'Read it from X-Service-Signature, or name the other header with --signature-header if the receiver is behind something that renames it.',
  },
  wrong_refusal_status: { sentence: 'Refusals have the wrong status.', fix: RESPONSES },
  wrong_secret: {
    sentence:
      'No valid delivery is accepted, as for a wrong signature: most likely the receiver has a different signing secret.',
    fix: 'Give the receiver and the suite the same signing secret, whsec_ included and without quotation marks or a line break. If it is the same, verify the raw body, and await the computed signature if it is a Promise.',
  },
} as const satisfies Readonly<Partial<Record<CauseCode, General>>>

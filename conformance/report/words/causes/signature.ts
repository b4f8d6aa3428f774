import type { OtherFunction } from '../../../diagnosis/mistakes/form.ts'
import { FUNCTIONS, SECRET_FORMS, TEXTS } from '../mistakes.ts'
import { commonestText, type Forms, type Words } from './words.ts'

const WINDOW =
  'Answer 400 when |now - t| is more than 300, both in seconds (in JavaScript, Math.floor(Date.now() / 1000)).'
const BY_LABEL =
  'Split the header at each comma, split every entry at its first "=", and pick the entries named t and v1; ignore all others.'

/** The signature, its header and its time are not verified as they must be (SPEC.md 2, 3 and 5). */
export const SIGNATURE_WORDS = {
  clock_off: (data) => ({
    sentence: data
      ? `The receiver's clock is about ${distanceText(data.seconds)} ${data.seconds > 0 ? 'ahead' : 'behind'}: it accepts only a t of that time.`
      : "The receiver's clock is ahead or behind: it accepts only a t near its own time.",
    fix: 'Synchronize its clock, and compare t with Unix time: a local time without its time zone is off by hours.',
  }),
  clock_stands_still: () => ({
    sentence: "The receiver's clock does not advance: the time is read once and kept.",
    fix: 'Read the clock for every delivery, inside the handler.',
  }),
  connection_trusted: () => ({
    sentence: 'After one valid delivery, a connection no longer needs a signature.',
    fix: 'Verify every request; remember nothing about a connection. Proxies send requests from many senders over one.',
  }),
  entries_by_position: () => ({
    sentence: 'The entries of the signature header are read by position, not by label.',
    fix: BY_LABEL,
  }),
  entries_by_search: () => ({
    sentence:
      'The entries of the signature header are searched for in its text, so t= and v1= are also found inside other labels.',
    fix: BY_LABEL,
  }),
  future_refused: () => ({
    sentence: 'Every t in the future is refused, so a clock that is a second behind loses payments.',
    fix: WINDOW,
  }),
  label_by_prefix: () => ({
    sentence: 'An entry counts as v1 when its label only begins with v1.',
    fix: BY_LABEL,
  }),
  signature_as_pattern: () => ({
    sentence:
      'The signature of a delivery is used as a pattern, as in LIKE or a regular expression: a pattern that matches any text is accepted.',
    fix: 'Compare v1 with the expected 64 digits as plain text, in constant time.',
  }),
  no_verification: ({ isUnobserved = false } = {}) => ({
    sentence: isUnobserved
      ? 'Forged deliveries are acknowledged: the signature is not verified, or the response does not depend on it. Whether they have effects was not observed.'
      : 'Forged deliveries are accepted: the signature is not verified, or the result is ignored.',
    fix: 'Compute the HMAC-SHA256 of t, a dot and the raw body with the signing secret, compare it with v1 in constant time, and answer 401 when they differ. In JavaScript, await the result: a Promise is always true.',
  }),
  no_window: () => ({ sentence: 'The age of a delivery is not checked: t may be any time.', fix: WINDOW }),
  signature_encoding: () => ({
    sentence: 'The signature is expected in base64 instead of hexadecimal.',
    fix: 'Compare with the lowercase hexadecimal form of the HMAC, or decode v1 from hexadecimal.',
  }),
  unknown_labels_refused: () => ({
    sentence: 'A signature header with more entries than t and v1 is refused.',
    fix: BY_LABEL,
  }),
  unsigned_accepted: () => ({
    sentence:
      'A delivery without a signature header is accepted; a signature is verified only if there is one.',
    fix: 'Answer 400 when the signature header is absent or empty, before anything else.',
  }),
  verification_bypassed: (data) => ({
    sentence: `Verification is skipped for some deliveries because of data that the sender controls${data ? ` (first: ${data.first ?? 'a forged delivery'})` : ''}.`,
    fix: 'Verify every request in the same way, regardless of its body, headers, query or connection.',
  }),
  window_future_only: () => ({
    sentence: 'Only deliveries from the future are refused: t may be any time in the past.',
    fix: WINDOW,
  }),
  window_length: (data) => ({
    sentence: data
      ? data.isTooLong
        ? `The window is longer than 300 s: a t that is ${data.seconds} s off is accepted.`
        : `The window is shorter than 300 s: a t that is ${data.seconds} s off is refused.`
      : 'The window is shorter or longer than 300 s.',
    fix: WINDOW,
  }),
  window_past_only: () => ({
    sentence: 'Only old deliveries are refused: t may be any time in the future.',
    fix: WINDOW,
  }),
  window_unit: (data) => ({
    sentence: data
      ? `The window is longer than 300 s: a t that is ${data.seconds} s off is accepted, so it is probably in another unit.`
      : 'The window is much longer than 300 s, so it is probably in another unit.',
    fix: WINDOW,
  }),
  wrong_header_name: (data) => ({
    sentence: `The receiver reads the signature from ${data ? `the header ${data.name}` : 'another header'}.`,
    fix: 'Read it from X-Service-Signature, or pass the other name with --signature-header if a proxy in front of the receiver renames it.',
  }),
  wrong_secret: (data) => ({
    sentence: `${data ? commonestText(data.received) : 'No valid delivery is accepted'}, the status for a wrong signature: the receiver most likely has a different signing secret.`,
    fix: 'Use the same signing secret in the receiver and the suite, including whsec_ and without quotation marks or a line break. If they are the same, verify the raw body, and await the computed signature if it is a Promise.',
  }),
} satisfies Partial<Words>

export const SIGNATURE_FORMS = {
  header_name_case: ({ refused }) => ({
    sentence:
      refused === 'all-but-one'
        ? 'The signature header is found only in one capitalization of its name.'
        : `The signature header is not found when its name is in ${refused} case.`,
    fix: 'Look up the header case-insensitively: proxies and HTTP/2 change the case of header names.',
  }),
  key_guessable: ({ key, isOnly, isExample = false }) =>
    isExample
      ? {
          sentence: `A signature made with the key "${key}" is accepted, which everyone knows from examples and tests.`,
          fix: 'Accept the signing secret from the configuration alone.',
        }
      : isOnly
        ? {
            sentence: 'The receiver verifies with an empty key: it has no signing secret.',
            fix: 'Set its signing secret, and make it refuse to start without one.',
          }
        : {
            sentence: `A signature made with ${key === '' ? 'an empty key' : `the key "${key}"`} is accepted, as if the signing secret were missing.`,
            fix: 'Refuse to start without a signing secret, and never use a missing value as a key.',
          },
  milliseconds: ({ isExpected }) =>
    isExpected
      ? {
          sentence: 'The receiver expects t in milliseconds.',
          fix: 'Compare seconds with seconds: in JavaScript, Math.floor(Date.now() / 1000) - t.',
        }
      : {
          sentence: 'A t in milliseconds is accepted.',
          fix: 'Read t as seconds and refuse any other value with 400; do not guess its unit from its length.',
        },
  other_function_accepted: ({ hashes }) => ({
    sentence: `A signature made with ${functionsText(hashes)} is accepted.`,
    fix: "Always compute HMAC-SHA256 for v1; do not choose the hash function by the signature's length.",
  }),
  secret_changed: ({ form, isOnly }) =>
    isOnly
      ? {
          sentence: `The receiver uses the signing secret ${SECRET_FORMS[form]}.`,
          fix: 'Use the entire signing secret, including its prefix, as UTF-8 bytes: do not cut, trim or decode it.',
        }
      : {
          sentence: `A signature made with the secret ${SECRET_FORMS[form]} is accepted.`,
          fix: 'Use the entire signing secret, including its prefix, as UTF-8 bytes, and accept no other form of it.',
        },
  signature_compared_partly: ({ isBeginning }) => ({
    sentence: isBeginning
      ? 'Only the beginning of v1 is compared: a signature with a wrong end is accepted.'
      : 'A signature that is only partly correct is accepted.',
    fix: 'Decode v1 strictly, refuse anything but 32 bytes, and compare all of them in constant time.',
  }),
  signed_text_differs: (data) => {
    if ('hash' in data)
      return {
        sentence: `The signature is computed with ${data.hash.toUpperCase()} instead of SHA-256.`,
        fix: 'Use HMAC-SHA256.',
      }
    return data.isOnly
      ? {
          sentence: `The signature is computed over ${TEXTS[data.text]}.`,
          fix: 'Compute the HMAC over t, one dot and the raw body, in that order.',
        }
      : {
          sentence: `A signature over ${TEXTS[data.text]} is accepted.`,
          fix: 'Compute the HMAC over exactly t, one dot and the raw body, in that order.',
        }
  },
  t_parsed_leniently: ({ isReplaced }) => ({
    sentence: isReplaced
      ? 'An unreadable t is replaced with the time of arrival.'
      : 'A t that is not plain digits is accepted, because the conversion to a number is too lenient.',
    fix: 'Refuse a t that does not match ^[0-9]+$ with 400 before you convert it.',
  }),
} satisfies Partial<Forms>

function distanceText(seconds: number): string {
  const distance = Math.abs(seconds)
  return distance < 7200 ? `${distance} s` : `${distance / 3600} hours`
}

/** The names of hash functions, as alternatives. */
function functionsText(hashes: readonly OtherFunction['hash'][]): string {
  const names = hashes.map((hash) => FUNCTIONS[hash])
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')
}

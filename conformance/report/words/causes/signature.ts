import { either } from '../../../contracts/alternatives.ts'
import type { OtherFunction } from '../../../diagnosis/mistakes/form.ts'
import { FUNCTIONS, SECRET_FORMS, textsOf } from '../mistakes.ts'
import { type CauseTerms, commonestText, type Forms, type Words } from './words.ts'

const withinWindow = ({ refuse, time, windowSeconds }: CauseTerms) =>
  `${refuse} when |now - ${time}| is more than ${windowSeconds}, both in Unix seconds.`
/** How to make the key of the secret. */
const keyRule = ({ scheme: { key } }: CauseTerms) =>
  key === 'text'
    ? 'Use the entire signing secret, including its prefix, as UTF-8 bytes'
    : `Use the bytes that the signing secret states in base64 after ${key.base64After} as the key`

/** The signature, its header and its time are not verified as they must be (SPEC.md 2, 3 and 5). */
export const SIGNATURE_WORDS = {
  clock_off: (data, { time }) => ({
    sentence: data
      ? `The receiver's clock is about ${distanceText(data.seconds)} ${data.seconds > 0 ? 'ahead' : 'behind'}: it accepts only a ${time} of that time.`
      : `The receiver's clock is ahead or behind: it accepts only a ${time} near its own time.`,
    fix: `Synchronize its clock, and compare ${time} with Unix time: a local time without its time zone is off by hours.`,
  }),
  clock_stands_still: () => ({
    sentence: "The receiver's clock does not advance: the time is read once and kept.",
    fix: 'Read the clock for every delivery, inside the handler.',
  }),
  connection_trusted: () => ({
    sentence: 'After one valid delivery, a connection no longer needs a signature.',
    fix: 'Verify every request; remember nothing about a connection. Proxies send requests from many senders over one.',
  }),
  entries_by_position: (_, { byLabel }) => ({
    sentence: 'The entries of the signature header are read by position, not by label.',
    fix: byLabel,
  }),
  entries_by_search: (
    _,
    {
      byLabel,
      scheme: {
        header: { time, label },
      },
    },
  ) => ({
    sentence: `The entries of the signature header are searched for in its text, so ${[time, label].filter(Boolean).join(' and ')} are also found inside other labels.`,
    fix: byLabel,
  }),
  future_refused: (_, of) => ({
    sentence: `Every ${of.time} in the future is refused, so a clock that is a second behind loses ${of.refusesWith === undefined ? 'events' : 'payments'}.`,
    fix: withinWindow(of),
  }),
  label_by_prefix: (_, { byLabel, signature }) => ({
    sentence: `An entry counts as ${signature} when its label merely begins with ${signature}.`,
    fix: byLabel,
  }),
  signature_as_pattern: (_, { signature, characters }) => ({
    sentence:
      'The signature of a delivery is used as a pattern, as in LIKE or a regular expression: a pattern that matches any text is accepted.',
    fix: `Compare ${signature} with the expected ${characters.count} ${characters.kind} as plain text, in constant time.`,
  }),
  no_verification: ({ isUnobserved = false } = {}, of) => ({
    sentence: isUnobserved
      ? 'Forged deliveries are acknowledged: the signature is not verified, or the response does not depend on it. Whether they have effects was not observed.'
      : 'Forged deliveries are accepted: the signature is not verified, or the result is ignored.',
    fix: `Compute the HMAC-SHA256 of ${of.signedText} with the signing secret, compare it with ${of.signature} in constant time, and ${of.refuseForged} when they differ. In JavaScript, await the result: a Promise is always true.`,
  }),
  no_window: (_, of) => ({
    sentence: `The age of a delivery is not checked: ${of.time} may be any time.`,
    fix: withinWindow(of),
  }),
  signature_encoding: (_, { scheme: { digest }, signature }) =>
    digest === 'hex'
      ? {
          sentence: 'The signature is expected in base64 instead of hexadecimal.',
          fix: `Compare with the lowercase hexadecimal form of the HMAC, or decode ${signature} from hexadecimal.`,
        }
      : {
          sentence: 'The signature is expected in hexadecimal instead of base64.',
          fix: `Compare with the base64 form of the HMAC, or decode ${signature} from base64.`,
        },
  signature_zeros_lost: (data, { signature }) => ({
    sentence:
      data?.isOfEachByte === true
        ? `Valid deliveries whose signature has a byte below 16 are refused: the receiver writes such a byte as one digit.`
        : `Valid deliveries whose signature begins with 0 are refused: the receiver writes it as a number, without leading zeros.`,
    fix: `Write each byte of the HMAC as two lowercase digits (Java: HexFormat.of().formatHex, Go: hex.EncodeToString), or decode ${signature} and compare the bytes.`,
  }),
  time_overflows: (_, of) => ({
    sentence: `A ${of.time} that is far in the future is accepted, because the number overflows: a duration, a product or an integer of 32 or 64 bits cannot hold it.`,
    fix: `${of.refuse} to a ${of.time} of more than 12 digits, and compare seconds with seconds before you make a date or a duration of them.`,
  }),
  unknown_labels_refused: (_, { byLabel, labels, timeLabel }) => ({
    sentence: `A signature header with more entries than ${timeLabel === '' ? `one ${labels}` : labels} is refused.`,
    fix: byLabel,
  }),
  unsigned_accepted: (_, { refuse }) => ({
    sentence:
      'A delivery without a signature header is accepted; a signature is verified only if there is one.',
    fix: `${refuse} when the signature header is absent or empty, before anything else.`,
  }),
  verification_bypassed: (data) => ({
    sentence: `Verification is skipped for some deliveries because of data that the sender controls${data ? ` (for example: ${data.change ?? 'a forged delivery'})` : ''}.`,
    fix: 'Verify every request in the same way, regardless of its body, headers, query or connection.',
  }),
  window_future_only: (_, of) => ({
    sentence: `Only deliveries from the future are refused: ${of.time} may be any time in the past.`,
    fix: withinWindow(of),
  }),
  window_length: (data, of) => ({
    sentence: data
      ? data.isTooLong
        ? `The window is longer than ${of.windowSeconds} s: a ${of.time} that is ${data.seconds} s off is accepted.`
        : `The window is shorter than ${of.windowSeconds} s: a ${of.time} that is ${data.seconds} s off is refused.`
      : `The window is shorter or longer than ${of.windowSeconds} s.`,
    fix: withinWindow(of),
  }),
  window_past_only: (_, of) => ({
    sentence: `Only old deliveries are refused: ${of.time} may be any time in the future.`,
    fix: withinWindow(of),
  }),
  window_remembered: (_, of) => ({
    sentence: `A ${of.time} that was inside the window once is accepted for as long as the receiver remembers it.`,
    fix: `Compare ${of.time} with the clock for every delivery; do not cache the result of that comparison, or of the verification.`,
  }),
  window_unit: (data, of) => ({
    sentence: data
      ? `The window is longer than ${of.windowSeconds} s: a ${of.time} that is ${data.seconds} s off is accepted, so it is probably in another unit.`
      : `The window is much longer than ${of.windowSeconds} s, so it is probably in another unit.`,
    fix: withinWindow(of),
  }),
  wrong_header_name: ({ name, service } = { name: '' }, { header }) =>
    service === undefined
      ? {
          sentence: `The receiver reads the signature from ${name === '' ? 'another header' : `the header ${name}`}.`,
          fix: `Read it from ${header}, or pass the other name with --signature-header if a proxy in front of the receiver renames it.`,
        }
      : {
          sentence: `The receiver accepts deliveries of ${service.title}, with the signature in the header ${name}.`,
          fix: `To test a receiver of ${service.title}, add --service ${service.id}. Otherwise read the signature from ${header}.`,
        },
  wrong_secret: (data) => ({
    sentence: `${data ? `${commonestText(data.received)},` : 'No valid delivery is accepted: all are refused'} as for a wrong signature, so the receiver most likely has a different signing secret.`,
    fix: 'Use the same signing secret in the receiver and the suite, including its prefix and without quotation marks or a line break. If they are the same, verify the raw body; in JavaScript, also await the computed signature if it is a Promise.',
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
  milliseconds: ({ isExpected }, { time, timeLabel, refusesWith }) =>
    isExpected
      ? {
          sentence: `The receiver expects ${time} in milliseconds.`,
          fix: `Compare seconds with seconds: in JavaScript, Math.floor(Date.now() / 1000) - ${timeLabel === '' ? 'the signed time' : time}.`,
        }
      : {
          sentence: `A ${time} in milliseconds is accepted.`,
          fix: `Read ${time} as seconds and refuse any other value${withStatus(refusesWith?.unreadable)}; do not guess its unit from its length.`,
        },
  one_signature_read: ({ which }, { signature, isVersioned, byLabel }) => ({
    sentence:
      which === 'every'
        ? 'A delivery is refused unless each of its signatures is valid, although one is enough.'
        : `Only the ${which} ${isVersioned ? signature : 'signature'} of the header is compared: a valid one beside it is ignored.`,
    fix: `${byLabel} Accept the delivery if one of these signatures is valid: there are several while a secret is replaced.`,
  }),
  other_function_accepted: ({ hashes }, { signature }) => ({
    sentence: `A signature made with ${functionsText(hashes)} is accepted.`,
    fix: `Always compute HMAC-SHA256 for ${signature}; do not choose the hash function by the signature's length.`,
  }),
  secret_changed: ({ form, isOnly }, of) =>
    isOnly
      ? {
          sentence: `The receiver uses the signing secret ${SECRET_FORMS[form]}.`,
          fix:
            of.scheme.key === 'text' ? `${keyRule(of)}: do not cut, trim or decode it.` : `${keyRule(of)}.`,
        }
      : {
          sentence: `A signature made with the secret ${SECRET_FORMS[form]} is accepted.`,
          fix: `${keyRule(of)}, and accept no other form of it.`,
        },
  signature_compared_partly: ({ isBeginning }, { signature }) => ({
    sentence: isBeginning
      ? `Only the beginning of ${signature} is compared: a signature with a wrong end is accepted.`
      : 'A signature that is only partly correct is accepted.',
    fix: `Decode ${signature} strictly, refuse anything but 32 bytes, and compare all of them in constant time.`,
  }),
  signed_text_differs: (data, of) => {
    if ('hash' in data)
      return {
        sentence: `The signature is computed with ${data.hash.toUpperCase()} instead of SHA-256.`,
        fix: 'Use HMAC-SHA256.',
      }
    const texts = textsOf(of.scheme)
    return data.isOnly
      ? {
          sentence: `The signature is computed over ${texts[data.text]}.`,
          fix: `Compute the HMAC over ${of.signed}${inOrder(of)}.`,
        }
      : {
          sentence: `A signature over ${texts[data.text]} is accepted.`,
          fix: `Compute the HMAC over exactly ${of.signed}${inOrder(of)}.`,
        }
  },
  t_parsed_leniently: ({ isReplaced }, { time, refusesWith }) => ({
    sentence: isReplaced
      ? `An unreadable ${time} is replaced with the time of arrival.`
      : `A ${time} that is not plain digits is accepted, because the conversion to a number is too lenient.`,
    fix: `Refuse a ${time} that does not match ^[0-9]+$${withStatus(refusesWith?.unreadable)} before you convert it.`,
  }),
} satisfies Partial<Forms>

const withStatus = (status: number | undefined) => (status === undefined ? '' : ` with ${status}`)
const inOrder = ({ scheme: { signed } }: CauseTerms) => (signed.length === 1 ? '' : ', in that order')

function distanceText(seconds: number): string {
  const distance = Math.abs(seconds)
  return distance < 7200 ? `${distance} s` : `${distance / 3600} hours`
}

/** The names of hash functions, as alternatives. */
function functionsText(hashes: readonly OtherFunction['hash'][]): string {
  return either(hashes.map((hash) => FUNCTIONS[hash]))
}

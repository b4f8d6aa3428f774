import type { CauseCode } from '../../../conformance/diagnosis/statement.ts'
import type { Service } from './receiver.ts'

/**
 * The cause that a report names for a mistake, where more than warnings follow from it, by the name of the mistake. The others
 * have none: no receiver makes them, or what they do shows in a single case only.
 */
export const CAUSES: Readonly<Record<string, CauseCode | Readonly<Partial<Record<Service, CauseCode>>>>> = {
  'verifies nothing': 'no_verification',
  'accepts unsigned': 'unsigned_accepted',
  'accepts an empty signature': 'signature_compared_partly',
  'accepts any signature of the right length': 'no_verification',
  'compares the first eight characters': 'signature_compared_partly',
  'compares the length of what is given': 'signature_compared_partly',
  'compares all but the first character': 'signature_compared_partly',
  'compares the end': 'signature_compared_partly',
  'compares by LIKE': 'signature_as_pattern',
  'has an empty key too': 'key_guessable',
  'has the key undefined': 'key_guessable',
  'has the key null': 'key_guessable',
  'has the key None': 'key_guessable',
  'has the key [object Object]': 'key_guessable',
  'has the secret of an example too': 'key_guessable',
  'has the prefix as key': 'key_guessable',
  'has the word of the prefix as key': 'key_guessable',
  'reads the first signature only': 'one_signature_read',
  'reads the last signature only': 'one_signature_read',
  'demands that every signature is valid': 'one_signature_read',
  'accepts an empty time': 'no_verification',
  'takes v10 for v1': 'label_by_prefix',
  'signs JSON written again': 'body_reserialized',
  // Events of the other services are written in another order already.
  'signs with sorted keys': { 'standard-webhooks': 'body_parsed_first' },
  'signs trimmed text': 'body_trimmed',
  'signs normalized text': 'body_decoded_as_text',
  'signs text in Latin-1': 'body_decoded_as_text',
  'signs without admin fields': 'body_decoded_as_text',
  'signs the first 4 KiB': 'body_limit',
  'has a limit of 8 KiB': 'body_limit',
  'never looks at the time': 'no_window',
  // It accepts any validly signed delivery, however old.
  'takes another last digit for the signed one': {
    'standard-webhooks': 'no_window',
    stripe: 'no_window',
    slack: 'no_window',
  },
  'has a tolerance of two days': 'window_unit',
  'has a tolerance of ten seconds': 'window_length',
  'refuses any time ahead': 'future_refused',
  'redirects what is valid': 'redirects',
  'fails after the check': 'handler_throws',
  'takes the rest of a refused connection for nothing': 'nothing_accepted',
  'does not know header names in lowercase': { 'standard-webhooks': 'nothing_accepted' },
  'shows the expected signature': 'signature_disclosed',
  'shows the secret': 'secret_disclosed',
  'stops in the end': 'nothing_accepted',
  'has the secret as text': 'secret_changed',
  'has the secret without its prefix': 'secret_changed',
  'has the secret decoded from base64': 'secret_changed',
  'has a line break after the secret': 'secret_changed',
  'has no secret': 'key_guessable',
  'does not sign the time': 'signed_text_differs',
  'signs with colons': 'signed_text_differs',
  'signs the body before the time': 'signed_text_differs',
  'expects the other encoding': 'signature_encoding',
  'reads another header': 'wrong_header_name',
  'expects milliseconds': 'milliseconds',
  'has a clock that is an hour slow': 'clock_off',
  'signs a body that a parser has read': 'body_already_read',
  'signs the text undefined': 'body_already_read',
  'signs a parsed object, which it then fails to parse': 'body_already_read',
  'parses the body first, and has another secret': 'nothing_accepted',
  'has another secret': 'nothing_accepted',
  'signs JSON written again with spaces': 'body_reserialized',
  'signs JSON written again in lines': 'body_reserialized',
  'signs text without line breaks': 'body_decoded_as_text',
  'handles redeliveries': 'no_deduplication',
  // Between its copies, deliveries of other cases arrive.
  'remembers the last delivery only': 'no_deduplication',
  'remembers for a second': 'deduplication_forgotten',
  'recognizes redeliveries by their signature': 'deduplicated_by_signature',
  'recognizes redeliveries by key and time': 'deduplicated_by_signature',
  'looks before it inserts': 'not_atomic',
  'remembers what it has not verified': 'remembers_refused',
  'answers 409 to what a forgery was about': 'remembers_refused',
  'handles what it then refuses': 'acts_before_verifying',
  'drops what arrives while it works': 'lost_when_concurrent',
}

/** The cause of a mistake in a service; undefined where a report names none. */
export function causeOf(name: string, service: Service): CauseCode | undefined {
  if (name.startsWith('trusts ')) return 'verification_bypassed'
  const known = CAUSES[name]
  return typeof known === 'object' ? known[service] : known
}

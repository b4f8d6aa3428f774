import type { Scheme } from '../../contracts/webhook/scheme.ts'
import type {
  Mistake,
  MistakeData,
  OtherFunction,
  SecretCode,
  SignedTextCode,
} from '../../diagnosis/mistakes/form.ts'
import { type SchemeTerms, termsOf } from './scheme.ts'

/** Why a signature does not match, in words. */
interface MistakeText {
  /** What is wrong, as a clause with a subject: "v1 is in base64". */
  readonly cause: string
  /** What to do about it, in one sentence. */
  readonly fix: string
}

export const RAW = 'Keep the raw bytes of the request, and parse them only afterwards.'
const SERIALIZED =
  'Either the receiver, or something in front of it, parsed the body and serialized it again: keep the raw bytes of the request, and parse them only afterwards. Or the program that signs sent other bytes than it signed: it must sign the bytes that it sends.'
const SAVE = 'Save the body byte for byte, and copy nothing else with it.'
const COPY = 'Copy the entire signing secret, with its prefix and nothing else.'
const LINE_BREAK =
  'The program that signs reads the secret from a file or a variable that ends with a line break: trim it in that program, not in the receiver.'
/** What to do about a `v1` that is not complete. */
export const ENTIRE =
  'Something cuts or changes the header, such as the column of a database, or copying: take all of it as it was received.'

const orderRule = ({ signed, besideBody }: SchemeTerms) =>
  besideBody === ''
    ? 'The program that signs must sign the raw body and nothing else, with HMAC-SHA256.'
    : `The program that signs must sign ${signed}, in that order, with HMAC-SHA256.`
const secondsRule = ({ time }: SchemeTerms) =>
  `The program that signs must write ${time} in seconds, and sign the same ${time}: Math.floor(Date.now() / 1000) in JavaScript.`
const digestRule = ({ signature, digest }: SchemeTerms) => `Write ${signature} as ${digest}.`

/** The functions other than HMAC-SHA256. */
export const FUNCTIONS: Readonly<Record<OtherFunction['hash'], string>> = {
  sha1: 'HMAC-SHA1',
  sha512: 'HMAC-SHA512',
  md5: 'HMAC-MD5',
  'sha3-256': 'HMAC-SHA3-256',
  digest: 'an unkeyed SHA-256',
}

/** The forms of a secret, after "the secret". */
export const SECRET_FORMS: Readonly<Record<SecretCode, string>> = {
  without_prefix: 'without its prefix',
  after_last_underscore: 'without everything before its last underscore',
  from_base64: 'decoded from base64',
  whole_from_base64: 'decoded from base64, prefix included',
  from_hexadecimal: 'decoded from hexadecimal',
  with_line_feed: 'with a line break at its end',
  with_crlf: 'with CRLF at its end',
  in_quotation_marks: 'in quotation marks',
  as_text: 'as text, without decoding it from base64',
}

/** What is signed or verified instead of what the service signs. */
export const textsOf = (scheme: Scheme): Readonly<Record<SignedTextCode, string>> => {
  const { besideBody, values, valuesWithout, reversed, separators, id, time, start } = termsOf(scheme)
  return {
    body_alone: 'the body alone',
    no_dot: `${values} without ${separators}`,
    reversed,
    colon: `${values} with a colon`,
    line_break: `${values} with a line break`,
    dot: `${values} with a dot`,
    body_in_base64: 'the body in base64',
    t_alone: `${besideBody} alone`,
    in_utf16: 'the text in UTF-16',
    printed_bytes: "the printed form of the body's bytes, which Python writes as b'…'",
    id_left_out: `${valuesWithout('id')}, without ${id}`,
    time_left_out: `${valuesWithout('time')}, without ${time}`,
    version_left_out: `${values}, without ${start} before them`,
  }
}

type PlainTexts = Readonly<Record<Exclude<Mistake['code'], keyof MistakeData>, MistakeText>>

const PLAIN = {
  line_break_added: {
    cause: 'the body ends with a line break that was not signed',
    fix: 'Something added it: an editor, echo, or a program that writes lines. Save the body byte for byte.',
  },
  crlf_made: {
    cause: 'the line breaks are CRLF, and LF was signed',
    fix: 'Something converted them, such as an editor, Git or a file opened in text mode. Save the body byte for byte.',
  },
  lf_made: {
    cause: 'the line breaks are LF, and CRLF was signed',
    fix: `Something converted them, such as reading in text mode. ${RAW}`,
  },
  byte_order_mark_added: {
    cause: 'the body starts with a byte-order mark that was not signed',
    fix: 'An editor or PowerShell added it. Save the body byte for byte.',
  },
  byte_order_mark_lost: {
    cause: 'the signed body starts with a byte-order mark, and this one does not',
    fix: `Decoding to text drops it. ${RAW}`,
  },
  whitespace_added: {
    cause: 'there is whitespace around the body that was not signed',
    fix: 'Something added it. Save the body byte for byte.',
  },
  form_parsed: { cause: 'the body was read as a form', fix: `A parser for forms read the body. ${RAW}` },
  plus_signs_lost: {
    cause: 'the body has spaces, and plus signs were signed',
    fix: `A parser for forms read the body. ${RAW}`,
  },
  json_string: {
    cause: 'the body is written as a JSON string',
    fix: 'The body was logged or stored as a JSON string. Save the body byte for byte.',
  },
  python_bytes: {
    cause: "the body is in Python's b'…'",
    fix: 'In Python, write bytes to a file opened with "wb", and concatenate bytes: t.encode() + b"." + body.',
  },
  json_formatted: {
    cause: 'the JSON has whitespace between its parts that was not signed',
    fix: 'A formatter added it, such as jq or an editor. Save the body byte for byte.',
  },
  quotation_marks_added: { cause: 'there are quotation marks around the body', fix: SAVE },
  curly_quotation_marks: {
    cause: 'the body has curly quotation marks',
    fix: 'A chat, a ticket or an editor made them curly. Save the body byte for byte.',
  },
  backslashes_added: {
    cause: 'there are backslashes before the quotation marks of the body',
    fix: 'The body was copied out of a JSON string. Save the body byte for byte.',
  },
  head_added: { cause: 'the head of the request stands before the body', fix: SAVE },
  utf8_twice: {
    cause: 'the body is encoded as UTF-8 twice',
    fix: `Something decoded the body as Latin-1. ${RAW}`,
  },
  utf8_twice_from_windows: {
    cause: 'the body is encoded as UTF-8 twice (by way of Windows-1252)',
    fix: `Something decoded the body as Windows-1252. ${RAW}`,
  },
  signed_utf8_twice: {
    cause: 'the signed body is encoded as UTF-8 twice',
    fix: 'The program that signs encoded the body twice: it must sign the bytes that it sends.',
  },
  utf16: {
    cause: 'the body is in UTF-16, and UTF-8 was signed',
    fix: 'PowerShell writes UTF-16. Save the body byte for byte.',
  },
  base64_body: {
    cause: 'the body is in base64, and the decoded bytes were signed',
    fix: 'AWS Lambda and other gateways pass the body as base64: decode it when isBase64Encoded is true.',
  },
  secret_whitespace: { cause: 'there is whitespace around the secret', fix: COPY },
  secret_quoted: { cause: 'there are quotation marks around the secret', fix: COPY },
  secret_named: { cause: 'a name stands before the secret', fix: COPY },
  secret_prefix_lost: { cause: 'the secret lacks its prefix whsec_', fix: COPY },
  secret_empty: {
    cause: 'the signature was made with an empty secret',
    fix: 'The program that signs has no secret: set it there, and let that program refuse to start without one.',
  },
} as const satisfies Partial<PlainTexts>

/** The texts that depend on how the service signs. */
function plainTexts(scheme: Scheme): PlainTexts {
  const terms = termsOf(scheme)
  const { signature, isVersioned, time, timeLabel, example, besideBody, reversed } = terms
  const texts = textsOf(scheme)
  return {
    ...PLAIN,
    without_prefix: {
      cause: 'the signature was made with the secret without its prefix',
      fix: terms.keyRule,
    },
    after_last_underscore: {
      cause: 'the signature was made with the part of the secret after its last underscore',
      fix: terms.keyRule,
    },
    from_base64: {
      cause: 'the signature was made with the secret decoded from base64, without its prefix',
      fix: terms.keyRule,
    },
    whole_from_base64: {
      cause: 'the signature was made with the secret decoded from base64',
      fix: terms.keyRule,
    },
    from_hexadecimal: {
      cause: 'the signature was made with the secret decoded from hexadecimal',
      fix: terms.keyRule,
    },
    with_line_feed: {
      cause: 'the signature was made with a line break (LF) after the secret',
      fix: LINE_BREAK,
    },
    with_crlf: { cause: 'the signature was made with a line break (CRLF) after the secret', fix: LINE_BREAK },
    in_quotation_marks: {
      cause: 'the signature was made with quotation marks around the secret',
      fix: 'The program that signs takes the quotation marks for a part of the secret: remove them in its configuration, not in that of the receiver.',
    },
    body_alone: { cause: `the signature covers the body without ${besideBody}`, fix: orderRule(terms) },
    no_dot: { cause: `the signature covers ${texts.no_dot}`, fix: orderRule(terms) },
    reversed: { cause: `the signature covers ${reversed}, in that order`, fix: orderRule(terms) },
    colon: { cause: `the signature covers ${texts.colon}`, fix: orderRule(terms) },
    line_break: { cause: `the signature covers ${texts.line_break}`, fix: orderRule(terms) },
    body_in_base64: { cause: 'the signature covers the body in base64', fix: orderRule(terms) },
    t_alone: { cause: `the signature covers ${besideBody} without the body`, fix: orderRule(terms) },
    in_utf16: { cause: 'the signature covers the text in UTF-16', fix: orderRule(terms) },
    printed_bytes: {
      cause: "the signature covers the printed form of the body's bytes, which Python writes as b'…'",
      fix: orderRule(terms),
    },
    t_in_milliseconds: {
      cause: `the signature covers ${time} in milliseconds, and the header has seconds`,
      fix: secondsRule(terms),
    },
    t_in_seconds: {
      cause: `the signature covers ${time} in seconds, and the header has milliseconds`,
      fix: secondsRule(terms),
    },
    header_spelled: {
      cause: `the header is not written as ${example}`,
      fix:
        timeLabel !== ''
          ? `Write ${example}: lowercase labels, equals signs, and a comma between the entries.`
          : `Write the header as ${example}.`,
    },
    signature_label: {
      cause: isVersioned
        ? `the label of the signature is not ${signature}`
        : `the signature is not written as ${example}`,
      fix: `Write the header as ${example}.`,
    },
    t_written: {
      cause: `${time} is not written in Unix seconds, as digits alone`,
      fix: `Write ${time} as 1 to 12 digits, such as ${timeLabel}1750000000.`,
    },
    v1_uppercase: { cause: `${signature} has uppercase digits`, fix: digestRule(terms) },
    v1_in_base64: { cause: `${signature} is in base64`, fix: digestRule(terms) },
    v1_in_base64url: {
      cause: `${signature} is in the alphabet of URLs, or without its padding`,
      fix: digestRule(terms),
    },
    v1_in_hexadecimal: { cause: `${signature} is in hexadecimal`, fix: digestRule(terms) },
    v1_broken: { cause: `${signature} has a line break or space inside`, fix: ENTIRE },
    v1_separated: { cause: `${signature} has something between its digits`, fix: digestRule(terms) },
    as_text: {
      cause:
        'the signature was made with the text of the secret instead of the bytes that it states in base64',
      fix: terms.keyRule,
    },
    dot: { cause: `the signature covers ${texts.dot}`, fix: orderRule(terms) },
    id_left_out: { cause: `the signature covers ${texts.id_left_out}`, fix: orderRule(terms) },
    time_left_out: { cause: `the signature covers ${texts.time_left_out}`, fix: orderRule(terms) },
    version_left_out: { cause: `the signature covers ${texts.version_left_out}`, fix: orderRule(terms) },
  }
}

const DETAILED: {
  readonly [Code in keyof MistakeData]: (data: MistakeData[Code], terms: SchemeTerms) => MistakeText
} = {
  line_break_lost: ({ end }) => ({
    cause: `the signed body ends with a line break (${end}), and this one does not`,
    fix: `Something on the way to the receiver, or the receiver, trims it. ${RAW}`,
  }),
  normalized: ({ form }) => ({
    cause: `the signed body has its characters in the form ${form}`,
    fix: `Something normalized the text. ${RAW}`,
  }),
  json_of: ({ by }) => ({ cause: `the signature covers the same JSON as written by ${by}`, fix: SERIALIZED }),
  other_secret: ({ name }) => ({
    cause: `the signature was made with the secret of ${name}`,
    fix: 'Use the signing secret of the endpoint that received the delivery.',
  }),
  other_function: ({ hash }, terms) => ({
    cause: `the signature was made with ${FUNCTIONS[hash]}`,
    fix: orderRule(terms),
  }),
  header_wrapped: (data, { example }) => ({
    cause: `the value of the header includes ${wrappingText(data)}`,
    fix: `Pass the value of the signature header in one line, and nothing else: ${example}.`,
  }),
  v1_surrounded: ({ isPreceded, isFollowed }, terms) => ({
    cause: `something ${[isPreceded && 'precedes', isFollowed && 'follows'].filter(Boolean).join(' and ')} the signature${terms.isVersioned ? ` in ${terms.signature}` : ''}`,
    fix: digestRule(terms),
  }),
  v1_cut: ({ part, digits }, { signature, characters: { count, kind } }) => ({
    cause: `${signature} is cut to ${part === 'middle' ? `${digits} ${kind} from the middle` : `the ${part} ${digits}`} of its ${count} ${kind}`,
    fix: ENTIRE,
  }),
}

/** What a report says of a mistake. @param scheme how the service signs; default: as the payment service does */
export function mistakeText(mistake: Mistake, scheme: Scheme): MistakeText {
  if (mistake.data === undefined) return plainTexts(scheme)[mistake.code]
  // The code of the data chooses the function for it.
  const write = DETAILED[mistake.code] as (data: unknown, terms: SchemeTerms) => MistakeText
  return write(mistake.data, termsOf(scheme))
}

function wrappingText({ isNamed, isQuoted, isBroken }: MistakeData['header_wrapped']): string {
  const parts = [isNamed && 'its name', isQuoted && 'quotation marks', isBroken && 'a line break']
  return parts.filter((part) => part !== false).join(' and ') || 'spaces'
}

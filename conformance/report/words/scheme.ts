import type { Scheme } from '../../contracts/webhook/scheme.ts'

/** What texts call the parts of a service's signature. */
export interface SchemeTerms {
  /** The header with the signature. */
  readonly header: string
  /** An entry with a signature: `v1`, or "the signature" where its label is no version. */
  readonly signature: string
  /** Whether that is a version. */
  readonly isVersioned: boolean
  /** The time, by its label or header. */
  readonly time: string
  /** What precedes the digits of the time in the header with the signature: `t=`; empty where it stands elsewhere. */
  readonly timeLabel: string
  /** The header without its values: `t=…,v1=…`; of one without labels, how a signature is written. */
  readonly example: string
  /** How a signature is written, as a noun: "64 lowercase hexadecimal digits". */
  readonly digest: string
  /** What one character of a signature is called, and how many there are. */
  readonly characters: { readonly count: number; readonly kind: string }
  /** What is signed, as a noun: "t, one dot and the raw body". */
  readonly signed: string
  /** The same as a part of a longer sentence: "t, a dot and the raw body". */
  readonly signedText: string
  /** The same over bytes that were named before: "t, a dot and those bytes". */
  readonly overBytes: string
  /** How Python puts it together: `t.encode() + b"." + body`. */
  readonly inPython: string
  /** What is signed beside the body: "t". */
  readonly besideBody: string
  /** What is signed, without fixed texts: "t and the body". */
  readonly values: string
  /** The same without one of them. */
  readonly valuesWithout: (left: 'id' | 'time') => string
  /** What is signed from the last to the first: "the body, a dot and t". */
  readonly reversed: string
  /** The header that states the id. */
  readonly id: string
  /** What separates the values: "the dot" or "the separators". */
  readonly separators: string
  /** The text that a signed text starts with. */
  readonly start: string
  /** How the key is made of the secret, as a rule for the program that signs. */
  readonly keyRule: string
}

/** What texts call the parts of a signature of this scheme. */
export function termsOf({ header, stamps, signed, digest, key }: Scheme): SchemeTerms {
  const label = labelName(header.label)
  const isVersioned = /^v\d/.test(label)
  const signature = isVersioned ? label : 'the signature'
  const time = header.time === undefined ? (stamps?.time ?? 'the time') : labelName(header.time)
  const id = stamps?.id ?? 'the id'
  const valueWith =
    (body: string, article = 'a') =>
    (part: Part) =>
      typeof part === 'string' ? { id, time, body }[part] : textName(part.text, article)
  const value = valueWith('the body')
  const values = signed.filter((part) => typeof part === 'string')
  const texts = signed.flatMap((part) => (typeof part === 'string' ? [] : part.text))
  const start = signed[0] === undefined || typeof signed[0] === 'string' ? '' : signed[0].text
  const written =
    digest === 'hex' ? '64 lowercase hexadecimal digits' : '44 characters of base64, padding included'
  return {
    header: header.name,
    signature,
    isVersioned,
    time,
    timeLabel: header.time ?? '',
    id,
    start,
    example:
      label === ''
        ? written
        : [...(header.time === undefined ? [] : [`${header.time}…`]), `${header.label}…`].join(
            header.separator,
          ),
    digest: written,
    characters: digest === 'hex' ? { count: 64, kind: 'digits' } : { count: 44, kind: 'characters' },
    signed: listed(signed.map(valueWith('the raw body', 'one'))),
    signedText: listed(signed.map(valueWith('the raw body'))),
    overBytes: listed(signed.map(valueWith('those bytes'))),
    inPython: signed
      .map((part) =>
        typeof part === 'string'
          ? { id: 'delivery_id.encode()', time: 't.encode()', body: 'body' }[part]
          : `b"${part.text}"`,
      )
      .join(' + '),
    besideBody: listed(values.filter((part) => part !== 'body').map(value)),
    values: listed(values.map(value)),
    valuesWithout: (left) => listed(values.filter((part) => part !== left).map(value)),
    reversed: listed(signed.toReversed().map(value)),
    separators: texts.length === 1 ? textName(texts[0] ?? '', 'the') : 'the separators',
    keyRule:
      key === 'text'
        ? 'The program that signs uses another form of the secret: it must use the entire text, prefix included, as UTF-8 bytes.'
        : `The program that signs makes another key of the secret: it must decode what follows ${key.base64After} from base64, and use these bytes.`,
  }
}

type Part = Scheme['signed'][number]

/** A label without the sign that follows it. */
export const labelName = (label: string): string => label.replace(/\W+$/, '')

const textName = (text: string, article: string) =>
  ({ '.': `${article} dot`, ':': `${article} colon` })[text] ?? `\`${text}\``

function listed(texts: readonly string[]): string {
  const last = texts.at(-1) ?? ''
  return texts.length < 2 ? last : `${texts.slice(0, -1).join(', ')} and ${last}`
}

import type { Scheme } from '../../contracts/webhook/scheme.ts'
import type { Mistake } from '../mistakes/form.ts'

/** What the headers of a delivery state. */
export interface Stamped {
  /** The value of the signature header. */
  readonly header: string
  /** How the service signs. */
  readonly scheme: Scheme
  /** The id, where a header of its own states it. */
  readonly id?: string | undefined
  /** The time, where a header of its own states it. */
  readonly time?: string | undefined
}

/** A signature header as somebody wrote it. */
export interface ReadHeader {
  /** What `t` may be, each with the mistake if it is not a number of Unix seconds. */
  readonly times: readonly (readonly [t: string, cause?: Mistake])[]
  readonly signatures: readonly string[]
  /** What is wrong with the form of the header. */
  readonly causes: readonly Mistake[]
}

const SPELLED: Mistake = { code: 'header_spelled' }
const LABELED: Mistake = { code: 'signature_label' }
const IN_SECONDS: Mistake = { code: 't_written', about: 'time' }

/** A label and its value in any spelling. */
const SPELLED_OUT = /([a-z]\w*)\s*[=:]\s*([^\s,;&|]*)/gi
const SPELLED_WITH_COMMA = /([a-z]\w*)\s*[=:,]\s*([^\s,;&|]*)/gi

/** More of them are not tried. */
const MOST_TIMES = 4
const DIGEST = /(?<![\da-z])(?:[\da-f]{64}|[\w+/-]{43}=?)(?![\da-z])/gi

/** Reads a header, also one that has another form than it must have, or was copied with more than belongs to it. */
export function readHeader({ header: given, scheme, time }: Stamped): ReadHeader {
  const labels = labelsOf(scheme)
  const value = unwrapped(given, labels)
  const { separator } = scheme.header
  const entries = value.split(separator).map((entry) => entry.trim())
  const stamped = scheme.header.time === undefined ? timesBeside(scheme, time) : undefined
  const read = (exact: Found, causes: readonly Mistake[]): ReadHeader => ({
    times: stamped ?? timesOf(exact.times),
    signatures: exact.signatures,
    causes,
  })
  const isComplete = ({ times, signatures }: Found) =>
    signatures.length > 0 && (stamped !== undefined || times.length > 0)
  const exact = {
    times: valuesAfter(labels.time, entries),
    signatures: valuesAfter(labels.signature, entries),
  }
  if (isComplete(exact))
    return read(exact, entries.join(separator) === given ? [] : [wrapping(given, labels)])
  const plain = decoded(value).replaceAll(/["'[\]{}]/g, '')
  const found = [...plain.matchAll(labels.signature.endsWith(',') ? SPELLED_WITH_COMMA : SPELLED_OUT)]
  const spelled = found.map(([, label = '', ofLabel = '']) => [label.toLowerCase(), ofLabel] as const)
  const valuesOf = (label: string | undefined) =>
    spelled.flatMap(([name, ofLabel]) => (name === nameOf(label) && ofLabel !== '' ? ofLabel : []))
  const lenient = { times: valuesOf(labels.time), signatures: valuesOf(labels.signature) }
  if (isComplete(lenient)) return read(lenient, [SPELLED])
  const times = exact.times.length === 0 ? lenient.times : exact.times
  const signatures = lenient.signatures.length === 0 ? (plain.match(DIGEST) ?? []) : []
  return read({ times, signatures }, [LABELED])
}

interface Found {
  readonly times: readonly string[]
  readonly signatures: readonly string[]
}

interface Labels {
  readonly signature: string
  readonly time: string | undefined
}

const labelsOf = ({ header: { label, time } }: Scheme): Labels => ({ signature: label, time })

/** A label without the sign that follows it: `v1` of `v1=`; undefined without one. */
const nameOf = (label: string | undefined) => label?.toLowerCase().replace(/\W+$/, '')

/** What the time may be that another header states, or an empty text where the service states none. */
function timesBeside({ stamps }: Scheme, time: string | undefined): ReadHeader['times'] {
  if (stamps?.time === undefined) return [['']]
  return time === undefined || time === '' ? [] : timesOf([time])
}

/** The values that follow a label and are not empty. */
const valuesAfter = (label: string | undefined, entries: readonly string[]) =>
  label === undefined
    ? []
    : entries.flatMap((entry) =>
        entry.startsWith(label) && entry.length > label.length ? entry.slice(label.length) : [],
      )

/** The name of a header before its value. */
function nameBefore(text: string, { signature, time }: Labels): RegExpExecArray | null {
  const found = /^["']?([\w-]+)["']?\s*:\s*/i.exec(text)
  const name = found?.[1]?.toLowerCase()
  return name === nameOf(signature) || name === nameOf(time) ? null : found
}

/** What a header was copied with. */
function wrapping(given: string, labels: Labels): Mistake {
  return {
    code: 'header_wrapped',
    data: {
      isNamed: nameBefore(given.trim(), labels) !== null,
      isQuoted: /["']/.test(given),
      isBroken: /[\r\n]/.test(given),
    },
  }
}

/** The value of a header without its name, and without quotation marks around all of it. */
function unwrapped(given: string, labels: Labels): string {
  const text = given.trim()
  const value = text.slice(nameBefore(text, labels)?.[0].length ?? 0)
  const isQuoted = /^["']/.test(text) || /^["']/.test(value)
  return isQuoted ? value.replace(/^["']/, '').replace(/["']$/, '') : value
}

/** The text of a value in which signs such as commas are written as in a URL. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

function timesOf(times: readonly string[]): ReadHeader['times'] {
  return times.slice(0, MOST_TIMES).flatMap((t) => {
    const seconds = secondsOf(t)
    return seconds === undefined || seconds === t
      ? [[t] as const]
      : [[t] as const, [seconds, IN_SECONDS] as const]
  })
}

/** The Unix seconds that a text means: digits with something around them, or a date. */
function secondsOf(t: string): string | undefined {
  const digits = /^["'+\s]*0*(\d{1,12})(?:\.0+)?["'\s]*$/.exec(t)?.[1]
  if (digits !== undefined || !/^\d{4}-\d\d-\d\dT/.test(t)) return digits
  const date = Date.parse(t)
  return Number.isNaN(date) ? undefined : String(Math.floor(date / 1000))
}

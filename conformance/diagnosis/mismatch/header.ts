import type { Mistake } from '../mistakes/form.ts'

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

/** More of them are not tried. */
const MOST_TIMES = 4
const DIGEST = /(?<![\da-z])(?:[\da-f]{64}|[\w+/-]{43}=?)(?![\da-z])/gi

/** Reads a header, also one that has another form than it must have, or was copied with more than belongs to it. */
export function readHeader(given: string): ReadHeader {
  const value = unwrapped(given)
  const entries = value.split(',').map((entry) => entry.trim())
  const pairs = entries.flatMap((entry) => {
    const at = entry.indexOf('=')
    return at === -1 ? [] : [[entry.slice(0, at), entry.slice(at + 1)] as const]
  })
  const exact = { times: valuesOf('t', pairs), signatures: valuesOf('v1', pairs) }
  const isWrapped = entries.join(',') !== given
  if (isComplete(exact))
    return { ...exact, times: timesOf(exact.times), causes: isWrapped ? [wrapping(given)] : [] }
  const plain = decoded(value).replaceAll(/["'[\]{}]/g, '')
  const found = [...plain.matchAll(/([a-z]\w*)\s*[=:]\s*([^\s,;&|]*)/gi)]
  const spelled = found.map(([, label = '', ofLabel = '']) => [label.toLowerCase(), ofLabel] as const)
  const lenient = { times: valuesOf('t', spelled), signatures: valuesOf('v1', spelled) }
  if (isComplete(lenient)) return { ...lenient, times: timesOf(lenient.times), causes: [SPELLED] }
  const times = exact.times.length === 0 ? lenient.times : exact.times
  const digests = lenient.signatures.length === 0 ? (plain.match(DIGEST) ?? []) : []
  return { times: timesOf(times), signatures: digests, causes: [LABELED] }
}

type Pairs = readonly (readonly [label: string, value: string])[]

/** The values of a label that are not empty. */
const valuesOf = (wanted: string, pairs: Pairs) =>
  pairs.flatMap(([label, value]) => (label === wanted && value !== '' ? value : []))

const isComplete = ({ times, signatures }: { times: readonly string[]; signatures: readonly string[] }) =>
  times.length > 0 && signatures.length > 0

const NAME = /^["']?(?!t\b|v1\b)[\w-]+["']?\s*:\s*/i

/** What a header was copied with. */
function wrapping(given: string): Mistake {
  return {
    code: 'header_wrapped',
    data: {
      isNamed: NAME.test(given.trim()),
      isQuoted: /["']/.test(given),
      isBroken: /[\r\n]/.test(given),
    },
  }
}

/** The value of a header without its name, and without quotation marks around all of it. */
function unwrapped(given: string): string {
  const text = given.trim()
  const value = text.replace(NAME, '')
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

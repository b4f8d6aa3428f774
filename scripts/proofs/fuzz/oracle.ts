import { createHmac } from 'node:crypto'

/** A delivery as it is sent. */
export interface Input {
  /** The values of the signature headers, in order; empty if there is no such header. */
  readonly headers: readonly Buffer[]
  readonly body: Buffer
}

/** What SPEC.md requires for a delivery: the allowed status codes, and the requirement they follow from. */
export interface Expected {
  readonly statuses: readonly number[]
  readonly because: string
}

export interface Settings {
  readonly secret: string
  /** The receiver's clock, in Unix seconds. */
  readonly now: number
}

const WINDOW_SECONDS = 300
/** Node.js rejects longer heads before the receiver sees them. */
const MOST_HEADER_BYTES = 14_000
/** A receiver may ignore further signatures. SPEC.md 10.6 */
const MOST_SIGNATURES = 16

const ACCEPT = [200]
const MISSING = [400]
const STALE = [400]
const FORGED = [401]
const MALFORMED = [400, 401]
const UNREADABLE = [400, 415, 422]

/**
 * A second, strict implementation of the contract (SPEC.md 2 to 5, 8 and 10) that shares no code with the receiver. Where
 * the contract leaves a choice it returns several status codes; 200 is one of them only if the signature is valid.
 */
export function expectedResponse({ headers, body }: Input, { secret, now }: Settings): Expected {
  // The HTTP server rejects control characters before the receiver sees them.
  if (headers.some((value) => value.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f))) {
    return { statuses: [400], because: 'HTTP: a control character in a header' }
  }
  if (headers.reduce((total, { length }) => total + length, 0) > MOST_HEADER_BYTES) {
    return {
      statuses: [...MALFORMED, 431, ...expectedForBody(body).statuses],
      because: '10.6: a long header',
    }
  }
  const values = headers.map((value) => value.toString('latin1').replace(/^[ \t]+|[ \t]+$/g, ''))
  const entries = values.flatMap((value) => value.split(','))
  const times = entries.flatMap((entry) => valueOf('t=', entry))
  const signatures = entries.flatMap((entry) => valueOf('v1=', entry))
  const isFresh = (t: string): boolean =>
    /^[0-9]{1,15}$/.test(t) && Math.abs(now - Number(t)) <= WINDOW_SECONDS
  const signs = (t: string, v1: string): boolean =>
    v1 ===
    createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from(`${t}.`, 'latin1'), body]))
      .digest('hex')

  if (isPlain(values, entries, times, signatures)) {
    const [t = ''] = times
    const isValid = signatures.some((v1) => signs(t, v1))
    if (isFresh(t))
      return isValid ? expectedForBody(body) : { statuses: FORGED, because: '5.1: no v1 is valid' }
    return isValid
      ? { statuses: STALE, because: '3.3, 3.4: outside the tolerance window' }
      : { statuses: MALFORMED, because: '3.7: stale and forged' }
  }

  const trimmed = entries.map((entry) => entry.trim())
  const looseTimes = trimmed.flatMap((entry) => valueOf('t=', entry)).flatMap((t) => [t, t.trim()])
  const looseSignatures = trimmed
    .flatMap((entry) => valueOf('v1=', entry))
    .map((v1) => v1.trim().toLowerCase())
  const isValidIfLenient = looseTimes.some(
    (t) => isFresh(t.trim()) && looseSignatures.some((v1) => signs(t, v1)),
  )
  if (isValidIfLenient) {
    return {
      statuses: [...expectedForBody(body).statuses, ...MALFORMED],
      because: '2.12, 2.14 to 2.19: valid, but written in an unusual way',
    }
  }
  const missing = looseTimes.length === 0 || looseSignatures.length === 0
  return missing
    ? { statuses: MISSING, because: '2.1 to 2.4: t or v1 is missing' }
    : {
        statuses: MALFORMED,
        because: '2.5, 2.9 to 2.11, 2.13: no valid signature for a t in the tolerance window',
      }
}

/** Whether a header is written as the service writes it, apart from additional labels: then the contract leaves no choice. */
function isPlain(
  values: readonly string[],
  entries: readonly string[],
  times: readonly string[],
  signatures: readonly string[],
): boolean {
  const [t = ''] = times
  return (
    values.length === 1 &&
    times.length === 1 &&
    /^(0|[1-9][0-9]{0,11})$/.test(t) &&
    signatures.length <= MOST_SIGNATURES &&
    signatures.length > 0 &&
    signatures.every((v1) => /^[0-9a-f]{64}$/.test(v1)) &&
    entries.every((entry) => /^[a-z][a-z0-9]*=/.test(entry))
  )
}

/** The value of an entry that has this label, otherwise nothing. */
const valueOf = (label: string, entry: string): string[] =>
  entry.startsWith(label) ? [entry.slice(label.length)] : []

/** What the contract requires for the body of a validly signed delivery. SPEC.md 8 and 10 */
function expectedForBody(body: Buffer): Expected {
  const hasByteOrderMark = body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))
  const event = readObject(hasByteOrderMark ? body.subarray(3) : body)
  if (event === undefined) return { statuses: UNREADABLE, because: '10.1, 10.2: not a JSON object' }
  const { event: name, payment_id: paymentId, id, test, status } = event
  const simulated = name === undefined && test === true && (status === 'completed' || status === 'failed')
  const hasName = isFilled(name)
  if (!hasName && !simulated) return { statuses: UNREADABLE, because: '10.2: no event name' }
  if (!isFilled(paymentId) && !isFilled(id)) return { statuses: UNREADABLE, because: '10.3: no payment id' }
  // If only one of the two ids is a string, the contract does not define which counts. 4.8 and 8.8 also leave a choice.
  const ambiguousId = paymentId !== undefined && paymentId !== null && !isFilled(paymentId)
  if (hasByteOrderMark || simulated || ambiguousId) {
    return { statuses: [...ACCEPT, ...UNREADABLE], because: '4.8, 8.8: valid, but may be refused' }
  }
  return { statuses: ACCEPT, because: '6.1: a valid delivery' }
}

const isFilled = (value: unknown): boolean => typeof value === 'string' && value !== ''

function readObject(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}

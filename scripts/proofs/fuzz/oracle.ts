import { createHmac } from 'node:crypto'

/** A delivery as it goes onto the wire. */
export interface Input {
  /** The values of the signature headers, in order; none if there is no such header. */
  readonly headers: readonly Buffer[]
  readonly body: Buffer
}

/** What SPEC.md says about a delivery: the statuses that are right for it, and the sentence that says so. */
export interface Ruling {
  readonly statuses: readonly number[]
  readonly because: string
}

export interface Terms {
  readonly secret: string
  /** The receiver's clock, in Unix seconds. */
  readonly now: number
}

const WINDOW_SECONDS = 300
/** Node refuses longer heads before the receiver sees them. */
const MOST_HEADER_BYTES = 14_000
/** More signatures than this need not be tried. SPEC.md 10.6 */
const MOST_SIGNATURES = 16

const ACCEPT = [200]
const MISSING = [400]
const STALE = [400]
const FORGED = [401]
const OPEN = [400, 401]
const UNREADABLE = [400, 415, 422]

/**
 * The contract, written a second time and strictly: SPEC.md 2 to 5, 8 and 10. It shares no code with the receiver. Where
 * the contract leaves a choice there are several statuses; 200 is among them only if the signature is right.
 */
export function rule({ headers, body }: Input, { secret, now }: Terms): Ruling {
  // What HTTP does not allow in a header never reaches a receiver.
  if (headers.some((value) => value.some((byte) => (byte < 0x20 && byte !== 0x09) || byte === 0x7f))) {
    return { statuses: [400], because: 'HTTP: a control character in a header' }
  }
  if (headers.reduce((total, { length }) => total + length, 0) > MOST_HEADER_BYTES) {
    return { statuses: [...OPEN, 431, ...verdictOn(body).statuses], because: '10.6: a long header' }
  }
  const values = headers.map((value) => value.toString('latin1').replace(/^[ \t]+|[ \t]+$/g, ''))
  const entries = values.flatMap((value) => value.split(','))
  const times = entries.flatMap((entry) => after('t=', entry))
  const signatures = entries.flatMap((entry) => after('v1=', entry))
  const fresh = (t: string): boolean => /^[0-9]{1,15}$/.test(t) && Math.abs(now - Number(t)) <= WINDOW_SECONDS
  const signs = (t: string, v1: string): boolean =>
    v1 ===
    createHmac('sha256', secret)
      .update(Buffer.concat([Buffer.from(`${t}.`, 'latin1'), body]))
      .digest('hex')

  if (isPlain(values, entries, times, signatures)) {
    const [t = ''] = times
    const genuine = signatures.some((v1) => signs(t, v1))
    if (fresh(t)) return genuine ? verdictOn(body) : { statuses: FORGED, because: '5.1: no v1 is right' }
    return genuine
      ? { statuses: STALE, because: '3.3, 3.4: outside the window' }
      : { statuses: OPEN, because: '3.7: stale and forged' }
  }

  const loosely = entries.map((entry) => entry.trim())
  const looseTimes = loosely.flatMap((entry) => after('t=', entry)).flatMap((t) => [t, t.trim()])
  const looseSignatures = loosely.flatMap((entry) => after('v1=', entry)).map((v1) => v1.trim().toLowerCase())
  const somehow = looseTimes.some((t) => fresh(t.trim()) && looseSignatures.some((v1) => signs(t, v1)))
  if (somehow) {
    return {
      statuses: [...verdictOn(body).statuses, ...OPEN],
      because: '2.12, 2.14 to 2.19: right, but oddly written',
    }
  }
  const missing = looseTimes.length === 0 || looseSignatures.length === 0
  return missing
    ? { statuses: MISSING, because: '2.1 to 2.4: t or v1 is missing' }
    : { statuses: OPEN, because: '2.5, 2.9 to 2.11, 2.13: no right signature for a fresh t' }
}

/** Written as the service writes it, further labels aside: then the contract leaves no choice. */
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

/** What follows a label, if the entry has it. */
const after = (label: string, entry: string): string[] =>
  entry.startsWith(label) ? [entry.slice(label.length)] : []

/** The contract on the body of a delivery whose signature is right. SPEC.md 8 and 10. */
function verdictOn(body: Buffer): Ruling {
  const marked = body.subarray(0, 3).equals(Buffer.from([0xef, 0xbb, 0xbf]))
  const event = readObject(marked ? body.subarray(3) : body)
  if (event === undefined) return { statuses: UNREADABLE, because: '10.1, 10.2: no JSON object' }
  const { event: name, payment_id: paymentId, id, test, status } = event
  const simulated = name === undefined && test === true && (status === 'completed' || status === 'failed')
  const named = isFilled(name)
  if (!named && !simulated) return { statuses: UNREADABLE, because: '10.2: names no event' }
  if (!isFilled(paymentId) && !isFilled(id))
    return { statuses: UNREADABLE, because: '10.3: names no payment' }
  // One of the two ids is text and the other is not: which counts is open. So are 4.8 and 8.8.
  const odd = paymentId !== undefined && paymentId !== null && !isFilled(paymentId)
  if (marked || simulated || odd) {
    return { statuses: [...ACCEPT, ...UNREADABLE], because: '4.8, 8.8: right, and may be refused' }
  }
  return { statuses: ACCEPT, because: '6.1: genuine' }
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

// The verifier: from raw bytes, signature header, secrets and clock to the signing time, or a WebhookError. You can copy it.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Why a signature is not valid: each stable code with its HTTP status and a message for people. SPEC.md 2 to 5. */
export const verificationRefusals = {
  header_missing: { status: 400, message: 'The signature header is missing or empty.' },
  header_malformed: { status: 400, message: 'The signature header has no label=value entry or too many v1.' },
  t_missing: { status: 400, message: 'The signature header has no t entry.' },
  t_duplicated: { status: 400, message: 'The signature header has more than one t entry.' },
  t_malformed: { status: 400, message: 'The t entry is not a Unix time in seconds.' },
  v1_missing: { status: 400, message: 'The signature header has no v1 entry.' },
  timestamp_too_old: { status: 400, message: 'The delivery was signed too long ago.' },
  timestamp_in_future: { status: 400, message: 'The delivery was signed too far in the future.' },
  signature_mismatch: { status: 401, message: 'No v1 entry matches the signature of this body.' },
} as const

/** A refused delivery: a stable `code` for programs, the HTTP `status` to answer with, a `message` for people. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
  readonly code: string
  readonly status: number

  constructor(code: string, refusal: { status: number; message: string }, options?: ErrorOptions) {
    super(refusal.message, options)
    this.code = code
    this.status = refusal.status
  }
}

const refuse = (code: keyof typeof verificationRefusals) => new WebhookError(code, verificationRefusals[code])

/** The signature header as received: its value, all of its values, or undefined or null if it is absent. */
export type SignatureHeader = string | readonly string[] | null | undefined

/** Verifies the bytes of a body. Returns the signing time in Unix seconds, or throws WebhookError. */
export type Verify = (rawBody: Uint8Array, header: SignatureHeader) => number

export interface VerifierOptions {
  /** The signing secret of the endpoint, including its prefix; or several while one is being replaced. */
  secrets: string | readonly string[] | undefined
  /** How far the signing time may be from the clock in either direction, in seconds; at most 86,400 (one day). */
  toleranceSeconds?: number
  /** The current Unix time in milliseconds. */
  clock?: () => number
}

const MAX_SIGNATURES = 16
const MAX_TOLERANCE_SECONDS = 86_400 // One day. With more, the age check would refuse hardly any replay.

/**
 * Creates a verifier for one endpoint. It checks only the signature and its time. SPEC.md 2, 3, 4 and 5.
 * @throws TypeError immediately if an option would accept or reject every delivery.
 */
export function createVerifier(options: VerifierOptions): Verify {
  const { secrets, toleranceSeconds = 300, clock = Date.now } = options
  const keys = [secrets].flat().map((secret: unknown) => {
    if (typeof secret === 'string' && /^\S(.*\S)?$/s.test(secret)) return createSecretKey(secret, 'utf8')
    throw new TypeError('secrets: a secret is missing, blank or has whitespace around it. Pass it exactly.')
  })
  if (keys.length === 0) throw new TypeError('secrets: the list is empty. Pass at least one signing secret.')
  const isInRange = toleranceSeconds > 0 && toleranceSeconds <= MAX_TOLERANCE_SECONDS
  if (!Number.isFinite(toleranceSeconds) || !isInRange)
    throw new TypeError('toleranceSeconds: must be greater than 0 and at most 86400 (one day). Default: 300.')

  return (rawBody, header) => {
    if (!(rawBody instanceof Uint8Array)) throw new TypeError('rawBody: must be a Uint8Array as received.')
    const { t, signatures } = readHeader(header)

    const signedAt = Number(t)
    const age = Math.floor(clock() / 1000) - signedAt
    // Written so that a clock that returns NaN rejects the delivery.
    if (!(Math.abs(age) <= toleranceSeconds))
      throw refuse(age < 0 ? 'timestamp_in_future' : 'timestamp_too_old')

    let valid = false
    for (const key of keys) {
      // Two updates: joining t and body as text would decode the body and change bytes that are not UTF-8.
      const mac = createHmac('sha256', key).update(`${t}.`).update(rawBody)
      // Compared as hexadecimal text: as safe as comparing the 32 bytes, and faster in Node.js.
      const expected = Buffer.from(mac.digest('hex'))
      // No early exit, so that the time taken does not reveal which signature or secret matched.
      for (const signature of signatures) {
        if (signature.length === expected.length && timingSafeEqual(expected, signature)) valid = true
      }
    }
    if (!valid) throw refuse('signature_mismatch')
    return signedAt
  }
}

/** Reads `t` and every `v1` by name and ignores other labels, which future versions may add. */
function readHeader(header: SignatureHeader): { t: string; signatures: Buffer[] } {
  const value = typeof header === 'string' ? header : (header ?? []).join(',')
  if (value === '') throw refuse('header_missing')

  const times: string[] = []
  const signatures: Buffer[] = []
  let otherCount = 0
  // A loop, because splitting into a list would add a tenth to the cost of the check.
  for (let start = 0, end = 0; start <= value.length; start = end + 1) {
    end = value.indexOf(',', start)
    if (end === -1) end = value.length
    if (value.startsWith('t=', start)) times.push(value.slice(start + 2, end))
    else if (value.startsWith('v1=', start)) signatures.push(Buffer.from(value.slice(start + 3, end)))
    else if (value.slice(start, end).indexOf('=') > 0) otherCount += 1
  }
  const [t] = times
  const empty = times.length + signatures.length + otherCount === 0
  if (empty || signatures.length > MAX_SIGNATURES) throw refuse('header_malformed')
  if (t === undefined) throw refuse('t_missing')
  if (times.length > 1) throw refuse('t_duplicated')
  if (!/^[0-9]{1,12}$/.test(t)) throw refuse('t_malformed')
  if (signatures.every(({ length }) => length === 0)) throw refuse('v1_missing')
  return { t, signatures }
}

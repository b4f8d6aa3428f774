/**
 * The verifier: raw bytes, signature header, secrets and clock in; a verified delivery out, or a WebhookError.
 * This file stands alone: copy it as it is.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

/** Why a delivery is not genuine: each stable code with its HTTP status and a sentence for people. SPEC.md 2 to 5. */
export const verificationRefusals = {
  header_missing: { status: 400, message: 'The signature header is missing or empty.' },
  header_malformed: {
    status: 400,
    message: 'The signature header has no label=value entry, or too many v1.',
  },
  t_missing: { status: 400, message: 'The signature header has no t entry.' },
  t_duplicated: { status: 400, message: 'The signature header has more than one t entry.' },
  t_malformed: { status: 400, message: 'The t entry is not a Unix time in seconds.' },
  v1_missing: { status: 400, message: 'The signature header has no v1 entry.' },
  timestamp_too_old: { status: 400, message: 'The delivery was signed too long ago.' },
  timestamp_in_future: { status: 400, message: 'The delivery was signed too far in the future.' },
  signature_mismatch: { status: 401, message: 'No v1 entry is the signature of this body.' },
  body_not_json: { status: 400, message: 'The body is not JSON in UTF-8.' },
  body_not_event: { status: 400, message: 'The body is not an event: it needs event and payment_id.' },
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

/** An event as parsed. Only its name and payment id have been checked: unknown fields, names and codes are allowed. */
export interface WebhookEvent {
  readonly event: string
  readonly [field: string]: unknown
}

declare const verified: unique symbol

/** A genuine delivery. Only a verifier makes one, so a body that nobody verified does not compile in its place. */
export interface VerifiedDelivery {
  readonly [verified]: true
  readonly event: WebhookEvent
  /** The event's name. */
  readonly name: string
  readonly paymentId: string
  /** Unix time in seconds. */
  readonly signedAt: number
  /** The exact bytes that were signed. */
  readonly body: Buffer
}

/** The signature header as it came: its value, or every value of it, or none. */
export type SignatureHeader = string | readonly string[] | undefined

/** Checks one delivery, given the bytes as received and every value of the signature header. Throws WebhookError. */
export type Verify = (rawBody: Buffer, header: SignatureHeader) => VerifiedDelivery

export interface VerifierOptions {
  /** The endpoint's signing secret, whole; or several that are valid side by side while one is being replaced. */
  secrets: string | readonly string[] | undefined
  /** How far, in seconds and either way, the signing time may be from the clock. */
  toleranceSeconds?: number
  /** Now, in milliseconds. */
  clock?: () => number
}

const MOST_SIGNATURES = 16

/**
 * Makes a verifier for one endpoint: the signature is checked, then the event is read. SPEC.md 2, 3, 4, 5 and 8.
 * @throws TypeError at once if an option would let everything through, or nothing.
 */
export function createVerifier(options: VerifierOptions): Verify {
  const checkSignature = createSignatureCheck(options)
  return (rawBody, header) => {
    const signedAt = checkSignature(rawBody, header)
    const { event, name, paymentId } = readEvent(rawBody)
    return { event, name, paymentId, signedAt, body: rawBody } as VerifiedDelivery
  }
}

/**
 * Makes the check of the signature alone, for a body that another program will read. It returns the signing time,
 * Unix time in seconds, or throws WebhookError. SPEC.md 2, 3, 4 and 5.
 * @throws TypeError at once if an option would let everything through, or nothing.
 */
export function createSignatureCheck({
  secrets,
  toleranceSeconds = 300,
  clock = Date.now,
}: VerifierOptions): (rawBody: Buffer, header: SignatureHeader) => number {
  const keys = [secrets].flat().map((secret: unknown) => {
    if (typeof secret === 'string' && secret.trim() !== '') return createSecretKey(secret, 'utf8')
    throw new TypeError(
      'secrets: a signing secret is missing or blank. Give the whole secret, prefix included.',
    )
  })
  if (keys.length === 0) throw new TypeError('secrets: the list is empty. Give at least one signing secret.')
  if (!Number.isFinite(toleranceSeconds) || toleranceSeconds <= 0) {
    throw new TypeError('toleranceSeconds: must be a finite number above 0. Leave it out for 300.')
  }

  return (rawBody, header) => {
    if (!Buffer.isBuffer(rawBody)) throw new TypeError('rawBody: give the bytes as received, in a Buffer.')
    const { t, signatures } = readHeader(header)

    const signedAt = Number(t)
    const age = Math.floor(clock() / 1000) - signedAt
    // Asked this way round, a clock that answers NaN refuses.
    const inWindow = Math.abs(age) <= toleranceSeconds
    if (!inWindow) throw refuse(age < 0 ? 'timestamp_in_future' : 'timestamp_too_old')

    let genuine = false
    for (const key of keys) {
      // Two updates: joining t and body as text first would decode the body, and so change bytes that are not UTF-8.
      const mac = createHmac('sha256', key).update(`${t}.`).update(rawBody)
      // Compared as hexadecimal text, which is as safe as the 32 bytes; Node makes it sooner than a Buffer of them.
      const expected = Buffer.from(mac.digest('hex'))
      // No early exit: the time taken tells nothing of which signature or secret was right.
      for (const signature of signatures) genuine = isSame(expected, signature) || genuine
    }
    if (!genuine) throw refuse('signature_mismatch')
    return signedAt
  }
}

/** Only the length, which is no secret, is looked at before all bytes are compared in constant time. */
const isSame = (expected: Buffer, signature: Buffer): boolean =>
  signature.length === expected.length && timingSafeEqual(expected, signature)

/** Reads `t` and every `v1` by name; other labels may appear one day and are not ours to judge. */
function readHeader(header: SignatureHeader): { t: string; signatures: Buffer[] } {
  const value = typeof header === 'string' ? header : (header ?? []).join(',')
  if (value === '') throw refuse('header_missing')

  let t: string | undefined
  let times = 0
  let others = 0
  const signatures: Buffer[] = []
  // Walked, since a list of the entries would cost a tenth of the whole check.
  for (let start = 0, end = 0; start <= value.length; start = end + 1) {
    end = value.indexOf(',', start)
    if (end === -1) end = value.length
    if (value.startsWith('t=', start)) {
      t = value.slice(start + 2, end)
      times += 1
    } else if (value.startsWith('v1=', start)) signatures.push(Buffer.from(value.slice(start + 3, end)))
    else if (value.slice(start, end).indexOf('=') > 0) others += 1
  }
  const empty = times + signatures.length + others === 0
  if (empty || signatures.length > MOST_SIGNATURES) throw refuse('header_malformed')
  if (t === undefined) throw refuse('t_missing')
  if (times > 1) throw refuse('t_duplicated')
  if (!/^[0-9]{1,12}$/.test(t)) throw refuse('t_malformed')
  if (signatures.every(({ length }) => length === 0)) throw refuse('v1_missing')
  return { t, signatures }
}

// Fatal: bytes that are not UTF-8 are refused, and not replaced. It keeps nothing from one body to the next.
const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Reads a body that has been verified, and nothing else. SPEC.md 8 and 10.
 * @throws WebhookError body_not_json or body_not_event.
 */
export function readEvent(body: Buffer): { event: WebhookEvent; name: string; paymentId: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(utf8.decode(body))
  } catch {
    throw refuse('body_not_json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw refuse('body_not_event')

  const fields = parsed as Record<string, unknown>
  const named = fields['event'] !== undefined
  const name = named ? fields['event'] : nameOfSimulated(fields)
  const paymentId = fields['payment_id'] ?? fields['id']
  if (!isFilledText(name) || !isFilledText(paymentId)) throw refuse('body_not_event')
  return { event: named ? (fields as WebhookEvent) : { ...fields, event: name }, name, paymentId }
}

/** The simulated event of a test checkout may leave out its name; its status tells it. */
function nameOfSimulated({ test, status }: Record<string, unknown>): string | undefined {
  return test === true && (status === 'completed' || status === 'failed') ? `payment.${status}` : undefined
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== ''

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

/** Checks one delivery, given the bytes as received and every value of the signature header. Throws WebhookError. */
export type Verify = (rawBody: Buffer, header: string | readonly string[] | undefined) => VerifiedDelivery

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
 * Makes a verifier for one endpoint. SPEC.md 2, 3, 4 and 5.
 * @throws TypeError at once if an option would let everything through, or nothing.
 */
export function createVerifier({
  secrets,
  toleranceSeconds = 300,
  clock = Date.now,
}: VerifierOptions): Verify {
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

    const age = Math.floor(clock() / 1000) - Number(t)
    // Asked this way round, a clock that answers NaN refuses.
    const inWindow = Math.abs(age) <= toleranceSeconds
    if (!inWindow) throw refuse(age < 0 ? 'timestamp_in_future' : 'timestamp_too_old')

    let genuine = false
    for (const key of keys) {
      // Two updates: joining t and body as text first would decode the body, and so change bytes that are not UTF-8.
      const expected = createHmac('sha256', key).update(`${t}.`).update(rawBody).digest()
      // No early exit: the time taken tells nothing of which signature or secret was right.
      for (const signature of signatures) genuine = timingSafeEqual(expected, signature) || genuine
    }
    if (!genuine) throw refuse('signature_mismatch')

    return { ...readEvent(rawBody), signedAt: Number(t), body: rawBody } as VerifiedDelivery
  }
}

/** Reads `t` and every `v1` by name; other labels may appear one day and are not ours to judge. */
function readHeader(header: string | readonly string[] | undefined): { t: string; signatures: Buffer[] } {
  const value = [header ?? ''].flat().join(',')
  if (value === '') throw refuse('header_missing')

  const entries = Array.from(value.matchAll(/(?:^|,)([^=,]+)=([^,]*)/g))
  const labelled = (wanted: string) =>
    entries.flatMap(([, label, text = '']) => (label === wanted ? text : []))
  const [t, secondT] = labelled('t')
  const candidates = labelled('v1')
  if (entries.length === 0 || candidates.length > MOST_SIGNATURES) throw refuse('header_malformed')
  if (t === undefined) throw refuse('t_missing')
  if (secondT !== undefined) throw refuse('t_duplicated')
  if (!/^[0-9]{1,12}$/.test(t)) throw refuse('t_malformed')
  if (candidates.every((text) => text === '')) throw refuse('v1_missing')

  const wellFormed = candidates.filter((text) => /^[0-9a-f]{64}$/.test(text))
  return { t, signatures: wellFormed.map((text) => Buffer.from(text, 'hex')) }
}

/**
 * Reads a body that has been verified, and nothing else. SPEC.md 8 and 10.
 * @throws WebhookError body_not_json or body_not_event.
 */
export function readEvent(body: Buffer): { event: WebhookEvent; name: string; paymentId: string } {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    throw refuse('body_not_json')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw refuse('body_not_event')

  const fields: Record<string, unknown> = { ...parsed }
  const name = fields['event'] === undefined ? nameOfSimulated(fields) : fields['event']
  const paymentId = fields['payment_id'] ?? fields['id']
  if (!isFilledText(name) || !isFilledText(paymentId)) throw refuse('body_not_event')
  return { event: { ...fields, event: name }, name, paymentId }
}

/** The simulated event of a test checkout may leave out its name; its status tells it. */
function nameOfSimulated({ test, status }: Record<string, unknown>): string | undefined {
  return test === true && (status === 'completed' || status === 'failed') ? `payment.${status}` : undefined
}

const isFilledText = (value: unknown): value is string => typeof value === 'string' && value !== ''

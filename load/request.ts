import { createHmac, createSecretKey, randomFillSync } from 'node:crypto'
import { createGenerator, type Scenario, serialize } from '../fixtures/index.ts'

/** Several payment methods, so that bodies vary as real ones do. */
const SCENARIOS: readonly Scenario[] = [
  'completed-by-card',
  'completed-by-pix',
  'completed-by-crypto',
  'completed-by-gcash',
  'completed-mixed-checkout',
]

/** The events that load tests send, each of another payment (SPEC.md 8). The same seed returns the same events. */
function loadEvents(seed: string) {
  const generator = createGenerator(seed)
  return SCENARIOS.map((scenario) => generator.event(scenario))
}

/** 64 characters that payment ids can contain, so that a random byte selects each with the same probability. */
export const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789__'

/** A delivery from which others are made: what is renewed and signed each time it is sent. */
export interface Template {
  /** Its header lines, those with the signature and the time among them. */
  readonly lines: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
  /** Texts in the lines or the body that are renewed from a character on: ids. */
  readonly ids: readonly { readonly text: string; readonly from: number }[]
  /** The signature and its time, Unix time in seconds, as the lines have them. */
  readonly signature: string
  readonly t: string
  /** What is signed, in order. */
  readonly signed: readonly ('time' | 'body' | 'id' | { readonly text: string })[]
  /** The id that is signed; empty where none is. */
  readonly id: string
  readonly digest: 'hex' | 'base64'
  readonly key: Uint8Array
  /** The time that the body states in ISO 8601, where an exported load renews it. */
  readonly timestamp?: string
}

/** A delivery that is rendered once, as the bytes of its request. Changing some of them makes the next delivery. */
export type RenderedDelivery = ReturnType<typeof render>

interface RenderOptions {
  readonly url: URL
  readonly secret: string
  readonly signatureHeader: string
  readonly headers: readonly (readonly [string, string])[]
  readonly seed: string
  /** The deliveries of another service. Default: completed payments (SPEC.md 8). */
  readonly templates?: readonly Template[] | undefined
}

/** Renders a pool of deliveries with real events. Pools do not share bytes. */
export function renderPool(options: RenderOptions): RenderedDelivery[] {
  return templatesOf(options).map((template) => render(template, options))
}

/** The deliveries of another service, or completed payments (SPEC.md 8). */
export const templatesOf = (options: Omit<RenderOptions, 'url' | 'headers'>): readonly Template[] =>
  options.templates ?? loadEvents(options.seed).map((event) => ofPayment(event, options))

const T = '0'.repeat(10)
const V1 = 'f'.repeat(64)

function ofPayment(
  event: ReturnType<typeof loadEvents>[number],
  { secret, signatureHeader }: Pick<RenderOptions, 'secret' | 'signatureHeader'>,
): Template {
  return {
    lines: [
      ['Content-Type', 'application/json'],
      [signatureHeader, `t=${T},v1=${V1}`],
    ],
    body: serialize(event),
    // The prefix stays the same in all payment ids.
    ids: [{ text: event.id, from: event.id.indexOf('_') + 1 }],
    signature: V1,
    t: T,
    signed: ['time', { text: '.' }, 'body'],
    id: '',
    digest: 'hex',
    key: Buffer.from(secret),
    ...('timestamp' in event && { timestamp: event.timestamp }),
  }
}

function render(template: Template, { url, headers }: Pick<RenderOptions, 'url' | 'headers'>) {
  const { lines, body, signed, digest, signature, t: ownT } = template
  const line = ([name, value]: readonly [string, string]) => `${name}: ${value}\r\n`
  const around = Buffer.from(
    [
      `POST ${url.pathname}${url.search} HTTP/1.1\r\n`,
      line(['Host', url.host]),
      line(['User-Agent', 'hookproof-load']),
      ...headers.map(line),
      line(['Content-Length', String(body.length)]),
    ].join(''),
    'latin1',
  )
  const own = Buffer.from(`${lines.map(line).join('')}\r\n`, 'latin1')
  const bytes = Buffer.concat([around, own, body])
  const bodyAt = around.length + own.length
  const signedBytes = bytes.subarray(bodyAt)
  // What the user's own headers contain is not changed.
  const inHead = (text: string) =>
    text === '' ? [] : occurrences(bytes.subarray(0, bodyAt), text, around.length)
  const [timesAt, signaturesAt, [idAt = 0]] = [inHead(ownT), inHead(signature), inHead(template.id)]
  const signedId = bytes.subarray(idAt, idAt + template.id.length)
  const renewed = template.ids.map(({ text, from }) => ({
    offsets: occurrences(bytes, text, around.length).map((at) => at + from),
    length: text.length - from,
  }))
  const key = createSecretKey(template.key)

  return {
    /** Head and body. The methods below change them in place: send them before the next call. */
    bytes,
    /** Gives it new ids. */
    renew() {
      for (const { offsets, length } of renewed) {
        const [first, ...others] = offsets
        if (first === undefined) continue
        writeRandom(bytes, first, length)
        for (const offset of others) bytes.copyWithin(offset, first, first + length)
      }
    },
    /** Signs it at `t`, Unix time in seconds. */
    sign(t: number) {
      const text = String(t)
      const mac = createHmac('sha256', key)
      const values = { time: text, id: signedId, body: signedBytes }
      for (const part of signed) mac.update(typeof part === 'string' ? values[part] : part.text)
      const value = mac.digest(digest)
      for (const at of timesAt) bytes.write(text, at, 'latin1')
      for (const at of signaturesAt) bytes.write(value, at, 'latin1')
    },
  }
}

function occurrences(bytes: Buffer, text: string, from: number): number[] {
  const offsets: number[] = []
  for (let at = bytes.indexOf(text, from); at !== -1; at = bytes.indexOf(text, at + 1)) offsets.push(at)
  return offsets
}

const ALPHABET = Buffer.from(ID_CHARACTERS)
const randomPool = Buffer.alloc(8192)
let used = randomPool.length

/** Random, because ascending ids would be easier on the receiver's index than real ones. */
function writeRandom(bytes: Buffer, at: number, length: number): void {
  if (used + length > randomPool.length) {
    randomFillSync(randomPool)
    used = 0
  }
  for (let end = at + length; at < end; at += 1) bytes[at] = ALPHABET[(randomPool[used++] ?? 0) & 63] ?? 0
}

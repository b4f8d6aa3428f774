import { createHmac, createSecretKey, type KeyObject, randomFillSync } from 'node:crypto'
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
export function loadEvents(seed: string) {
  const generator = createGenerator(seed)
  return SCENARIOS.map((scenario) => generator.event(scenario))
}

/** 64 characters that payment ids can contain, so that a random byte selects each with the same probability. */
export const ID_CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789__'

/** A delivery that is rendered once, as the bytes of its request. Changing some of them makes the next delivery. */
export type RenderedDelivery = ReturnType<typeof render>

interface RenderOptions {
  readonly url: URL
  readonly secret: string
  readonly signatureHeader: string
  readonly headers: readonly (readonly [string, string])[]
  readonly seed: string
}

/** Renders a pool of deliveries with real events (SPEC.md 8). Pools do not share bytes. */
export function renderPool(options: RenderOptions): RenderedDelivery[] {
  const key = createSecretKey(options.secret, 'utf8')
  return loadEvents(options.seed).map((event) => render(serialize(event), event.id, key, options))
}

const T = '0'.repeat(10)
const V1 = '0'.repeat(64)

function render(body: Buffer, id: string, key: KeyObject, options: RenderOptions) {
  const { url, signatureHeader, headers } = options
  const lines = [
    `POST ${url.pathname}${url.search} HTTP/1.1`,
    `Host: ${url.host}`,
    'User-Agent: hookproof-load',
    'Content-Type: application/json',
    ...headers.map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${body.length}`,
    `${signatureHeader}: t=${T},v1=${V1}`,
  ]
  const bytes = Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
  const bodyAt = bytes.length - body.length
  const signedBytes = bytes.subarray(bodyAt)
  const v1At = bodyAt - '\r\n\r\n'.length - V1.length
  const tAt = v1At - ',v1='.length - T.length
  // The prefix stays the same in all payment ids.
  const prefix = id.indexOf('_') + 1
  const offsets = occurrences(bytes, id, bodyAt).map((at) => at + prefix)
  const length = id.length - prefix

  return {
    /** Head and body. The methods below change them in place: send them before the next call. */
    bytes,
    /** Gives it a new payment id. */
    renew() {
      const [first = 0, ...others] = offsets
      writeRandom(bytes, first, length)
      for (const offset of others) bytes.copyWithin(offset, first, first + length)
    },
    /** Signs it at `t`, Unix time in seconds. */
    sign(t: number) {
      const text = String(t)
      const v1 = createHmac('sha256', key).update(`${text}.`).update(signedBytes).digest('hex')
      bytes.write(text, tAt, 'latin1')
      bytes.write(v1, v1At, 'latin1')
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

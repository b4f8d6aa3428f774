import { readFileSync } from 'node:fs'
import { sign } from '../../../../fixtures/index.ts'
import { SECRET } from '../../shared/receiver.ts'
import type { SentEvent, Traffic } from '../../shared/traffic.ts'

/** Requests that no correct sender writes. Their deliveries are validly signed, so that only the HTTP is wrong. */
interface MalformedRequests {
  /** What they have in common: the text of each is at `{…}`. */
  readonly template: string
  /** The HTTP standards leave it to the receiver whether it accepts such a request. */
  readonly mayAccept?: true
  /** The sender closes its side after these bytes. */
  readonly ends?: true
  /** By name the bytes as latin1 text, with the names of parts in braces, and `{a*1000}` for a repeated text. */
  readonly requests: Readonly<Record<string, string>>
}

const file = new URL('requests.json', import.meta.url)

/** Every malformed request by its name. */
export const REQUESTS = new Map(
  (JSON.parse(readFileSync(file, 'utf8')) as MalformedRequests[]).flatMap(
    ({ template, requests, mayAccept = false, ends = false }) =>
      Object.entries(requests).map(([name, text]) => {
        const whole = template.replace('{…}', () => text)
        return [name, { text: whole, mayAccept, ends }] as const
      }),
  ),
)

/**
 * Writes a malformed request with events that nothing else sends.
 * @param onEvent called with every event that is written
 * @returns the bytes, as latin1 text
 */
export function write(text: string, traffic: Traffic, onEvent: (event: SentEvent) => void): string {
  const parts = partsOf(traffic, onEvent)
  return text
    .replaceAll(/\{([^{}]+)\*(\d+)\}/g, (_, repeated: string, times) => repeated.repeat(Number(times)))
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const part = parts[name]
      if (part === undefined) throw new RangeError(`requests.json: there is no part ${name}`)
      return part()
    })
}

/** The parts of a validly signed event, which is made when the first of them is needed, and a delivery to hide. */
function partsOf(
  traffic: Traffic,
  onEvent: (event: SentEvent) => void,
): Readonly<Record<string, () => string>> {
  const [event, hidden] = [once(signed), once(signed)]
  function signed() {
    const event = traffic.nextNew()
    onEvent(event)
    const { header } = sign({ secret: SECRET, t: Math.floor(Date.now() / 1000), body: event.body })
    return { body: event.body.toString('latin1'), signature: `X-Service-Signature: ${header}\r\n` }
  }
  const [start, host] = ['POST /webhooks HTTP/1.1\r\n', 'Host: 127.0.0.1\r\n']
  const body = (): string => event().body
  const length = (): number => body().length
  const half = (): string => body().slice(0, length() / 2)
  const smuggled = (): string => {
    const { body, signature } = hidden()
    return `${start}${host}${signature}Content-Length: ${body.length}\r\n\r\n${body}`
  }
  return {
    start: () => start,
    host: () => host,
    coding: () => 'Transfer-Encoding: chunked\r\n',
    signature: () => event().signature,
    foldedSignature: () => event().signature.replace(': ', ':\r\n '),
    startOfSignature: () => event().signature.slice(0, 40),
    body,
    bodyWithoutLastByte: () => body().slice(0, -1),
    half,
    length: () => String(length()),
    oneMore: () => String(length() + 1),
    spacedLength: () => String(length()).split('').join(' '),
    lengthPlus2To64: () => String(2n ** 64n + BigInt(length())),
    hex: () => length().toString(16),
    hex16: () => length().toString(16).padStart(16, '0'),
    hexOfOneLess: () => (length() - 1).toString(16),
    chunk: () => chunk(body()),
    halfChunk: () => chunk(half()),
    chunked: () => `${chunk(body())}0\r\n\r\n`,
    bytesInChunks: () =>
      body()
        .split('')
        .map((byte) => `1;extension=value\r\n${byte}\r\n`)
        .join(''),
    /** A complete valid delivery, to be hidden behind another request. */
    smuggled,
    /** With an empty chunked body before it. */
    hiddenLength: () => String(`0\r\n\r\n${smuggled()}`.length),
    lengthOfBoth: () => String(length() + smuggled().length),
  }
}

const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}

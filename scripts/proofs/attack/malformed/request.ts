import { sign } from '../../../../fixtures/index.ts'
import { SECRET } from '../../shared/receiver.ts'
import type { SentEvent, Traffic } from '../../shared/traffic.ts'

/** A request that no correct sender writes. Its deliveries are validly signed, so that only the HTTP is wrong. */
export interface MalformedRequest {
  /** The bytes, as latin1 text. */
  readonly write: (kit: Kit) => string
  /** The HTTP standards leave it to the receiver whether it accepts such a request. */
  readonly mayAccept?: true
  /** The sender closes its side after these bytes. */
  readonly ends?: true
}

/** A validly signed event, in the forms in which it can be written. All lines end with CRLF. */
export interface SignedEvent {
  readonly body: string
  readonly length: number
  /** The line of the signature header. */
  readonly signature: string
  /** The body as one chunk, with the last chunk and the end of the trailers. */
  readonly chunked: string
}

export interface Kit {
  /** The next event, which nothing else sends. */
  readonly signed: () => SignedEvent
  /** A complete valid delivery, to be hidden behind another request. */
  readonly smuggled: () => string
}

export const START = 'POST /webhooks HTTP/1.1\r\n'
export const HOST = 'Host: 127.0.0.1\r\n'
export const CHUNKED = 'Transfer-Encoding: chunked\r\n'

/** @param onEvent called with every event that is written */
export function createKit(traffic: Traffic, onEvent: (event: SentEvent) => void): Kit {
  function signed(): SignedEvent {
    const event = traffic.nextNew()
    onEvent(event)
    const { header } = sign({ secret: SECRET, t: Math.floor(Date.now() / 1000), body: event.body })
    const body = event.body.toString('latin1')
    return {
      body,
      length: body.length,
      signature: `X-Service-Signature: ${header}\r\n`,
      chunked: `${chunk(body)}0\r\n\r\n`,
    }
  }
  return {
    signed,
    smuggled() {
      const { body, length, signature } = signed()
      return `${START}${HOST}${signature}Content-Length: ${length}\r\n\r\n${body}`
    },
  }
}

export const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`

/** A delivery with another start line. */
export const withStart =
  (start: string) =>
  ({ signed }: Kit): string => {
    const { body, length, signature } = signed()
    return `${start}\r\n${HOST}${signature}Content-Length: ${length}\r\n\r\n${body}`
  }

/** A delivery with more bytes among its headers. */
export const withHeader =
  (line: string) =>
  ({ signed }: Kit): string => {
    const { body, length, signature } = signed()
    return `${START}${HOST}${line}\r\n${signature}Content-Length: ${length}\r\n\r\n${body}`
  }

/** A delivery whose headers give its length in another way. */
export const withLength =
  (lines: (length: number) => string) =>
  ({ signed }: Kit): string => {
    const { body, length, signature } = signed()
    return `${START}${HOST}${signature}${lines(length)}\r\n\r\n${body}`
  }

/** A delivery in one chunk, with other lines instead of `Transfer-Encoding: chunked`. */
export const withCoding =
  (lines: string) =>
  ({ signed }: Kit): string => {
    const { signature, chunked } = signed()
    return `${START}${HOST}${signature}${lines}\r\n\r\n${chunked}`
  }

/** A chunked delivery with other bytes for its chunks. */
export const withChunks =
  (write: (event: SignedEvent) => string) =>
  ({ signed }: Kit): string => {
    const event = signed()
    return `${START}${HOST}${event.signature}${CHUNKED}\r\n${write(event)}`
  }

/** A request with two readings: a body of some length, or an empty chunked body and a delivery behind it. */
export const hiding =
  (lines: (length: number) => string) =>
  ({ signed, smuggled }: Kit): string => {
    const { signature } = signed()
    const hidden = `0\r\n\r\n${smuggled()}`
    return `${START}${HOST}${signature}${lines(hidden.length)}\r\n\r\n${hidden}`
  }

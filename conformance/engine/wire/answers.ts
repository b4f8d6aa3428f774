import { STATUS_CODES } from 'node:http'
import type { HeaderLine } from '../delivery.ts'
import type { Answer } from '../exchange.ts'

/** How much of a response body is kept, in bytes. */
export const KEPT_BYTES = 64 * 1024

const SWITCHING = 101

/** The bytes are not an HTTP/1 response. */
class GarbledError extends Error {
  readonly code = 'HPE_INVALID'
}

/** The first response in the bytes of a connection. */
export interface Cut {
  readonly answer: Omit<Answer, 'ms' | 'wallMs'>
  readonly rest: Buffer
  /** Whether the receiver closes the connection after this response. */
  readonly last: boolean
}

/**
 * Parses the first complete response in the bytes of a connection. node:http can do this only for requests that it sent
 * one at a time.
 *
 * @param ended whether the receiver has closed its side
 * @returns undefined when more bytes are needed
 * @throws GarbledError when the bytes are not a response
 */
export function cutAnswer(bytes: Buffer, ended: boolean): Cut | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) {
    if (ended && bytes.length > 0)
      throw new GarbledError('the connection ended inside the head of a response')
    return undefined
  }
  const [start = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const [, minor, code, text] = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: (.*)|$)/.exec(start) ?? []
  if (code === undefined) throw new GarbledError('no status line')
  const status = Number(code)
  const after = bytes.subarray(end + 4)
  // An interim response, such as 100 Continue, has no body and does not answer the request. After 101 follows no HTTP.
  if (status < 200 && status !== SWITCHING) return cutAnswer(after, ended)

  const headers = lines.map(headerOf)
  const value = (name: string) => headers.find(([own]) => own.toLowerCase() === name)?.[1].toLowerCase()
  const connection = value('connection') ?? ''
  const closes = connection.includes('close') || (minor === '0' && !connection.includes('keep-alive'))
  const body = bodyOf(after, ended, {
    status,
    length: value('content-length'),
    coding: value('transfer-encoding'),
  })
  if (body === undefined) return undefined
  const kept = { body: body.bytes.subarray(0, KEPT_BYTES), truncated: body.bytes.length > KEPT_BYTES }
  const last = closes || body.untilClosed || status === SWITCHING
  return { answer: { status, ...reasonOf(status, text), headers, ...kept }, rest: body.rest, last }
}

/** The text after a status, if it is not the usual one. */
export function reasonOf(status: number, text = ''): { reason?: string } {
  return text === '' || text === STATUS_CODES[status] ? {} : { reason: text }
}

interface Body {
  readonly bytes: Buffer
  readonly rest: Buffer
  /** Whether the body ends only when the connection is closed. */
  readonly untilClosed: boolean
}

function bodyOf(
  after: Buffer,
  ended: boolean,
  framing: { status: number; length: string | undefined; coding: string | undefined },
): Body | undefined {
  const { status, length, coding } = framing
  const none = Buffer.alloc(0)
  if (status === SWITCHING || status === 204 || status === 304)
    return { bytes: none, rest: after, untilClosed: false }
  if (coding?.includes('chunked') === true) return chunkedBody(after)
  if (length !== undefined) {
    const size = Number(length)
    if (!/^\d+$/.test(length)) throw new GarbledError('no number for a length')
    if (after.length < size) return undefined
    return { bytes: after.subarray(0, size), rest: after.subarray(size), untilClosed: false }
  }
  return ended ? { bytes: after, rest: none, untilClosed: true } : undefined
}

function chunkedBody(after: Buffer): Body | undefined {
  const chunks: Buffer[] = []
  let at = 0
  for (;;) {
    const lineEnd = after.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(after.subarray(at, lineEnd).toString('latin1'), 16)
    if (Number.isNaN(size)) throw new GarbledError('no chunk size')
    at = lineEnd + 2
    if (size === 0) {
      // Trailers, if any, end with an empty line.
      const end = after.indexOf('\r\n', at) === at ? at + 2 : after.indexOf('\r\n\r\n', at) + 4
      if (after.length < at + 2 || end < at + 2) return undefined
      return { bytes: Buffer.concat(chunks), rest: after.subarray(end), untilClosed: false }
    }
    if (after.length < at + size + 2) return undefined
    chunks.push(after.subarray(at, at + size))
    at += size + 2
  }
}

function headerOf(line: string): HeaderLine {
  const colon = line.indexOf(':')
  if (colon < 1) throw new GarbledError('no header line')
  return [line.slice(0, colon), line.slice(colon + 1).trim()]
}

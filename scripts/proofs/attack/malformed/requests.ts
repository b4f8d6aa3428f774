import { sign } from '../../../../fixtures/index.ts'
import { SECRET } from '../../shared/receiver.ts'
import type { SentEvent, Traffic } from '../../shared/traffic.ts'

/** A request that no correct sender writes. Its deliveries are validly signed, so that only the HTTP is wrong. */
interface MalformedRequest {
  /** The bytes, as latin1 text. */
  readonly write: (kit: Kit) => string
  /** The HTTP standards leave it to the receiver whether it accepts such a request. */
  readonly mayAccept?: true
  /** The sender closes its side after these bytes. */
  readonly ends?: true
}

/** A validly signed event, in the forms in which it can be written. All lines end with CRLF. */
interface SignedEvent {
  readonly body: string
  readonly length: number
  /** The line of the signature header. */
  readonly signature: string
  /** The body as one chunk, with the last chunk and the end of the trailers. */
  readonly chunked: string
}

interface Kit {
  /** The next event, which nothing else sends. */
  readonly signed: () => SignedEvent
  /** A complete valid delivery, to be hidden behind another request. */
  readonly smuggled: () => string
}

const START = 'POST /webhooks HTTP/1.1\r\n'
const HOST = 'Host: 127.0.0.1\r\n'
const CHUNKED = 'Transfer-Encoding: chunked\r\n'

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

const chunk = (data: string): string => `${data.length.toString(16)}\r\n${data}\r\n`

/** Anything made of one signed event, and of more if need be. */
const written =
  (write: (event: SignedEvent, kit: Kit) => string): MalformedRequest['write'] =>
  (kit) =>
    write(kit.signed(), kit)

/** Bytes without a signed event. */
const unsigned = (bytes: string) => (): string => bytes

/** A delivery with another start line. */
const withStart = (start: string) =>
  written(
    ({ body, length, signature }) =>
      `${start}\r\n${HOST}${signature}Content-Length: ${length}\r\n\r\n${body}`,
  )

/** A delivery with more bytes among its headers. */
const withHeader = (line: string) =>
  written(
    ({ body, length, signature }) =>
      `${START}${HOST}${line}\r\n${signature}Content-Length: ${length}\r\n\r\n${body}`,
  )

/** A delivery whose headers give its length in another way. */
const withLength = (lines: (length: number) => string) =>
  written(({ body, length, signature }) => `${START}${HOST}${signature}${lines(length)}\r\n\r\n${body}`)

/** A delivery in one chunk, with other lines instead of `Transfer-Encoding: chunked`. */
const withCoding = (lines: string) =>
  written(({ signature, chunked }) => `${START}${HOST}${signature}${lines}\r\n\r\n${chunked}`)

/** A chunked delivery with other bytes for its chunks. */
const withChunks = (write: (event: SignedEvent) => string) =>
  written((event) => `${START}${HOST}${event.signature}${CHUNKED}\r\n${write(event)}`)

/** A request with two readings: a body of some length, or an empty chunked body and a delivery behind it. */
const hiding = (lines: (length: number) => string) =>
  written(({ signature }, { smuggled }) => {
    const hidden = `0\r\n\r\n${smuggled()}`
    return `${START}${HOST}${signature}${lines(hidden.length)}\r\n\r\n${hidden}`
  })

type Requests = Readonly<Record<string, MalformedRequest>>
type Writer<T> = (argument: T) => MalformedRequest['write']

/** Requests that differ in one argument of what writes them. */
const all =
  (kind: Omit<MalformedRequest, 'write'>) =>
  <T>(writer: Writer<T>, requests: Readonly<Record<string, T>>): Requests =>
    Object.fromEntries(
      Object.entries(requests).map(([name, argument]) => [name, { write: writer(argument), ...kind }]),
    )

const refused = all({})
const allowed = all({ mayAccept: true })
const refusedWhenCut = all({ ends: true })

/** Requests whose headers disagree about where the body ends, or do not say it clearly. */
const LENGTHS: Requests = {
  ...refused(hiding, {
    'Content-Length and Transfer-Encoding': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding: chunked`,
    'Transfer-Encoding and Content-Length': (length) =>
      `Transfer-Encoding: chunked\r\nContent-Length: ${length}`,
    'Content-Length: 0 and Transfer-Encoding': () => 'Content-Length: 0\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding after a folded line': (length) =>
      `Content-Length: ${length}\r\nX-Folded: a\r\n b\r\nTransfer-Encoding: chunked`,
    'Transfer-Encoding with a folded value': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding:\r\n chunked`,
    'Transfer-Encoding with a space before the colon': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding : chunked`,
    'Transfer-Encoding with a tab before the colon': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding\t: chunked`,
    'Transfer-Encoding with a vertical tab': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding: \vchunked`,
    'Transfer-Encoding: x-chunked with Content-Length': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding: x-chunked`,
    'Transfer-Encoding: identity with Content-Length': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding: identity`,
    'Transfer-Encoding: chunked, identity': (length) =>
      `Content-Length: ${length}\r\nTransfer-Encoding: chunked, identity`,
    'Transfer-Encoding behind a bare LF': (length) =>
      `Content-Length: ${length}\r\nX-A: a\nTransfer-Encoding: chunked`,
    'Transfer-Encoding behind a bare CR': (length) =>
      `Content-Length: ${length}\r\nX-A: a\rTransfer-Encoding: chunked`,
    'Content-Length with an underscore': (length) =>
      `Content_Length: 5\r\nTransfer_Encoding: chunked\r\nContent-Length: ${length}`,
  }),
  ...refused(withCoding, {
    'Transfer-Encoding: x-chunked': 'Transfer-Encoding: x-chunked',
    'Transfer-Encoding: chunked, chunked': 'Transfer-Encoding: chunked, chunked',
    'Transfer-Encoding twice': 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: identity': 'Transfer-Encoding: identity',
    'Transfer-Encoding: "chunked"': 'Transfer-Encoding: "chunked"',
    'Transfer-Encoding: chunked with a parameter': 'Transfer-Encoding: chunked;q=1',
    'Transfer-Encoding, empty': 'Transfer-Encoding:',
    'Transfer-Encoding: chunked with a NUL': 'Transfer-Encoding: chunked\0',
  }),
  ...allowed(withCoding, {
    'Transfer-Encoding: identity, then chunked': 'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: gzip, chunked': 'Transfer-Encoding: gzip, chunked',
    'Transfer-Encoding: , chunked': 'Transfer-Encoding: , chunked',
  }),
  ...allowed(withLength, {
    'Content-Length twice, equal': (length) => `Content-Length: ${length}\r\nContent-Length: ${length}`,
    'Content-Length as a list': (length) => `Content-Length: ${length}, ${length}`,
  }),
  ...refused(withLength, {
    'Content-Length as a list of different values': (length) => `Content-Length: ${length}, ${length + 1}`,
    'Content-Length with a plus sign': (length) => `Content-Length: +${length}`,
    'Content-Length with a minus sign': (length) => `Content-Length: -${length}`,
    'Content-Length in hexadecimal': (length) => `Content-Length: 0x${length.toString(16)}`,
    'Content-Length with a fraction': (length) => `Content-Length: ${length}.0`,
    'Content-Length with an exponent': (length) => `Content-Length: ${length}e0`,
    'Content-Length with a space inside': (length) => `Content-Length: ${String(length).split('').join(' ')}`,
    'Content-Length with a letter behind it': (length) => `Content-Length: ${length}x`,
    'Content-Length, empty': () => 'Content-Length:',
    'Content-Length of 2^64 plus the length': (length) => `Content-Length: ${2n ** 64n + BigInt(length)}`,
    'Content-Length of 2^53': () => `Content-Length: ${2 ** 53}`,
    'Content-Length of 400 digits': () => `Content-Length: ${'9'.repeat(400)}`,
  }),
  ...allowed(written, {
    'Transfer-Encoding in HTTP/1.0': ({ signature, chunked }) =>
      `POST /webhooks HTTP/1.0\r\n${HOST}${signature}${CHUNKED}\r\n${chunked}`,
  }),
  ...refused(written, {
    'Content-Length twice, different': ({ body, length, signature }, { smuggled }) => {
      const hidden = smuggled()
      const lengths = `Content-Length: ${length}\r\nContent-Length: ${length + hidden.length}\r\n`
      return `${START}${HOST}${signature}${lengths}\r\n${body}${hidden}`
    },
    'no length and no coding': ({ body, signature }) => `${START}${HOST}${signature}\r\n${body}`,
  }),
}

const half = (body: string): readonly [string, string] => [
  body.slice(0, body.length / 2),
  body.slice(body.length / 2),
]

const hex = (data: string): string => data.length.toString(16)

/** Chunked bodies with wrong chunks. */
const CHUNKS: Requests = {
  ...refused(withChunks, {
    'a chunk size that is not hexadecimal': ({ body }) => `xyz\r\n${body}\r\n0\r\n\r\n`,
    'a negative chunk size': ({ body }) => `-${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size with a plus sign': ({ body }) => `+${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size with 0x': ({ body }) => `0x${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'an empty chunk size': ({ body }) => `\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size of 2^64 plus the length': ({ body }) =>
      `1${hex(body).padStart(16, '0')}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size of 2^63': ({ body }) => `8${'0'.repeat(15)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size with a space before it': ({ body }) => ` ${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk size with a space behind it': ({ body }) => `${hex(body)} \r\n${body}\r\n0\r\n\r\n`,
    'a chunk size with an underscore': ({ body }) => `0_${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk longer than its size': ({ body }) => `${(body.length - 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk without CRLF behind it': ({ body }) => `${hex(body)}\r\n${body}0\r\n\r\n`,
    'a chunk with LF behind it': ({ body }) => `${hex(body)}\r\n${body}\n0\r\n\r\n`,
    'a chunk with CR behind it': ({ body }) => `${hex(body)}\r\n${body}\r0\r\n\r\n`,
    'a chunk size that ends with LF': ({ body }) => `${hex(body)}\n${body}\r\n0\r\n\r\n`,
    'a chunk size that ends with CR': ({ body }) => `${hex(body)}\r${body}\r\n0\r\n\r\n`,
    'a last chunk that ends with LF': ({ body }) => `${chunk(body)}0\n\r\n`,
    'a chunk extension with LF': ({ body }) => `${hex(body)};a\nb\r\n${body}\r\n0\r\n\r\n`,
    'a chunk extension with a NUL': ({ body }) => `${hex(body)};a=\0\r\n${body}\r\n0\r\n\r\n`,
    'a chunk extension of 1 MiB': ({ body }) =>
      `${hex(body)};${'a'.repeat(1_048_576)}\r\n${body}\r\n0\r\n\r\n`,
    'a trailer of 1 MiB': ({ body }) => `${chunk(body)}0\r\nX-Trailer: ${'a'.repeat(1_048_576)}\r\n\r\n`,
    'a trailer without a colon': ({ body }) => `${chunk(body)}0\r\ntrailer\r\n\r\n`,
  }),
  ...allowed(withChunks, {
    'a chunk size with 10,000 zeros': ({ body }) =>
      `${'0'.repeat(10_000)}${hex(body)}\r\n${body}\r\n0\r\n\r\n`,
    'a chunk extension on every byte': ({ body }) =>
      `${body
        .split('')
        .map((byte) => `1;extension=value\r\n${byte}\r\n`)
        .join('')}0\r\n\r\n`,
    'a trailer with another signature': ({ body }) =>
      `${chunk(body)}0\r\nX-Service-Signature: t=1,v1=00\r\n\r\n`,
    'Content-Length in a trailer': ({ body }) => `${chunk(body)}0\r\nContent-Length: 3\r\n\r\n`,
  }),
  ...refusedWhenCut(withChunks, {
    'a body that ends in its first chunk': ({ body }) => `${hex(body)}\r\n${half(body)[0]}`,
    'a body that ends between chunks': ({ body }) => chunk(half(body)[0]),
    'a body without its last chunk': ({ body }) => chunk(body),
    'a body that ends in the last chunk': ({ body }) => `${chunk(body)}0\r\n`,
  }),
  ...refused(written, {
    'a delivery hidden in a chunk extension': ({ body, signature }, { smuggled }) =>
      `${START}${HOST}${signature}${CHUNKED}\r\n${hex(body)};\n${body}\r\n0\r\n\r\n${smuggled()}`,
    'the signature in a trailer': ({ body, signature }) =>
      `${START}${HOST}Trailer: X-Service-Signature\r\n${CHUNKED}\r\n${chunk(body)}0\r\n${signature}\r\n`,
  }),
}

const wholeHead = ({ signature, length }: SignedEvent): string =>
  `${START}${HOST}${signature}Content-Length: ${length}\r\n\r\n`

/** Requests whose start line or headers are wrong, or that end early. */
const HEADS: Requests = {
  ...refused(withStart, {
    'HTTP/0.9': 'POST /webhooks',
    'HTTP/2.0': 'POST /webhooks HTTP/2.0',
    'HTTP/9.9': 'POST /webhooks HTTP/9.9',
    'another protocol': 'POST /webhooks FTP/1.1',
    'a version in lower case': 'POST /webhooks http/1.1',
    'a version of 64 KiB': `POST /webhooks HTTP/1.${'1'.repeat(65_536)}`,
    'a method in lower case': 'post /webhooks HTTP/1.1',
    'an unknown method': 'POSTS /webhooks HTTP/1.1',
    'a method of 64 KiB': `${'P'.repeat(65_536)} /webhooks HTTP/1.1`,
    'no method': '/webhooks HTTP/1.1',
    CONNECT: 'CONNECT 127.0.0.1:80 HTTP/1.1',
    TRACE: 'TRACE /webhooks HTTP/1.1',
    'an asterisk as target': 'POST * HTTP/1.1',
    'an absolute target that is no URL': 'POST http://[::1 HTTP/1.1',
    'a target with a space': 'POST /web hooks HTTP/1.1',
    'a target with a NUL': 'POST /webhooks\0 HTTP/1.1',
    'a target outside ASCII': 'POST /webhooks\xff HTTP/1.1',
    'a target with a bad escape': 'POST /%zz%ff HTTP/1.1',
    'a target of 1 MiB': `POST /${'a'.repeat(1_048_576)} HTTP/1.1`,
    'an empty target': 'POST  HTTP/1.1',
    'a start line with tabs': 'POST\t/webhooks\tHTTP/1.1',
    'a start line with a bare CR': 'POST /webhooks\r HTTP/1.1',
    'a space before the first header': 'POST /webhooks HTTP/1.1\r\n X-A: 1',
  }),
  ...allowed(withStart, {
    'HTTP/1.2': 'POST /webhooks HTTP/1.2',
    // Node.js reads it as HTTP/1.0 and does not say so.
    'RTSP/1.0': 'POST /webhooks RTSP/1.0',
    'an absolute target': 'POST http://example.com/webhooks HTTP/1.1',
  }),
  ...refused(withHeader, {
    'Host twice': 'Host: example.com',
    'a folded header': 'X-Folded: a\r\n b',
    'a header that ends with LF': 'X-A: 1\nX-B: 2',
    'a header with a bare CR': 'X-A: 1\rX-B: 2',
    'a header with a NUL': 'X-A: 1\0',
    'a header with a control character': 'X-A: \x01\x7f',
    'a header name outside ASCII': 'X-\xff: 1',
    'a header name with a space before the colon': 'X-A : 1',
    'a header name with a space inside': 'X A: 1',
    'a header name with a parenthesis': 'X(A): 1',
    'an empty header name': ': 1',
    'a header without a colon': 'X-A',
    'a header of 1 MiB': `X-A: ${'a'.repeat(1_048_576)}`,
    'a header name of 1 MiB': `${'a'.repeat(1_048_576)}: 1`,
    'the signature twice, valid and forged': 'X-Service-Signature: t=1,v1=00',
    'an unknown expectation': 'Expect: 200-ok',
  }),
  ...allowed(withHeader, {
    'a header outside ASCII': 'X-A: \xff\xfe',
    'Expect: 100-continue': 'Expect: 100-continue',
    'Upgrade: websocket': 'Connection: Upgrade\r\nUpgrade: websocket',
    'Upgrade: h2c': 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAAAAAA',
    'Connection: Content-Length': 'Connection: Content-Length',
  }),
  ...refused(written, {
    'a start line that ends with LF': ({ signature, length, body }) =>
      `POST /webhooks HTTP/1.1\n${HOST}${signature}Content-Length: ${length}\r\n\r\n${body}`,
    'no Host': ({ signature, length, body }) =>
      `${START}${signature}Content-Length: ${length}\r\n\r\n${body}`,
    'a folded signature': ({ signature, length, body }) =>
      `${START}${HOST}${signature.replace(': ', ':\r\n ')}Content-Length: ${length}\r\n\r\n${body}`,
    'the signature twice, valid': ({ signature, length, body }) =>
      `${START}${HOST}${signature}${signature}Content-Length: ${length}\r\n\r\n${body}`,
    'headers that end with LF alone': ({ signature, length, body }) =>
      `${START}${HOST}${signature}Content-Length: ${length}\n\n${body}`,
  }),
  ...refused(unsigned, {
    'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0',
    'a TLS handshake': '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03',
    'only NUL bytes': '\0'.repeat(1000),
  }),
  ...refusedWhenCut(unsigned, { 'only CRLF': '\r\n'.repeat(1000) }),
  ...allowed(written, {
    'Host with a path': ({ signature, length, body }) =>
      `${START}Host: a/../b@c:99999\r\n${signature}Content-Length: ${length}\r\n\r\n${body}`,
    'bytes behind the body': (event) => `${wholeHead(event)}${event.body}\0\0\0`,
  }),
  ...refusedWhenCut(written, {
    'the end in the method': () => 'PO',
    'the end in the target': () => 'POST /web',
    'the end in the version': () => 'POST /webhooks HTT',
    'the end behind the start line': () => START,
    'the end in a header name': () => `${START}${HOST}X-Ser`,
    'the end in a header': ({ signature }) => `${START}${HOST}${signature.slice(0, 40)}`,
    'the end behind the headers': wholeHead,
    'the end in the body': (event) => wholeHead(event) + event.body.slice(0, -1),
  }),
}

export const REQUESTS: Requests = { ...LENGTHS, ...CHUNKS, ...HEADS }

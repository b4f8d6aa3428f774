import {
  HOST,
  type MalformedRequest,
  type SignedEvent,
  START,
  withHeader,
  withLength,
  withStart,
} from './request.ts'

const wholeHead = ({ signature, length }: SignedEvent): string =>
  `${START}${HOST}${signature}Content-Length: ${length}\r\n\r\n`

/** Sends a delivery up to some point and closes the connection there. */
const cut = (write: (event: SignedEvent) => string): MalformedRequest => ({
  write: ({ signed }) => write(signed()),
  ends: true,
})

/** Requests whose start line or headers are wrong, or that end early. */
export const HEADS: Readonly<Record<string, MalformedRequest>> = {
  'HTTP/0.9': { write: withStart('POST /webhooks') },
  'HTTP/1.2': { write: withStart('POST /webhooks HTTP/1.2'), mayAccept: true },
  'HTTP/2.0': { write: withStart('POST /webhooks HTTP/2.0') },
  'HTTP/9.9': { write: withStart('POST /webhooks HTTP/9.9') },
  'the preface of HTTP/2': { write: () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0' },
  'a TLS handshake': { write: () => '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03' },
  'another protocol': { write: withStart('POST /webhooks FTP/1.1') },
  // Node.js reads it as HTTP/1.0 and does not say so.
  'RTSP/1.0': { write: withStart('POST /webhooks RTSP/1.0'), mayAccept: true },
  'a version in lower case': { write: withStart('POST /webhooks http/1.1') },
  'a version of 64 KiB': { write: withStart(`POST /webhooks HTTP/1.${'1'.repeat(65_536)}`) },
  'a method in lower case': { write: withStart('post /webhooks HTTP/1.1') },
  'an unknown method': { write: withStart('POSTS /webhooks HTTP/1.1') },
  'a method of 64 KiB': { write: withStart(`${'P'.repeat(65_536)} /webhooks HTTP/1.1`) },
  'no method': { write: withStart('/webhooks HTTP/1.1') },
  CONNECT: { write: withStart('CONNECT 127.0.0.1:80 HTTP/1.1') },
  TRACE: { write: withStart('TRACE /webhooks HTTP/1.1') },
  'an asterisk as target': { write: withStart('POST * HTTP/1.1') },
  'an absolute target': {
    write: withStart('POST http://example.com/webhooks HTTP/1.1'),
    mayAccept: true,
  },
  'an absolute target that is no URL': { write: withStart('POST http://[::1 HTTP/1.1') },
  'a target with a space': { write: withStart('POST /web hooks HTTP/1.1') },
  'a target with a NUL': { write: withStart('POST /webhooks\0 HTTP/1.1') },
  'a target outside ASCII': { write: withStart('POST /webhooks\xff HTTP/1.1') },
  'a target with a bad escape': { write: withStart('POST /%zz%ff HTTP/1.1') },
  'a target of 1 MiB': { write: withStart(`POST /${'a'.repeat(1_048_576)} HTTP/1.1`) },
  'an empty target': { write: withStart('POST  HTTP/1.1') },
  'a start line with tabs': { write: withStart('POST\t/webhooks\tHTTP/1.1') },
  'a start line with a bare CR': { write: withStart('POST /webhooks\r HTTP/1.1') },
  'a start line that ends with LF': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `POST /webhooks HTTP/1.1\n${HOST}${signature}Content-Length: ${length}\r\n\r\n${body}`
    },
  },
  'a space before the first header': { write: withStart('POST /webhooks HTTP/1.1\r\n X-A: 1') },

  'no Host': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `${START}${signature}Content-Length: ${length}\r\n\r\n${body}`
    },
  },
  'Host twice': { write: withHeader('Host: example.com') },
  'Host with a path': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `${START}Host: a/../b@c:99999\r\n${signature}Content-Length: ${length}\r\n\r\n${body}`
    },
    mayAccept: true,
  },
  'a folded header': { write: withHeader('X-Folded: a\r\n b') },
  'a folded signature': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `${START}${HOST}${signature.replace(': ', ':\r\n ')}Content-Length: ${length}\r\n\r\n${body}`
    },
  },
  'a header that ends with LF': { write: withHeader('X-A: 1\nX-B: 2') },
  'a header with a bare CR': { write: withHeader('X-A: 1\rX-B: 2') },
  'a header with a NUL': { write: withHeader('X-A: 1\0') },
  'a header with a control character': { write: withHeader('X-A: \x01\x7f') },
  'a header outside ASCII': { write: withHeader('X-A: \xff\xfe'), mayAccept: true },
  'a header name outside ASCII': { write: withHeader('X-\xff: 1') },
  'a header name with a space before the colon': { write: withHeader('X-A : 1') },
  'a header name with a space inside': { write: withHeader('X A: 1') },
  'a header name with a parenthesis': { write: withHeader('X(A): 1') },
  'an empty header name': { write: withHeader(': 1') },
  'a header without a colon': { write: withHeader('X-A') },
  'a header of 1 MiB': { write: withHeader(`X-A: ${'a'.repeat(1_048_576)}`) },
  'a header name of 1 MiB': { write: withHeader(`${'a'.repeat(1_048_576)}: 1`) },
  'the signature twice, valid and forged': { write: withHeader('X-Service-Signature: t=1,v1=00') },
  'the signature twice, valid': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `${START}${HOST}${signature}${signature}Content-Length: ${length}\r\n\r\n${body}`
    },
  },
  'Expect: 100-continue': { write: withHeader('Expect: 100-continue'), mayAccept: true },
  'an unknown expectation': { write: withHeader('Expect: 200-ok') },
  'Upgrade: websocket': {
    write: withHeader('Connection: Upgrade\r\nUpgrade: websocket'),
    mayAccept: true,
  },
  'Upgrade: h2c': {
    write: withHeader('Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAAAAAA'),
    mayAccept: true,
  },
  'Connection: Content-Length': { write: withHeader('Connection: Content-Length'), mayAccept: true },
  'headers that end with LF alone': {
    write: ({ signed }) => {
      const { signature, length, body } = signed()
      return `${START}${HOST}${signature}Content-Length: ${length}\n\n${body}`
    },
  },
  'bytes behind the body': {
    write: (kit) => `${withLength((length) => `Content-Length: ${length}`)(kit)}\0\0\0`,
    mayAccept: true,
  },

  'only CRLF': { write: () => '\r\n'.repeat(1000), ends: true },
  'only NUL bytes': { write: () => '\0'.repeat(1000) },
  'the end in the method': cut(() => 'PO'),
  'the end in the target': cut(() => 'POST /web'),
  'the end in the version': cut(() => 'POST /webhooks HTT'),
  'the end behind the start line': cut(() => START),
  'the end in a header name': cut(() => `${START}${HOST}X-Ser`),
  'the end in a header': cut(({ signature }) => `${START}${HOST}${signature.slice(0, 40)}`),
  'the end behind the headers': cut(wholeHead),
  'the end in the body': cut((event) => wholeHead(event) + event.body.slice(0, -1)),
}

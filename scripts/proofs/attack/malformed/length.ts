import { CHUNKED, HOST, hiding, type MalformedRequest, START, withCoding, withLength } from './request.ts'

/** Requests whose headers disagree about where the body ends, or do not say it clearly. */
export const LENGTHS: Readonly<Record<string, MalformedRequest>> = {
  'Content-Length and Transfer-Encoding': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding: chunked`),
  },
  'Transfer-Encoding and Content-Length': {
    write: hiding((length) => `Transfer-Encoding: chunked\r\nContent-Length: ${length}`),
  },
  'Content-Length: 0 and Transfer-Encoding': {
    write: hiding(() => 'Content-Length: 0\r\nTransfer-Encoding: chunked'),
  },
  'Transfer-Encoding after a folded line': {
    write: hiding((length) => `Content-Length: ${length}\r\nX-Folded: a\r\n b\r\nTransfer-Encoding: chunked`),
  },
  'Transfer-Encoding with a folded value': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding:\r\n chunked`),
  },
  'Transfer-Encoding with a space before the colon': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding : chunked`),
  },
  'Transfer-Encoding with a tab before the colon': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding\t: chunked`),
  },
  'Transfer-Encoding with a vertical tab': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding: \vchunked`),
  },
  'Transfer-Encoding: x-chunked with Content-Length': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding: x-chunked`),
  },
  'Transfer-Encoding: identity with Content-Length': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding: identity`),
  },
  'Transfer-Encoding: chunked, identity': {
    write: hiding((length) => `Content-Length: ${length}\r\nTransfer-Encoding: chunked, identity`),
  },
  'Transfer-Encoding behind a bare LF': {
    write: hiding((length) => `Content-Length: ${length}\r\nX-A: a\nTransfer-Encoding: chunked`),
  },
  'Transfer-Encoding behind a bare CR': {
    write: hiding((length) => `Content-Length: ${length}\r\nX-A: a\rTransfer-Encoding: chunked`),
  },
  'Content-Length with an underscore': {
    write: hiding((length) => `Content_Length: 5\r\nTransfer_Encoding: chunked\r\nContent-Length: ${length}`),
  },

  'Transfer-Encoding: x-chunked': { write: withCoding('Transfer-Encoding: x-chunked') },
  'Transfer-Encoding: chunked, chunked': { write: withCoding('Transfer-Encoding: chunked, chunked') },
  'Transfer-Encoding twice': {
    write: withCoding('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked'),
  },
  'Transfer-Encoding: identity': { write: withCoding('Transfer-Encoding: identity') },
  'Transfer-Encoding: identity, then chunked': {
    write: withCoding('Transfer-Encoding: identity\r\nTransfer-Encoding: chunked'),
    mayAccept: true,
  },
  'Transfer-Encoding: gzip, chunked': {
    write: withCoding('Transfer-Encoding: gzip, chunked'),
    mayAccept: true,
  },
  'Transfer-Encoding: , chunked': { write: withCoding('Transfer-Encoding: , chunked'), mayAccept: true },
  'Transfer-Encoding: "chunked"': { write: withCoding('Transfer-Encoding: "chunked"') },
  'Transfer-Encoding: chunked with a parameter': { write: withCoding('Transfer-Encoding: chunked;q=1') },
  'Transfer-Encoding, empty': { write: withCoding('Transfer-Encoding:') },
  'Transfer-Encoding: chunked with a NUL': { write: withCoding('Transfer-Encoding: chunked\0') },
  'Transfer-Encoding in HTTP/1.0': {
    write({ signed }) {
      const { signature, chunked } = signed()
      return `POST /webhooks HTTP/1.0\r\n${HOST}${signature}${CHUNKED}\r\n${chunked}`
    },
    mayAccept: true,
  },

  'Content-Length twice, different': {
    write({ signed, smuggled }) {
      const { body, length, signature } = signed()
      const hidden = smuggled()
      const lengths = `Content-Length: ${length}\r\nContent-Length: ${length + hidden.length}\r\n`
      return `${START}${HOST}${signature}${lengths}\r\n${body}${hidden}`
    },
  },
  'Content-Length twice, equal': {
    write: withLength((length) => `Content-Length: ${length}\r\nContent-Length: ${length}`),
    mayAccept: true,
  },
  'Content-Length as a list': {
    write: withLength((length) => `Content-Length: ${length}, ${length}`),
    mayAccept: true,
  },
  'Content-Length as a list of different values': {
    write: withLength((length) => `Content-Length: ${length}, ${length + 1}`),
  },
  'Content-Length with a plus sign': { write: withLength((length) => `Content-Length: +${length}`) },
  'Content-Length with a minus sign': { write: withLength((length) => `Content-Length: -${length}`) },
  'Content-Length in hexadecimal': {
    write: withLength((length) => `Content-Length: 0x${length.toString(16)}`),
  },
  'Content-Length with a fraction': { write: withLength((length) => `Content-Length: ${length}.0`) },
  'Content-Length with an exponent': { write: withLength((length) => `Content-Length: ${length}e0`) },
  'Content-Length with a space inside': {
    write: withLength((length) => `Content-Length: ${String(length).split('').join(' ')}`),
  },
  'Content-Length with a letter behind it': { write: withLength((length) => `Content-Length: ${length}x`) },
  'Content-Length, empty': { write: withLength(() => 'Content-Length:') },
  'Content-Length of 2^64 plus the length': {
    write: withLength((length) => `Content-Length: ${2n ** 64n + BigInt(length)}`),
  },
  'Content-Length of 2^53': { write: withLength(() => `Content-Length: ${2 ** 53}`) },
  'Content-Length of 400 digits': { write: withLength(() => `Content-Length: ${'9'.repeat(400)}`) },
  'no length and no coding': {
    write({ signed }) {
      const { body, signature } = signed()
      return `${START}${HOST}${signature}\r\n${body}`
    },
  },
}

import { chunk, type MalformedRequest, withChunks } from './request.ts'

const half = (body: string): readonly [string, string] => [
  body.slice(0, body.length / 2),
  body.slice(body.length / 2),
]
const hex = (data: string): string => data.length.toString(16)

/** Chunked bodies with wrong chunks. */
export const CHUNKS: Readonly<Record<string, MalformedRequest>> = {
  'a chunk size that is not hexadecimal': { write: withChunks(({ body }) => `xyz\r\n${body}\r\n0\r\n\r\n`) },
  'a negative chunk size': { write: withChunks(({ body }) => `-${hex(body)}\r\n${body}\r\n0\r\n\r\n`) },
  'a chunk size with a plus sign': {
    write: withChunks(({ body }) => `+${hex(body)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size with 0x': { write: withChunks(({ body }) => `0x${hex(body)}\r\n${body}\r\n0\r\n\r\n`) },
  'an empty chunk size': { write: withChunks(({ body }) => `\r\n${body}\r\n0\r\n\r\n`) },
  'a chunk size of 2^64 plus the length': {
    write: withChunks(({ body }) => `1${hex(body).padStart(16, '0')}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size of 2^63': { write: withChunks(({ body }) => `8${'0'.repeat(15)}\r\n${body}\r\n0\r\n\r\n`) },
  'a chunk size with a space before it': {
    write: withChunks(({ body }) => ` ${hex(body)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size with a space behind it': {
    write: withChunks(({ body }) => `${hex(body)} \r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size with an underscore': {
    write: withChunks(({ body }) => `0_${hex(body)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size with 10,000 zeros': {
    write: withChunks(({ body }) => `${'0'.repeat(10_000)}${hex(body)}\r\n${body}\r\n0\r\n\r\n`),
    mayAccept: true,
  },
  'a chunk longer than its size': {
    write: withChunks(({ body }) => `${(body.length - 1).toString(16)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk without CRLF behind it': { write: withChunks(({ body }) => `${hex(body)}\r\n${body}0\r\n\r\n`) },
  'a chunk with LF behind it': { write: withChunks(({ body }) => `${hex(body)}\r\n${body}\n0\r\n\r\n`) },
  'a chunk with CR behind it': { write: withChunks(({ body }) => `${hex(body)}\r\n${body}\r0\r\n\r\n`) },
  'a chunk size that ends with LF': {
    write: withChunks(({ body }) => `${hex(body)}\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk size that ends with CR': {
    write: withChunks(({ body }) => `${hex(body)}\r${body}\r\n0\r\n\r\n`),
  },
  'a last chunk that ends with LF': { write: withChunks(({ body }) => `${chunk(body)}0\n\r\n`) },
  'a chunk extension with LF': {
    write: withChunks(({ body }) => `${hex(body)};a\nb\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk extension with a NUL': {
    write: withChunks(({ body }) => `${hex(body)};a=\0\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk extension of 1 MiB': {
    write: withChunks(({ body }) => `${hex(body)};${'a'.repeat(1_048_576)}\r\n${body}\r\n0\r\n\r\n`),
  },
  'a chunk extension on every byte': {
    write: withChunks(
      ({ body }) =>
        `${body
          .split('')
          .map((byte) => `1;extension=value\r\n${byte}\r\n`)
          .join('')}0\r\n\r\n`,
    ),
    mayAccept: true,
  },
  'a delivery hidden in a chunk extension': {
    write: (kit) => {
      const hidden = kit.smuggled()
      return withChunks(({ body }) => `${hex(body)};\n${body}\r\n0\r\n\r\n${hidden}`)(kit)
    },
  },
  'a trailer with another signature': {
    write: withChunks(({ body }) => `${chunk(body)}0\r\nX-Service-Signature: t=1,v1=00\r\n\r\n`),
    mayAccept: true,
  },
  'the signature in a trailer': {
    write({ signed }) {
      const { body, signature } = signed()
      return `POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nTrailer: X-Service-Signature\r\nTransfer-Encoding: chunked\r\n\r\n${chunk(body)}0\r\n${signature}\r\n`
    },
  },
  'Content-Length in a trailer': {
    write: withChunks(({ body }) => `${chunk(body)}0\r\nContent-Length: 3\r\n\r\n`),
    mayAccept: true,
  },
  'a trailer of 1 MiB': {
    write: withChunks(({ body }) => `${chunk(body)}0\r\nX-Trailer: ${'a'.repeat(1_048_576)}\r\n\r\n`),
  },
  'a trailer without a colon': { write: withChunks(({ body }) => `${chunk(body)}0\r\ntrailer\r\n\r\n`) },
  'a body that ends in its first chunk': {
    write: withChunks(({ body }) => `${hex(body)}\r\n${half(body)[0]}`),
    ends: true,
  },
  'a body that ends between chunks': {
    write: withChunks(({ body }) => chunk(half(body)[0])),
    ends: true,
  },
  'a body without its last chunk': { write: withChunks(({ body }) => chunk(body)), ends: true },
  'a body that ends in the last chunk': {
    write: withChunks(({ body }) => `${chunk(body)}0\r\n`),
    ends: true,
  },
}

import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const HEAD = 'HTTP/1.1 200 OK\r\n'
const CHUNKED = `${HEAD}Transfer-Encoding: chunked\r\n\r\n`
const MEGABYTE = 1024 * 1024

/** How a hostile receiver answers one request on a connection: bytes, or whatever it likes. */
export type Hostile = string | Buffer | ((socket: Socket) => void | Promise<void>)

/** Writes a piece again and again, as fast as the other side reads, until the connection ends. */
const endlessly =
  (start: string, piece: string | Buffer, gapMs = 0): Hostile =>
  async (socket) => {
    let wake = (): void => undefined
    socket.on('drain', () => wake()).on('close', () => wake())
    socket.write(start)
    while (!socket.destroyed) {
      const hasRoom = socket.write(piece)
      if (gapMs > 0) await pause(gapMs)
      else if (!hasRoom) await new Promise<void>((resolve) => (wake = resolve))
      else await pause(0)
    }
  }

/** Answers of a receiver that means harm to anyone who reads them, or that is broken beyond use. */
export const HOSTILE: Readonly<Record<string, Hostile>> = {
  // Chunk sizes.
  'a negative chunk size': `${CHUNKED}-6\r\nabcdef\r\n0\r\n\r\n`,
  'a chunk size of -1': `${CHUNKED}-1\r\n\r\n`,
  'a chunk size of +5': `${CHUNKED}+5\r\nabcde\r\n0\r\n\r\n`,
  'a chunk size of 2^31': `${CHUNKED}80000000\r\nabc`,
  'a chunk size of 2^53': `${CHUNKED}20000000000000\r\nabc`,
  'a chunk size of 2^64': `${CHUNKED}10000000000000000\r\nabc`,
  'a chunk size of a thousand digits': `${CHUNKED}${'f'.repeat(1_000)}\r\nabc`,
  'a chunk size without digits': `${CHUNKED}\r\nabc\r\n0\r\n\r\n`,
  'a chunk size in words': `${CHUNKED}five\r\nabcde\r\n0\r\n\r\n`,
  'a chunk size with 0x': `${CHUNKED}0x5\r\nabcde\r\n0\r\n\r\n`,
  'a chunk size with a fraction': `${CHUNKED}1.5\r\na\r\n0\r\n\r\n`,
  'a chunk that is longer than its size': `${CHUNKED}2\r\nabcdefgh\r\n0\r\n\r\n`,
  'a chunk extension of a megabyte': `${CHUNKED}1;${'x'.repeat(MEGABYTE)}\r\na\r\n0\r\n\r\n`,
  'a trailer of a megabyte': `${CHUNKED}0\r\nA: ${'x'.repeat(MEGABYTE)}\r\n\r\n`,
  'endless trailers': endlessly(`${CHUNKED}0\r\n`, 'A: b\r\n'),
  'endless chunks of one byte': endlessly(CHUNKED, '1\r\na\r\n'),
  'endless chunk extensions': endlessly(CHUNKED, '1;a=b\r\na\r\n'),
  // Interim responses.
  'endless 100 Continue': endlessly('', 'HTTP/1.1 100 Continue\r\n\r\n'),
  'endless 103 Early Hints': endlessly('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
  'endless 102, slowly': endlessly('', 'HTTP/1.1 102 Processing\r\n\r\n', 5),
  'a thousand interim responses, then 200': `${'HTTP/1.1 100 Continue\r\n\r\n'.repeat(1_000)}${OK}`,
  'an interim response with a body': `HTTP/1.1 100 Continue\r\nContent-Length: 5\r\n\r\nabcde${OK}`,
  '101 to something that nobody asked for':
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nabc',
  'a status of 199': 'HTTP/1.1 199 What\r\n\r\n',
  // Headers.
  'a header name of 6.5 MB': `${HEAD}${'a'.repeat(6.5 * MEGABYTE)}: b\r\n\r\n`,
  'a header value of 8 MB': `${HEAD}A: ${'b'.repeat(8 * MEGABYTE)}\r\n\r\n`,
  '200,000 headers': `${HEAD}${'A: b\r\n'.repeat(200_000)}\r\n`,
  'endless headers': endlessly(HEAD, 'A: b\r\n'),
  'an endless header name': endlessly(HEAD, 'a'.repeat(1_000)),
  'an endless header value': endlessly(`${HEAD}A: `, 'b'.repeat(1_000)),
  'a header line without a colon': `${HEAD}no colon\r\n\r\n`,
  'a header name with spaces': `${HEAD}A b: c\r\n\r\n`,
  'a header with control characters': `${HEAD}A: \u0001\u001b[31m\r\nContent-Length: 0\r\n\r\n`,
  'a folded header': `${HEAD}A: b\r\n c\r\nContent-Length: 0\r\n\r\n`,
  'two lengths': `${HEAD}Content-Length: 2\r\nContent-Length: 5\r\n\r\nok`,
  'a length and chunks': `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a negative length': `${HEAD}Content-Length: -1\r\n\r\n`,
  'a length of 2^53': `${HEAD}Content-Length: 9007199254740993\r\n\r\nabc`,
  'a length of 2^64': `${HEAD}Content-Length: 18446744073709551616\r\n\r\nabc`,
  'a length in words': `${HEAD}Content-Length: two\r\n\r\nok`,
  'an unknown transfer coding': `${HEAD}Transfer-Encoding: chunked, gzip\r\n\r\nabc`,
  // Status lines.
  'no HTTP': '220 mail.example ESMTP\r\n\r\n',
  SSH: 'SSH-2.0-OpenSSH\r\n',
  'HTTP/2': 'HTTP/2 200\r\n\r\n',
  'HTTP/9.9': 'HTTP/9.9 200 OK\r\n\r\n',
  'a status of two digits': 'HTTP/1.1 20 OK\r\n\r\n',
  'a status of four digits': 'HTTP/1.1 2000 OK\r\n\r\n',
  'a status of 999': 'HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n',
  'a status of 000': 'HTTP/1.1 000 None\r\nContent-Length: 0\r\n\r\n',
  'a status text of a megabyte': `HTTP/1.1 200 ${'O'.repeat(MEGABYTE)}\r\nContent-Length: 0\r\n\r\n`,
  'an endless status text': endlessly('HTTP/1.1 200 ', 'O'.repeat(1_000)),
  'a status line without an end': 'HTTP/1.1 200 OK',
  'endless line breaks': endlessly('', '\r\n'),
  'endless zero bytes': endlessly('', Buffer.alloc(64 * 1024)),
  // Trickles and floods.
  'a head, byte by byte': endlessly('HTTP/1.1 200 OK\r\nA: ', 'b', 5),
  'a body, byte by byte': endlessly(`${HEAD}Content-Length: 1000000\r\n\r\n`, 'b', 5),
  'chunks, byte by byte': endlessly(CHUNKED, '1\r\na\r\n', 5),
  'a body that floods': endlessly(`${HEAD}Content-Length: 99999999999\r\n\r\n`, Buffer.alloc(64 * 1024, 'x')),
  'chunks that flood': endlessly(CHUNKED, `10000\r\n${'x'.repeat(0x10000)}\r\n`),
  'a body without a length that floods': endlessly(`${HEAD}\r\n`, Buffer.alloc(64 * 1024, 'x')),
  nothing: () => undefined,
  'a reset': (socket) => void socket.resetAndDestroy(),
  'an end without a word': (socket) => void socket.end(),
  'a thousand answers to one request': OK.repeat(1_000),
  'endless answers to one request': endlessly('', OK),
}

/** Answers so on a connection. */
export async function answerSo(hostile: Hostile, socket: Socket): Promise<void> {
  if (typeof hostile === 'function') await hostile(socket)
  else socket.write(hostile, 'latin1')
}

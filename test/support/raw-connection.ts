import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { until } from './until.ts'

/** A connection on which a test writes every byte itself. */
export interface RawConnection {
  readonly socket: Socket
  /** Everything received so far, as text. */
  readonly received: () => string
  readonly closed: () => boolean
}

/** Connects to the port of a URL on this machine, and records what it receives. */
export async function openConnection(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let received = ''
  let closed = false
  socket.on('data', (chunk) => {
    received += String(chunk)
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      closed = true
    })
  await once(socket, 'connect')
  return { socket, received: () => received, closed: () => closed }
}

/**
 * Waits until a server has read what other connections of this process have written to it: it reads in the order in which
 * bytes arrive, and answers a request that is written last.
 */
export async function untilRead(url: string): Promise<void> {
  const { socket, received, closed } = await openConnection(url)
  socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n')
  await until(() => received().includes('\r\n') || closed())
  socket.destroy()
  await until(closed)
}

/** The head of a delivery with these header lines. */
export const requestHead = (...lines: string[]): string =>
  `POST /webhooks HTTP/1.1\r\nHost: test\r\n${lines.join('\r\n')}\r\n\r\n`

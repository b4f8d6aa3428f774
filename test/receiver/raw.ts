import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A connection on which a test writes every byte itself. */
export interface RawConnection {
  readonly socket: Socket
  /** All that came back so far. */
  readonly said: () => string
  readonly ended: () => boolean
}

/** Connects to a receiver, and notes what it says. */
export async function dial(url: string): Promise<RawConnection> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  let said = ''
  let ended = false
  socket.on('data', (chunk) => {
    said += String(chunk)
  })
  socket
    .on('error', () => {})
    .on('close', () => {
      ended = true
    })
  await once(socket, 'connect')
  return { socket, said: () => said, ended: () => ended }
}

/** The head of a delivery with these lines. */
export const head = (...lines: string[]): string =>
  `POST /webhooks HTTP/1.1\r\nHost: test\r\n${lines.join('\r\n')}\r\n\r\n`

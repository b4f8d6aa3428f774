import type { Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Delivery, Transport } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Target } from '../../../../conformance/contracts/webhook/target.ts'
import { createTarget } from '../../../../conformance/contracts/webhook/target.ts'
import { createSender, type Sender } from '../../../../conformance/engine/wire/sender.ts'
import { delivered } from '../../report/evidence.ts'
import { type Served, serveRaw } from '../../servers.ts'
import { SECRET } from '../../support.ts'

/** One connection and the bytes received on it. */
export interface Connection {
  /** One entry for each chunk received. */
  readonly pieces: Buffer[]
  readonly socket: Socket
  /** True when the sender closed it. */
  closed: boolean
}

export const OK = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'

/** All bytes of a connection. */
export const bytesOf = ({ pieces }: Connection): Buffer => Buffer.concat(pieces)

/** The lines of the first request's head, without the empty last line. */
export function headOf(connection: Connection): string[] {
  const bytes = bytesOf(connection)
  return bytes.subarray(0, bytes.indexOf('\r\n\r\n')).toString('latin1').split('\r\n')
}

/** The bytes after the first request's head. */
export function bodyOf(connection: Connection): Buffer {
  const bytes = bytesOf(connection)
  const at = bytes.indexOf('\r\n\r\n')
  return at === -1 ? Buffer.alloc(0) : bytes.subarray(at + 4)
}

/** The number of complete requests received, by the framing in their heads. */
function requestsIn(connection: Connection): number {
  let rest = bytesOf(connection)
  for (let count = 0; ; count += 1) {
    const at = rest.indexOf('\r\n\r\n')
    if (at === -1) return count
    const head = rest.subarray(0, at).toString('latin1')
    const length = /^content-length: (\d+)$/im.exec(head)?.[1]
    const end = length === undefined ? rest.indexOf('0\r\n\r\n', at) + 5 : at + 4 + Number(length)
    if (end < at + 4 || rest.length < end) return count
    rest = rest.subarray(end)
  }
}

/**
 * A server that records bytes and answers each complete request with `answer`, unless `handle` is given: it is called for
 * each chunk, and returns true when it has handled it.
 */
export async function recorder(
  answer: string | Buffer = OK,
  handle: (connection: Connection, place: number) => boolean = () => false,
): Promise<Served & { connections: Connection[] }> {
  const connections: Connection[] = []
  const served = await serveRaw((socket) => {
    const connection: Connection = { pieces: [], socket, closed: false }
    const place = connections.push(connection) - 1
    let answered = 0
    socket.on('data', (piece) => {
      connection.pieces.push(Buffer.from(piece))
      if (handle(connection, place)) return
      for (const complete = requestsIn(connection); answered < complete; answered += 1) socket.write(answer)
    })
    socket.on('close', () => {
      connection.closed = true
    })
  })
  return { ...served, connections }
}

/** A target whose URL has a path and a query. */
export const targetOf = (url: string, about: Partial<Target> = {}): Target =>
  createTarget({
    url: new URL(`${url}/hooks?shop=1`),
    secret: SECRET,
    signatureHeader: 'X-Service-Signature',
    headers: [],
    timeoutMs: 5_000,
    ...about,
  })
/** A sender that is closed when the running test is over. */
export const senderTo = (url: string, about: Partial<Target> = {}): Sender => {
  const sender = createSender(targetOf(url, about))
  onTestFinished(() => sender.close())
  return sender
}
/** A delivery with characters of two, three and four bytes. */
export const noted = delivered({ body: Buffer.from('{"note":"Zoë paid 5 € 🎁"}') })
export const sentAs = (transport: Transport): Delivery => ({ ...noted, transport })
export const first = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}

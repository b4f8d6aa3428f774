import { connect } from 'node:net'
import { openConnection as openLoadConnection } from '../../../load/connection.ts'

/** The response to one request, or the reason why there is none. */
export type RawResponse =
  | { readonly status: number; readonly head: string; readonly body: string }
  | { readonly status: undefined; readonly error: string }

/** A kept-alive connection that carries one request at a time and reconnects after it was closed. */
export type RawConnection = ReturnType<typeof openConnection>

const MOST_BODY_BYTES = 16 * 1024 * 1024

/**
 * @param port read at each connect, since a restarted receiver may have another port
 * @param timeoutMs how long a response may take, in milliseconds
 */
export function openConnection(port: () => number, timeoutMs = 10_000) {
  let resolveResponse: (response: RawResponse) => void = () => {}
  const connection = openLoadConnection({
    connect: () => connect(port(), '127.0.0.1'),
    timeoutMs,
    mostBytes: MOST_BODY_BYTES,
    onResponse: ({ status, head, body }) => resolveResponse({ status, head, body: body.toString() }),
    onLost: (error) => resolveResponse({ status: undefined, error }),
  })
  return {
    /** Sends the bytes of one request unchanged. */
    send: (request: Buffer): Promise<RawResponse> =>
      new Promise((resolve) => {
        resolveResponse = resolve
        connection.send(request, request.toString('latin1', 0, 5) !== 'HEAD ')
      }),
    close: () => connection.close(),
  }
}

/** The bytes of a POST to the webhook route. Header values are written byte for byte, however unusual. */
export function postOf(
  body: Buffer,
  headers: readonly (readonly [name: string, value: Buffer | string])[],
): Buffer {
  const lines = headers.flatMap(([name, value]) => [
    Buffer.from(`${name}: `),
    Buffer.isBuffer(value) ? value : Buffer.from(value, 'latin1'),
    Buffer.from('\r\n'),
  ])
  const start = `POST /webhooks HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n`
  return Buffer.concat([Buffer.from(start), ...lines, Buffer.from('\r\n'), body])
}

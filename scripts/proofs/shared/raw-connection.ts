import { connect, type Socket } from 'node:net'

/** The response to one request, or the reason why there is none. */
export type RawResponse =
  | { readonly status: number; readonly head: string; readonly body: string }
  | { readonly status: undefined; readonly error: string }

/** A kept-alive connection that carries one request at a time and reconnects after it was closed. */
export interface RawConnection {
  /** Sends the bytes of one request unchanged. */
  send(request: Buffer): Promise<RawResponse>
  close(): void
}

const TIMEOUT_MS = 10_000

/** @param port read at each connect, since a restarted receiver may have another port */
export function openConnection(port: () => number): RawConnection {
  let socket: Socket | undefined
  let buffered: Buffer = Buffer.alloc(0)
  let resolveResponse: ((response: RawResponse) => void) | undefined

  function finish(response: RawResponse): void {
    const resolve = resolveResponse
    resolveResponse = undefined
    buffered = Buffer.alloc(0)
    resolve?.(response)
  }

  function disconnect(error: string): void {
    const old = socket
    socket = undefined
    old?.destroy()
    // A response without a length ends with the connection. Node.js answers malformed HTTP that way.
    finish(parseResponse(buffered, true)?.response ?? { status: undefined, error })
  }

  function open(): Socket {
    const opened = connect(port(), '127.0.0.1')
    opened.setNoDelay(true)
    opened.setTimeout(TIMEOUT_MS)
    opened.on('data', (chunk: Buffer) => {
      if (socket !== opened) return
      buffered = buffered.length === 0 ? chunk : Buffer.concat([buffered, chunk])
      const parsed = parseResponse(buffered, false)
      if (parsed === undefined) return
      if (parsed.closes) {
        socket = undefined
        opened.destroy()
      }
      finish(parsed.response)
    })
    const fail = (reason: string): void => {
      if (socket === opened) disconnect(reason)
    }
    opened.on('timeout', () => fail('timeout'))
    opened.on('close', () => fail('closed'))
    opened.on('error', (error: NodeJS.ErrnoException) => fail(error.code ?? 'error'))
    return opened
  }

  return {
    send(request) {
      return new Promise((resolve) => {
        resolveResponse = resolve
        socket ??= open()
        socket.write(request)
      })
    },
    close: () => disconnect('closed'),
  }
}

/** Parses a response once it is complete. @param ended whether the connection is closed, so that no more bytes follow */
function parseResponse(
  bytes: Buffer,
  ended: boolean,
): { response: RawResponse; closes: boolean } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const received = bytes.length - headEnd - 4
  if (!ended && (length === undefined || received < Number(length))) return undefined
  const closes = length === undefined || /\r\nconnection: *close/i.test(head)
  return { response: { status, head, body: bytes.toString('utf8', headEnd + 4) }, closes }
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

import { connect, type Socket } from 'node:net'

/** What came back for one request: an answer, or the reason why there is none. */
export type Answer =
  | { readonly status: number; readonly head: string; readonly body: string }
  | { readonly status: undefined; readonly lost: string }

/** A kept-alive connection that carries one request at a time and is dialled anew when it was closed. */
export interface Wire {
  /** Sends the bytes of one request as they are. */
  send(request: Buffer): Promise<Answer>
  close(): void
}

/** How long an answer may take, in milliseconds, before it counts as lost. */
const TIMEOUT_MS = 10_000

/** @param port asked at each dial, since a receiver that was started again may have another. */
export function openWire(port: () => number): Wire {
  let socket: Socket | undefined
  let held: Buffer = Buffer.alloc(0)
  let settle: ((answer: Answer) => void) | undefined

  function end(answer: Answer): void {
    const settled = settle
    settle = undefined
    held = Buffer.alloc(0)
    settled?.(answer)
  }

  function drop(lost: string): void {
    const old = socket
    socket = undefined
    old?.destroy()
    // An answer without a length lasts until the connection ends: Node's own refusals of bad HTTP are such.
    end(answerIn(held, true)?.answer ?? { status: undefined, lost })
  }

  function dial(): Socket {
    const fresh = connect(port(), '127.0.0.1')
    fresh.setNoDelay(true)
    fresh.setTimeout(TIMEOUT_MS)
    fresh.on('data', (chunk: Buffer) => {
      if (socket !== fresh) return
      held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
      const found = answerIn(held, false)
      if (found === undefined) return
      if (found.closes) {
        socket = undefined
        fresh.destroy()
      }
      end(found.answer)
    })
    const lost = (reason: string): void => {
      if (socket === fresh) drop(reason)
    }
    fresh.on('timeout', () => lost('timeout'))
    fresh.on('close', () => lost('closed'))
    fresh.on('error', (error: NodeJS.ErrnoException) => lost(error.code ?? 'error'))
    return fresh
  }

  return {
    send(request) {
      return new Promise((resolve) => {
        settle = resolve
        socket ??= dial()
        socket.write(request)
      })
    },
    close: () => drop('closed'),
  }
}

/** The answer at the beginning of the bytes, if it is whole; `ended` says that no more will come. */
function answerIn(bytes: Buffer, ended: boolean): { answer: Answer; closes: boolean } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(head)?.[1])
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
  const have = bytes.length - headEnd - 4
  if (!ended && (length === undefined || have < Number(length))) return undefined
  const closes = length === undefined || /\r\nconnection: *close/i.test(head)
  return { answer: { status, head, body: bytes.toString('utf8', headEnd + 4) }, closes }
}

/** The bytes of a POST to the webhook route. Header values are written byte for byte, however odd. */
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

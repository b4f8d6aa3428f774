import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { Address } from './address.ts'
import { answerReader } from './answer.ts'

export interface ConnectionOptions {
  readonly address: Address
  /** The name to ask for in TLS; without one the connection is plain. */
  readonly serverName?: string | undefined
  /** How long an answer may take, in milliseconds. */
  readonly timeoutMs: number
  readonly onAnswer: (status: number) => void
  /** What was sent will not be answered; `reason` is a short code such as ECONNRESET or timeout. */
  readonly onLost: (reason: string) => void
}

/** A kept-alive connection with one request under way at most, which is dialled anew when it was closed. */
export interface Connection {
  /** Sends the bytes of one request; they may be changed again once it was answered or lost. */
  send(bytes: Buffer): void
  close(): void
}

export function openConnection(options: ConnectionOptions): Connection {
  const { address, serverName, timeoutMs, onAnswer, onLost } = options
  let socket: Socket | undefined
  let waiting = false

  function drop(reason: string): void {
    socket?.destroy()
    socket = undefined
    if (!waiting) return
    waiting = false
    onLost(reason)
  }

  function dial(): Socket {
    const { host, port, lookup } = address
    const where = { host, port, lookup }
    const fresh: Socket =
      serverName === undefined ? connectPlain(where) : connectTls({ ...where, servername: serverName })
    // What an earlier socket still has to tell is of no account.
    const current = (what: () => void) => () => void (socket === fresh && what())
    const read = answerReader((status, closes) => {
      if (socket !== fresh) return
      const asked = waiting
      waiting = false
      if (closes || !asked) drop('unasked')
      if (asked) onAnswer(status)
    })
    fresh.setNoDelay(true)
    fresh.setTimeout(timeoutMs)
    fresh.on('data', (chunk: Buffer) => {
      if (socket !== fresh) return
      try {
        read(chunk)
      } catch {
        drop('not_http')
      }
    })
    fresh.on(
      'timeout',
      current(() => drop('timeout')),
    )
    fresh.on(
      'close',
      current(() => drop('closed')),
    )
    fresh.on('error', (error: NodeJS.ErrnoException) => current(() => drop(error.code ?? 'error'))())
    return fresh
  }

  return {
    send(bytes) {
      waiting = true
      socket ??= dial()
      socket.write(bytes)
    },
    close() {
      waiting = false
      drop('closed')
    },
  }
}

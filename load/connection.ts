import { connect as connectPlain, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsConnectionOptions } from 'node:tls'
import type { Address } from './address.ts'
import { responseParser } from './response.ts'

/** Which certificates to trust. */
export type TlsOptions = Pick<TlsConnectionOptions, 'secureContext' | 'rejectUnauthorized'>

export interface ConnectionOptions {
  readonly address: Address
  /** The server name for TLS; without one the connection is not encrypted. */
  readonly serverName?: string | undefined
  readonly tls?: TlsOptions | undefined
  /** How long a response may take, in milliseconds. */
  readonly timeoutMs: number
  readonly onResponse: (status: number) => void
  /** The request will not be answered; `reason` is a short code such as ECONNRESET or timeout. */
  readonly onLost: (reason: string) => void
}

/** A kept-alive connection with at most one request at a time. It reconnects when it was closed. */
export interface Connection {
  /** Sends the bytes of one request. They must not change until it was answered or lost. */
  send(bytes: Buffer): void
  close(): void
}

export function openConnection(options: ConnectionOptions): Connection {
  const { address, serverName, tls, timeoutMs, onResponse, onLost } = options
  let socket: Socket | undefined
  let waiting = false

  function drop(reason: string): void {
    socket?.destroy()
    socket = undefined
    if (!waiting) return
    waiting = false
    onLost(reason)
  }

  function open(): Socket {
    const { host, port, lookup } = address
    const target = { host, port, lookup }
    const opened: Socket =
      serverName === undefined
        ? connectPlain(target)
        : connectTls({ ...target, ...tls, servername: serverName })
    // Late events of an earlier socket are ignored.
    const ifCurrent = (handle: () => void) => () => void (socket === opened && handle())
    const parse = responseParser((status, closes) => {
      if (socket !== opened) return
      const expected = waiting
      waiting = false
      if (closes || !expected) drop('unexpected')
      if (expected) onResponse(status)
    })
    opened.setNoDelay(true)
    opened.setTimeout(timeoutMs)
    opened.on('data', (chunk: Buffer) => {
      if (socket !== opened) return
      try {
        parse(chunk)
      } catch {
        drop('not_http')
      }
    })
    opened.on(
      'timeout',
      ifCurrent(() => drop('timeout')),
    )
    opened.on(
      'close',
      ifCurrent(() => drop('closed')),
    )
    opened.on('error', (error: NodeJS.ErrnoException) => ifCurrent(() => drop(error.code ?? 'error'))())
    return opened
  }

  return {
    send(bytes) {
      waiting = true
      socket ??= open()
      socket.write(bytes)
    },
    close() {
      waiting = false
      drop('closed')
    },
  }
}

import { lookup } from 'node:dns/promises'
import { BlockList, connect as connectPlain, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type ConnectionOptions as TlsConnectionOptions } from 'node:tls'

/** Where to connect. Resolved once, so that a name cannot change to another host during a run. */
export interface Address {
  readonly host: string
  readonly port: number
  /** Returns the resolved addresses. */
  readonly lookup: LookupFunction
  /** Whether all addresses of the host are this machine's. */
  readonly loopback: boolean
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/**
 * Resolves the addresses of a URL.
 * @throws the error of the lookup, with its `code`, when the host is unknown
 */
export async function addressOf(url: URL): Promise<Address> {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const addresses = await lookup(host, { all: true })
  const [{ address, family } = { address: host, family: isIP(host) }] = addresses
  return {
    host,
    port: Number(url.port) || (url.protocol === 'https:' ? 443 : 80),
    lookup(_host, options, done) {
      if (options.all) done(null, addresses)
      else done(null, address, family)
    },
    loopback: addresses.every(({ address, family }) =>
      loopback.check(address, family === 6 ? 'ipv6' : 'ipv4'),
    ),
  }
}

/** One response at the start of some bytes. */
interface Response {
  readonly status: number
  /** In bytes, head and body. */
  readonly length: number
  /** Whether the receiver closes the connection after it. */
  readonly closes: boolean
}

/** The maximum size of a response head, in bytes. */
const MAX_HEAD = 64 * 1024

/**
 * Creates a parser for the responses on one connection, which calls `onResponse` for each final one. It parses only
 * what a load test needs of HTTP/1.1: status, length and whether the connection stays open.
 * @returns the function to pass the received bytes to; it throws RangeError on bytes that are not HTTP/1.1
 */
export function responseParser(
  onResponse: (status: number, closes: boolean) => void,
): (chunk: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return (chunk) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
    let response = firstResponse(pending)
    for (; response !== undefined; response = firstResponse(pending)) {
      pending = pending.subarray(response.length)
      // 100 Continue and the like come before the final response.
      if (response.status >= 200) onResponse(response.status, response.closes)
    }
  }
}

function firstResponse(bytes: Buffer): Response | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) {
    if (bytes.length > MAX_HEAD) throw new RangeError('the head of the response is too long')
    return undefined
  }
  const head = bytes.toString('latin1', 0, headEnd)
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})/.exec(head) ?? []
  if (code === undefined) throw new RangeError('the response is not HTTP/1.1')
  const status = Number(code)
  const closes = minor === '0' || /\r\nconnection: *close/i.test(head)

  const bodyAt = headEnd + 4
  const length = lengthOfBody(head, status, bytes, bodyAt)
  if (length === undefined || bytes.length < bodyAt + length) return undefined
  return { status, length: bodyAt + length, closes }
}

/** In bytes, including the chunk headers; undefined until it is known. */
function lengthOfBody(head: string, status: number, bytes: Buffer, bodyAt: number): number | undefined {
  if (status < 200 || status === 204 || status === 304) return 0
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return lengthOfChunks(bytes, bodyAt)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return Number(length)
  throw new RangeError('the response has neither a length nor chunks')
}

function lengthOfChunks(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size >= 0)) throw new RangeError('a chunk of the response has no size')
    if (size === 0) {
      // An empty line follows, after any trailers.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return end === -1 ? undefined : end + 4 - from
    }
    at = lineEnd + 2 + size + 2
  }
}

/** Which certificates to trust. */
export type TlsOptions = Pick<TlsConnectionOptions, 'secureContext' | 'rejectUnauthorized'>

interface ConnectionOptions {
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

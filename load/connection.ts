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

/** A response to one request. */
export interface Response {
  readonly status: number
  /** The start line and the headers. */
  readonly head: string
  /** As it was sent: a chunked one with the sizes of its chunks. */
  readonly body: Buffer
  /** Whether the receiver closes the connection after it. */
  readonly closes: boolean
}

const MOST_HEAD_BYTES = 64 * 1024

/**
 * Creates a parser for the responses on one connection, which calls `onResponse` for each final one. It serves where
 * node:http cannot: for requests that are no HTTP, and for a load test, in which node:http would take three times as much
 * CPU time as sending and signing.
 *
 * @param mostBytes how long a body may be
 * @param hasBody whether the next response may have a body: that to HEAD has only its length
 * @returns `read` takes the received bytes, `end` the end of the connection; both throw RangeError on bytes that are not
 *   HTTP/1.1, or more than the limits
 */
export function responseParser(
  onResponse: (response: Response) => void,
  mostBytes: number,
  hasBody: () => boolean = () => true,
) {
  let pending: Buffer = Buffer.alloc(0)

  function parse(ended: boolean): void {
    for (;;) {
      const found = firstResponse(pending, ended, mostBytes, hasBody())
      if (found === undefined) return
      const { response, length } = found
      pending = pending.subarray(length)
      // 100 Continue and the like come before the final response.
      if (response.status >= 200) onResponse(response)
    }
  }
  return {
    read(chunk: Buffer) {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk])
      parse(false)
    },
    end: () => parse(true),
  }
}

function firstResponse(
  bytes: Buffer,
  ended: boolean,
  mostBytes: number,
  hasBody: boolean,
): { response: Response; length: number } | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if ((headEnd === -1 ? bytes.length : headEnd) > MOST_HEAD_BYTES)
    throw new RangeError('the head of the response is too long')
  if (headEnd === -1) return undefined
  const head = bytes.toString('latin1', 0, headEnd)
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})/.exec(head) ?? []
  if (code === undefined) throw new RangeError('the response is not HTTP/1.1')
  const status = Number(code)
  const bodyAt = headEnd + 4
  const end = hasBody ? endOfBody(head, status, bytes, bodyAt) : bodyAt
  const isComplete = end === undefined ? ended : bytes.length >= end
  if ((isComplete ? (end ?? bytes.length) : bytes.length) - bodyAt > mostBytes)
    throw new RangeError('the body of the response is too long')
  if (!isComplete) return undefined
  const length = end ?? bytes.length
  const closes = end === undefined || minor === '0' || /\r\nconnection: *close/i.test(head)
  return { response: { status, head, body: bytes.subarray(bodyAt, length), closes }, length }
}

/** Where the body ends, or Infinity until it is known; undefined if it ends with the connection. */
function endOfBody(head: string, status: number, bytes: Buffer, bodyAt: number): number | undefined {
  if (status < 200 || status === 204 || status === 304) return bodyAt
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return endOfChunks(bytes, bodyAt)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  return length === undefined ? undefined : bodyAt + Number(length)
}

function endOfChunks(bytes: Buffer, from: number): number {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return Number.POSITIVE_INFINITY
    const [size] = /^[0-9a-f]{1,8}(?=[ \t]*(?:;|$))/i.exec(bytes.toString('latin1', at, lineEnd)) ?? []
    if (size === undefined) throw new RangeError('a chunk of the response has no size')
    if (Number.parseInt(size, 16) === 0) {
      // An empty line follows, after any trailers.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return end === -1 ? Number.POSITIVE_INFINITY : end + 4
    }
    at = lineEnd + 2 + Number.parseInt(size, 16) + 2
  }
}

/** Which certificates to trust. */
export type TlsOptions = Pick<TlsConnectionOptions, 'secureContext' | 'rejectUnauthorized'>

/** Connects to an address. @param serverName for TLS; without one the connection is not encrypted */
export function connectTo({ host, port, lookup }: Address, serverName?: string, tls?: TlsOptions): Socket {
  const target = { host, port, lookup }
  return serverName === undefined
    ? connectPlain(target)
    : connectTls({ ...target, ...tls, servername: serverName })
}

export interface ConnectionOptions {
  readonly connect: () => Socket
  /** How long a response may take until its last byte, in milliseconds. */
  readonly timeoutMs: number
  /** How long the body of a response may be. */
  readonly mostBytes: number
  readonly onResponse: (response: Response) => void
  /** The request will not be answered; `reason` is a short code such as ECONNRESET or timeout. */
  readonly onLost: (reason: string) => void
}

/** Opens a kept-alive connection with at most one request at a time. It reconnects when it was closed. */
export function openConnection(options: ConnectionOptions) {
  const { connect, timeoutMs, mostBytes, onResponse, onLost } = options
  let socket: Socket | undefined
  let waiting = false
  let mayHaveBody = true
  const timer = setTimeout(() => waiting && drop('timeout'), timeoutMs).unref()

  function drop(reason: string): void {
    socket?.destroy()
    socket = undefined
    if (!waiting) return
    waiting = false
    onLost(reason)
  }

  function open(): Socket {
    const opened = connect()
    const parser = responseParser(
      (response) => {
        if (socket !== opened) return
        const expected = waiting
        waiting = false
        if (response.closes || !expected) drop('unexpected')
        if (expected) onResponse(response)
      },
      mostBytes,
      () => mayHaveBody,
    )
    /** Late events of an earlier socket are ignored. */
    function parse(work: () => void): void {
      try {
        if (socket === opened) work()
      } catch {
        drop('not_http')
      }
    }
    function end(reason: string): void {
      parse(parser.end)
      if (socket === opened) drop(reason)
    }
    opened.setNoDelay(true)
    opened.on('data', (chunk: Buffer) => parse(() => parser.read(chunk)))
    opened.on('close', () => end('closed'))
    opened.on('error', ({ code = 'error' }: NodeJS.ErrnoException) => end(code))
    return opened
  }

  return {
    /**
     * Sends the bytes of one request. They must not change until it was answered or lost.
     * @param hasBody false if the response has no body, as that to HEAD
     */
    send(bytes: Buffer, hasBody = true) {
      waiting = true
      mayHaveBody = hasBody
      timer.refresh()
      socket ??= open()
      socket.write(bytes)
    },
    close() {
      waiting = false
      clearTimeout(timer)
      drop('closed')
    },
  }
}

import type { IncomingMessage, Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Connections } from '@hookproof/receiver'
import { endWith } from './closing.ts'
import type { RefusalCode } from './refusals.ts'

/** What Node.js could not parse or did not receive in time, by the code of its error. */
const REFUSALS = new Map<string, RefusalCode>([
  ['HPE_HEADER_OVERFLOW', 'head_too_large'],
  ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'body_too_large'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'request_too_slow'],
])

/** Refuses with JSON what never becomes a request: Node.js would answer without a body, or not at all. */
export function refuseMalformed(server: Server, connections: Connections): void {
  const refused = new WeakSet<object>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The parser repeats its error when the client closes the connection.
    if (refused.has(socket)) return
    refused.add(socket)
    const connection = connections.of(socket as Socket)
    const code = codeOf(error, connection)
    if (code === undefined) socket.destroy()
    else if (code === 'request_too_slow') inBatches(() => endWith(code, socket, connection))
    else endWith(code, socket, connection)
  })
  const inBatches = batches()
  server.on('connect', (_request, socket) => {
    endWith('method_not_allowed', socket, connections.of(socket as Socket))
  })
}

/** How many of thousands of connections that time out at the same time are closed in one turn of the event loop. */
const BATCH = 100

/** Spreads work over turns of the event loop, so that deliveries are handled in between. */
function batches(): (work: () => void) => void {
  const queue: (() => void)[] = []
  function run(): void {
    for (const work of queue.splice(0, BATCH)) work()
    if (queue.length > 0) setImmediate(run)
  }
  return (work) => {
    if (queue.push(work) === 1) setImmediate(run)
  }
}

/** @returns undefined if the connection is broken, so that nobody would receive an answer */
function codeOf(
  { code = '' }: NodeJS.ErrnoException,
  connection: Connection | undefined,
): RefusalCode | undefined {
  if (!code.startsWith('HPE_') && !REFUSALS.has(code)) return undefined
  const current = [...(connection?.open ?? [])].at(-1)
  if (code === 'HPE_INVALID_EOF_STATE' && current?.req.complete === false) return 'body_truncated'
  return REFUSALS.get(code) ?? 'request_malformed'
}

/**
 * Whether a request has a version that the server speaks, a target with a path, and exactly one Host header, which HTTP/1.1
 * requires. The host of an absolute target is removed, so that routes see only paths.
 */
export function isWellFormed(request: IncomingMessage): boolean {
  const { rawHeaders, httpVersion, url = '' } = request
  // Node.js accepts 0.9 and 2.0 too, although a request of neither looks like this.
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1')) return false
  if (url.startsWith('/') || url === '*') return true
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return false
  const { pathname, search } = new URL(url)
  request.url = pathname + search
  return true
}

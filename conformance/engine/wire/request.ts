import type { ClientRequest } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Delivery, HeaderLine } from '../delivery.ts'
import type { Target } from '../target.ts'

/** All header lines of a delivery as they are sent, in order. */
export function headerLines(delivery: Delivery, target: Target): HeaderLine[] {
  const own = target.linesOf(delivery)
  const isOwn = (wanted: string) => own.some(([name]) => name.toLowerCase() === wanted)
  const added: HeaderLine[] = []
  if (!isOwn('host')) added.push(['Host', target.url.host])
  if (!isOwn('user-agent')) added.push(['User-Agent', 'hookproof'])
  return [...added, ...own, ...framing(delivery)]
}

/** The parts of a URL that a socket and a request line need. */
export function destination(url: URL): { host: string; port: number; path: string } {
  const secure = url.protocol === 'https:'
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
  }
}

/** How long to wait for `100 Continue` before sending the body anyway, in milliseconds. */
const CONTINUE_WITHIN_MS = 500

/** The header lines that frame the body. */
function framing({ transport, body }: Delivery): readonly HeaderLine[] {
  const length: HeaderLine = ['Content-Length', String(body.length)]
  if (transport?.kind === 'raw' && transport.unframed === true) return []
  if (transport?.kind === 'chunked') return [['Transfer-Encoding', 'chunked']]
  if (transport?.kind === 'expect-continue') return [['Expect', '100-continue'], length]
  return [length]
}

/**
 * Writes the body in the way that the delivery specifies.
 *
 * @returns false when the delivery stops before its end: the caller then breaks the connection.
 */
export async function writeBody(request: ClientRequest, delivery: Delivery): Promise<boolean> {
  const { body, transport } = delivery
  switch (transport?.kind) {
    case undefined:
    case 'raw':
      request.end(body)
      return true
    case 'chunked':
      await writePieces(request, pieces(body, transport.cuts), 1)
      return true
    case 'drip':
      await writePieces(request, pieces(body, even(body.length, transport.pieces)), transport.gapMs)
      return true
    case 'truncated':
      await write(request, body.subarray(0, transport.after))
      // The receiver must have started to read before the connection breaks.
      await pause(20)
      return false
    case 'expect-continue':
      await continued(request)
      request.end(body)
      return true
  }
}

async function writePieces(request: ClientRequest, parts: readonly Buffer[], gapMs: number): Promise<void> {
  request.setNoDelay(true)
  for (const part of parts) {
    if (request.destroyed) return
    await write(request, part)
    // Without a gap the pieces may arrive in one packet, and nothing would be tested.
    await pause(gapMs)
  }
  request.end()
}

function write(request: ClientRequest, part: Buffer): Promise<void> {
  return new Promise((resolve) => {
    request.write(part, () => resolve())
  })
}

function continued(request: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, CONTINUE_WITHIN_MS)
    const go = () => {
      clearTimeout(timer)
      resolve()
    }
    request.once('continue', go)
    request.once('response', go)
    request.once('error', go)
    request.flushHeaders()
  })
}

function pieces(body: Buffer, cuts: readonly number[]): Buffer[] {
  const edges = [0, ...cuts.filter((cut) => cut > 0 && cut < body.length), body.length]
  return edges.slice(1).map((end, index) => body.subarray(edges[index] ?? 0, end))
}

function even(length: number, count: number): number[] {
  return Array.from({ length: count - 1 }, (_, index) => Math.floor(((index + 1) * length) / count))
}

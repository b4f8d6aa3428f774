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

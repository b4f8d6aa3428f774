/** One answer at the beginning of some bytes. */
interface Answer {
  readonly status: number
  /** In bytes, head and body. */
  readonly length: number
  /** Whether the receiver closes the connection after it. */
  readonly closes: boolean
}

/** The largest head of an answer that is waited for, in bytes. */
const MOST_HEAD = 64 * 1024

/**
 * Makes a reader of the answers on one connection: it takes the bytes as they come, and tells of each final answer.
 * Only what a load needs of HTTP/1.1 is read: status, length and whether the connection stays.
 * @returns what to give the bytes to; it throws RangeError on bytes that are no HTTP/1.1
 */
export function answerReader(onAnswer: (status: number, closes: boolean) => void): (chunk: Buffer) => void {
  let held: Buffer = Buffer.alloc(0)
  return (chunk) => {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    for (let answer = firstAnswer(held); answer !== undefined; answer = firstAnswer(held)) {
      held = held.subarray(answer.length)
      // 100 Continue and its like announce the answer.
      if (answer.status >= 200) onAnswer(answer.status, answer.closes)
    }
  }
}

function firstAnswer(bytes: Buffer): Answer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n')
  if (headEnd === -1) {
    if (bytes.length > MOST_HEAD) throw new RangeError('the head of the answer has no end')
    return undefined
  }
  const head = bytes.toString('latin1', 0, headEnd)
  const [, minor, code] = /^HTTP\/1\.([01]) (\d{3})/.exec(head) ?? []
  if (code === undefined) throw new RangeError('the answer is not HTTP/1.1')
  const status = Number(code)
  const closes = minor === '0' || /\r\nconnection: *close/i.test(head)

  const bodyAt = headEnd + 4
  const length = lengthOfBody(head, status, bytes, bodyAt)
  if (length === undefined || bytes.length < bodyAt + length) return undefined
  return { status, length: bodyAt + length, closes }
}

/** In bytes, with what frames the chunks; undefined until it is known. */
function lengthOfBody(head: string, status: number, bytes: Buffer, bodyAt: number): number | undefined {
  if (status < 200 || status === 204 || status === 304) return 0
  if (/\r\ntransfer-encoding: *chunked/i.test(head)) return lengthOfChunks(bytes, bodyAt)
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? []
  if (length !== undefined) return Number(length)
  throw new RangeError('the answer has neither a length nor chunks')
}

function lengthOfChunks(bytes: Buffer, from: number): number | undefined {
  for (let at = from; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    if (lineEnd === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    if (!(size >= 0)) throw new RangeError('a chunk of the answer has no size')
    if (size === 0) {
      // Trailers, if any, end with an empty line.
      const end = bytes.indexOf('\r\n\r\n', lineEnd)
      return end === -1 ? undefined : end + 4 - from
    }
    at = lineEnd + 2 + size + 2
  }
}

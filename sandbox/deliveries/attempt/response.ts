import type { IncomingMessage } from 'node:http'

/** How much of an answer's body is kept, in bytes. */
const KEPT_BYTES = 64 * 1024

/** What a receiver answered. */
export interface Answer {
  readonly status: number
  /** As they came; a name that came more than once has a list. */
  readonly headers: Record<string, string | string[]>
  /** {@link KEPT_BYTES} at most. */
  readonly body: Buffer
  /** Whether there was more of the body than is kept. */
  readonly cut: boolean
}

/**
 * Reads an answer to its end, or until as much came as is kept: then the connection is closed, since it may never end.
 * @throws the socket's error when the connection breaks before that
 */
export async function readAnswer(response: IncomingMessage): Promise<Answer> {
  const { status, headers } = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the response, and its connection with it.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > KEPT_BYTES) break
  }
  const body = Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  return { status, headers, body, cut: size > KEPT_BYTES }
}

function headersOf(raw: readonly string[]): Answer['headers'] {
  const headers = new Map<string, string[]>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? ''])
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

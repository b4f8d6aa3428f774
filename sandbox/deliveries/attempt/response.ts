import type { IncomingMessage } from 'node:http'

/** How much of a response body is kept, in bytes. */
const KEPT_BYTES = 64 * 1024

/** A receiver's response. */
export interface ReceiverResponse {
  readonly status: number
  /** As received; a repeated header has a list. */
  readonly headers: Record<string, string | string[]>
  /** At most {@link KEPT_BYTES}. */
  readonly body: Buffer
  /** Whether the body was longer than what is kept. */
  readonly truncated: boolean
}

/**
 * Reads a response to its end, or up to the size that is kept. It then closes the connection, since the body may be
 * endless.
 * @throws the socket's error if the connection breaks before that
 */
export async function readResponse(response: IncomingMessage): Promise<ReceiverResponse> {
  const { status, headers } = { status: response.statusCode ?? 0, headers: headersOf(response.rawHeaders) }
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop early destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size > KEPT_BYTES) break
  }
  const body = Buffer.concat(chunks).subarray(0, KEPT_BYTES)
  return { status, headers, body, truncated: size > KEPT_BYTES }
}

function headersOf(raw: readonly string[]): ReceiverResponse['headers'] {
  const headers = new Map<string, string[]>()
  for (let index = 0; index + 1 < raw.length; index += 2) {
    const name = raw[index] ?? ''
    headers.set(name, [...(headers.get(name) ?? []), raw[index + 1] ?? ''])
  }
  return Object.fromEntries(
    [...headers].map(([name, values]) => [name, values.length > 1 ? values : (values[0] ?? '')]),
  )
}

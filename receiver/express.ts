// For Express and everything else with node:http's request and response. You can copy it with receive.ts and verify.ts.

import type { IncomingMessage, ServerResponse } from 'node:http'
import getRawBody from 'raw-body'
import { type DeliveryOutcome, type Receive, refusal, refuse } from './receive.js'

/** Handles POST. Faults of the program are passed to `next`. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => Promise<void>

/** Reads the raw bytes and every value of the header, calls `receive` and writes the answer. SPEC.md 1 and 2. */
export function nodeHandler(
  receive: Receive,
  onOutcome: (outcome: DeliveryOutcome) => void = () => {},
  readBody: (request: IncomingMessage, response: ServerResponse) => Promise<Uint8Array> = readRawBody,
): NodeHandler {
  const answerTo = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') throw refusal('method_not_allowed')
    const body = await readBody(request, response)
    return receive({ signature: valuesOf('x-service-signature', request), body })
  }
  return async (request, response, next) => {
    try {
      const { status, headers, body, outcome } = await answerTo(request, response).catch(refuse)
      // Node.js would make an error for a connection that is closed.
      if (!response.destroyed) response.writeHead(status, headers).end(body)
      onOutcome(outcome)
    } catch (error) {
      if (next === undefined) throw error
      next(error)
    }
  }
}

/** Every value of a header as received: `headers` would hide a duplicate, and `headersDistinct` parses all headers. */
function valuesOf(name: string, { rawHeaders }: IncomingMessage): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

async function readRawBody(request: IncomingMessage): Promise<Uint8Array> {
  try {
    return await getRawBody(request, { limit: '1mb', length: request.headers['content-length'] ?? null })
  } catch (error) {
    // The sender might not see the answer if the connection closed while it is still sending.
    request.resume()
    const codes = { 413: 'body_too_large', 500: 'body_already_read' } as const
    const { status } = error as { status: keyof typeof codes }
    throw refusal(codes[status] ?? 'body_truncated', error)
  }
}

// For every framework with the web standard's Request and Response. You can copy it with receive.ts and verify.ts.
import { type DeliveryOutcome, type Receive, refusal, refuse } from './receive.js'

/** Handles POST. It rejects only for a fault of the program. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Reads the raw bytes and the header, calls `receive` and returns the answer. `onOutcome` must not throw. SPEC.md 1 and 2. */
export function webHandler(
  receive: Receive,
  onOutcome: (outcome: DeliveryOutcome) => void = () => {},
  readBody: (request: Request) => Promise<Uint8Array> = readBytes,
): FetchHandler {
  const answerTo = async (request: Request) => {
    if (request.method !== 'POST') throw refusal('method_not_allowed')
    if (request.bodyUsed || request.body?.locked) throw refusal('body_already_read')
    const body = await readBody(request)
    // Headers joins repeated headers with a comma and a space, so that only the t of the first counts (SPEC.md 2.15).
    const signature = [request.headers.get('x-service-signature') ?? '']
    return receive({ signature, body })
  }
  return async (request) => {
    const { status, headers, body, outcome } = await answerTo(request).catch(refuse)
    onOutcome(outcome)
    return new Response(body, { status, headers })
  }
}

const MAX_BYTES = 1024 * 1024

/** The bytes, never text(), which drops a byte order mark and replaces what is not UTF-8. */
async function readBytes(request: Request): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  const reader = request.body?.getReader()
  for (let size = 0; ; ) {
    const { done, value } = (await reader?.read().catch(truncated)) ?? { done: true }
    if (done) return Buffer.concat(chunks)
    size += value.length
    if (size > MAX_BYTES) throw refusal('body_too_large')
    chunks.push(value)
  }
}

function truncated(error: unknown): never {
  throw refusal('body_truncated', error)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import { cutOff, drainRequest } from './body/drain.ts'
import { readBody } from './body/read.ts'
import type { Limits } from './overload.ts'
import { isCutOff } from './refusals.ts'

const LARGE_BYTES = 64 * 1024

const nextTurn = () => new Promise<void>((resolve) => void setImmediate(resolve))
let lastTurn: Promise<void> = Promise.resolve()

/** Of large bodies, which take milliseconds to hash, only one continues in each turn of the event loop: small ones overtake them. */
async function inTurn(body: Uint8Array): Promise<Uint8Array> {
  if (body.length < LARGE_BYTES) return body
  lastTurn = lastTurn.then(nextTurn)
  await lastTurn
  return body
}

/**
 * Reads a body within limits. Its bytes stay reserved in `overload`. After a failure it drains the rest of the body or cuts
 * the sender off, so that nothing more is needed than the answer. SPEC.md 4 and 10.
 * @throws WebhookError
 */
export async function readWithinLimits(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  limits: Limits,
): Promise<Uint8Array> {
  try {
    limits.overload.requireCapacity()
    // The bytes that express.raw() has read.
    if (!(request.body instanceof Uint8Array)) return await inTurn(await readBody(request, limits))
    limits.overload.reserve(request.body.length)
    return await inTurn(request.body)
  } catch (error) {
    // From most senders the rest of the body is drained, or the answer could be lost with the connection.
    if (isCutOff(error)) {
      response.setHeader('Connection', 'close')
      cutOff(request)
    } else drainRequest(request)
    throw error
  }
}

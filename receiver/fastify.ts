// For Fastify 5. You can copy it with receive.ts and verify.ts.

import type { FastifyInstance, FastifyReply, FastifyRequest, preParsingHookHandler } from 'fastify'
import { type DeliveryOutcome, type Receive, refuse } from './receive.js'

/** Reads the raw bytes of a request whose body Fastify has not read. */
export type ReadFastifyBody = (request: FastifyRequest, reply: FastifyReply) => Promise<Uint8Array>

/**
 * Adds the route POST `url` to a scope, which must have no other routes: it gets the raw bytes of every content type. The
 * default `readBody` leaves the size limit to Fastify (`bodyLimit`). `onOutcome` must not throw. SPEC.md 1 and 2.
 */
export function fastifyRoute(
  scope: FastifyInstance,
  url: string,
  receive: Receive,
  onOutcome: (outcome: DeliveryOutcome) => void = () => {},
  readBody?: ReadFastifyBody,
): void {
  scope.removeAllContentTypeParsers()
  if (readBody) scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  else scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  scope.post(url, { preParsing: ignoreContentType }, async (request, reply) => {
    const answerTo = async () => {
      const body = readBody ? await readBody(request, reply) : parsedBody(request)
      return receive({ signature: valuesOf('x-service-signature', request), body })
    }
    const { status, headers, body, outcome } = await answerTo().catch(refuse)
    reply.code(status).headers(headers).send(body)
    onOutcome(outcome)
    return reply
  })
}

/** Fastify answers 415 to a malformed content type, but the signature covers only the bytes. SPEC.md 1.3. */
const ignoreContentType: preParsingHookHandler = (request, _reply, payload, done) => {
  request.headers = { ...request.headers, 'content-type': undefined }
  done(null, payload)
}

/** Without a body Fastify does not call the parser. */
const parsedBody = ({ body }: FastifyRequest): Uint8Array =>
  body instanceof Uint8Array ? body : new Uint8Array()

/** Every value of a header as received, because `headers` would join them. */
function valuesOf(name: string, { raw: { rawHeaders } }: FastifyRequest): string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
}

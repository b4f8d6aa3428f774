import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import express, { type RequestHandler } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { limitChunks } from '../http/chunk-limit.ts'
import { isDeeper } from '../http/depth.ts'
import { ApiError } from './errors.ts'

/** The maximum body size, in bytes; the interface does not specify one. */
const BODY_LIMIT_BYTES = 100 * 1024

/** How deep a body may be nested; the bodies of the interface need two levels. */
const MOST_NESTED = 32

const received = new WeakMap<IncomingMessage, Uint8Array>()

/** The bytes of a parsed body, or undefined: for the log. */
export const bytesOf = (request: IncomingMessage): Uint8Array | undefined => received.get(request)

const parse = express.json({
  limit: BODY_LIMIT_BYTES,
  strict: false,
  type: () => true,
  verify: (request, _response, bytes) => void received.set(request, bytes),
})

/** Parsing needs no more memory for a deep body than for a flat one, unlike most of what could be done with it then. */
const requireSound: RequestHandler = (request, _response, next) => {
  const bytes = bytesOf(request)
  if (bytes !== undefined && !isUtf8(bytes)) throw new ApiError(400, 'The body is not valid UTF-8.')
  if (bytes !== undefined && isDeeper(bytes, MOST_NESTED)) {
    throw new ApiError(400, `Invalid body. It is nested more than ${MOST_NESTED} levels deep.`)
  }
  next()
}

/**
 * Parses a JSON body of at most 100 KiB. Interface 5.2: a request with a body declares it as JSON. Responds 415 to another
 * content type or character set, 413 to a body that is too large, 400 to one that is not JSON in UTF-8 or nested too deep.
 */
export const anyJsonBody: RequestHandler[] = [requireJson, limitChunks, parse, requireSound]

/**
 * The same, and validates the body against a schema: 400 to a violation.
 * @param first runs before the schema validation, for more helpful messages
 */
export function jsonBody(schema: SchemaName, ...first: RequestHandler[]): RequestHandler[] {
  return [
    ...anyJsonBody,
    ...first,
    (request, _response, next) => {
      // An absent body is undefined.
      const found = validate(schema, request.body ?? null)
      if (found.length > 0) throw new ApiError(400, `Invalid body. ${explain(found)}`)
      next()
    },
  ]
}

/** For calls that ignore their body: it may be absent, but if present it must be JSON. */
export const ignoredBody: RequestHandler[] = [
  (request, response, next) => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if (encoding === undefined && (length === undefined || length === '0')) return next()
    requireJson(request, response, next)
  },
  limitChunks,
  parse,
  requireSound,
]

function requireJson(...[request, _response, next]: Parameters<RequestHandler>): void {
  const [type = '', ...parameters] = (request.get('Content-Type') ?? '').toLowerCase().split(';')
  if (type.trim() !== 'application/json')
    throw new ApiError(415, 'Send a JSON body with Content-Type: application/json.')
  const charset = parameters.map((text) => text.trim()).find((text) => text.startsWith('charset='))
  if (charset !== undefined && !/^charset="?utf-?8"?$/.test(charset))
    throw new ApiError(415, 'Send the JSON body in UTF-8, as RFC 8259 requires.')
  next()
}

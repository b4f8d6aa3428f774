import express, { type RequestHandler } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { ApiError } from './errors.ts'

/** The maximum body size, in bytes; the interface does not specify one. */
const BODY_LIMIT_BYTES = 100 * 1024

const parse = express.json({ limit: BODY_LIMIT_BYTES, strict: false, type: () => true })

/**
 * Parses a JSON body and validates it against a schema. Interface 5.2: a request with a body declares it as JSON.
 * Responds 415 to another content type, 413 to a body that is too large, 400 to invalid JSON or a schema violation.
 * @param first runs before the schema validation, for more helpful messages
 */
export function jsonBody(schema: SchemaName, ...first: RequestHandler[]): RequestHandler[] {
  return [
    requireJson,
    parse,
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
  parse,
]

const requireJson: RequestHandler = (request, _response, next) => {
  const type = (request.get('Content-Type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new ApiError(415, 'Send a JSON body with Content-Type: application/json.')
  next()
}

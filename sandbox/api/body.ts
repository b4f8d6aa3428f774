import express, { type RequestHandler } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { ApiError } from './errors.ts'

/** The largest body that is read, in bytes; the interface shows no limit. */
const BODY_LIMIT_BYTES = 100 * 1024

const parse = express.json({ limit: BODY_LIMIT_BYTES, strict: false, type: () => true })

/**
 * Reads a JSON body and holds it against a schema. Interface 5.2: a request with a body says that it is JSON.
 * 415 for another type, 413 for too much, 400 for what is no JSON or does not fit.
 * @param first what looks at the body before the schema does, to say more about some fault
 */
export function jsonBody(schema: SchemaName, ...first: RequestHandler[]): RequestHandler[] {
  return [
    requireJson,
    parse,
    ...first,
    (request, _response, next) => {
      // The parser leaves an absent body undefined.
      const found = validate(schema, request.body ?? null)
      if (found.length > 0) throw new ApiError(400, `The body does not fit. ${explain(found)}`)
      next()
    },
  ]
}

/** For calls whose body means nothing: it may be absent, but what comes must still be JSON. */
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

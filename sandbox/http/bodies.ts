import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import express, { type Request, type RequestHandler } from 'express'
import type { SchemaName } from '../../schemas/names.ts'
import { explain, validate } from '../../schemas/validate.ts'
import { ApiError } from '../errors.ts'

/** The maximum body size, in bytes; the interface does not specify one. */
const BODY_LIMIT_BYTES = 100 * 1024
/** How deep a body may be nested; the bodies of the interface need two levels. */
const MOST_NESTED = 32

const received = new WeakMap<IncomingMessage, Uint8Array>()

/** The bytes of a parsed body, or undefined: for the log. */
export const bytesOf = (request: IncomingMessage): Uint8Array | undefined => received.get(request)

/** How many chunks any body may have, however short. */
const FREE_CHUNKS = 256
/** The least that further chunks must have on average, in bytes. */
const LEAST_BYTES = 64

/**
 * Closes the connection of a request whose body comes in chunks of a few bytes: each is an object that needs far more
 * memory than it holds. Mount it directly in front of the body parser.
 */
const limitChunks: RequestHandler = (request, _response, next) => {
  let chunks = 0
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    chunks += 1
    bytes += chunk.length
    if (chunks > FREE_CHUNKS + bytes / LEAST_BYTES) request.destroy()
  })
  next()
}

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

/** Parses a form, and closes the connection of one that comes in tiny chunks. @param limit its largest size */
const formOf = (limit: string): RequestHandler[] => [
  limitChunks,
  express.urlencoded({ extended: false, limit }),
]

/** Parses the form of a page that only the owner of the sandbox may use: it may contain an edited event. */
export const formBody = formOf('1mb')

/** Parses the form of a page that others may use: a few short fields. */
export const shortFormBody = formOf('16kb')

/** The trimmed value of a form field: the first one of several, or an empty string if there is none. */
export const field = ({ body }: Pick<Request, 'body'>, name: string): string =>
  (fields({ body }, name)[0] ?? '').trim()

/** All values of a field that may be repeated, such as a group of checkboxes. */
export function fields({ body }: Pick<Request, 'body'>, name: string): string[] {
  const form = (body ?? {}) as Record<string, unknown>
  return [Object.hasOwn(form, name) ? form[name] : []]
    .flat()
    .filter((value): value is string => typeof value === 'string')
}

export type Form = Readonly<Record<string, string>>

/** The trimmed fields of a form body; the last value of a repeated field. */
export function formFields(body: unknown): Form {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, String(Array.isArray(value) ? value.at(-1) : value).trim()]),
  )
}

const [QUOTE, BACKSLASH] = [0x22, 0x5c]

/** Whether arrays and objects in the bytes of a JSON text are nested more than `most` deep. It reads each byte once. */
export function isDeeper(json: Uint8Array, most: number): boolean {
  let depth = 0
  let inText = false
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at]
    if (byte === QUOTE) inText = !inText
    else if (inText) at += byte === BACKSLASH ? 1 : 0
    else if (byte === 0x5b || byte === 0x7b) depth += 1
    else if (byte === 0x5d || byte === 0x7d) depth -= 1
    if (depth > most) return true
  }
  return false
}

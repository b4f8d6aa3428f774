import type { RequestHandler } from 'express'
import type { CheckTarget } from '../ports.ts'
import { ApiError } from './errors.ts'

type Field = 'url' | 'webhook_url'

/** Beyond these an address has to be written otherwise (RFC 3986), as the URL parser does. */
const OTHER_LETTERS = /[^\x20-\x7e]/

/** Turns away an address that nothing may be delivered to. Interface 4.8 and 8. */
export function requireTarget(check: CheckTarget, field: Field, url: string): void {
  const verdict = check(url)
  if (!verdict.ok) throw new ApiError(400, `${field}: ${verdict.refused}`)
  if (!OTHER_LETTERS.test(url)) return
  throw new ApiError(400, `${field}: The URL has letters beyond ASCII. Write it ${new URL(url).href}`)
}

/**
 * The same for a body that its schema has not seen yet: the schema knows that an address is wrong, but no way out. It
 * also takes `https` in small letters only, and so the scheme is written so.
 */
export function targetFirst(check: CheckTarget, field: Field): RequestHandler {
  return ({ body }, _response, next) => {
    const given: unknown = (body as Partial<Record<Field, unknown>> | null | undefined)?.[field]
    if (typeof given === 'string') {
      requireTarget(check, field, given)
      body[field] = given.replace(/^https:/i, 'https:')
    }
    next()
  }
}

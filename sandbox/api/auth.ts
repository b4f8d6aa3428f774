import type { Request, RequestHandler, Response } from 'express'
import type { ApiKey, Scope } from '../model.ts'
import type { KeyService } from '../service/keys.ts'
import { ApiError, type AuthenticationCode } from './errors.ts'

/** What interface 7.2 names, in words. */
const MESSAGES: Readonly<Record<AuthenticationCode, string>> = {
  MISSING_API_KEY: 'No API key was sent. Put it into the header X-API-Key.',
  INVALID_API_KEY: 'The API key is not known.',
  REVOKED_API_KEY: 'The API key was revoked. Create a new one in the dashboard.',
}

/** Lets in whoever brings a key that is in use, and has the scope. Interface 5.1, 5.4 and 7.2. */
export function requireKey(keys: KeyService, scope: Scope): RequestHandler {
  return (request, response, next) => {
    const key = authenticate(request, keys)
    response.locals['key'] = key
    if (!key.scopes.includes(scope)) {
      throw new ApiError(403, `The API key lacks the scope ${scope}.`)
    }
    next()
  }
}

/** The key of a request that was let in. */
export function keyOf(response: Response): ApiKey {
  const key = response.locals['key'] as ApiKey | undefined
  if (key === undefined) throw new Error('a route was reached that asks for no key')
  return key
}

/** The key of a request, if it has one that is known: for the log. */
export function keyIfAny(response: Response): ApiKey | undefined {
  return response.locals['key'] as ApiKey | undefined
}

function authenticate(request: Request, keys: KeyService): ApiKey {
  const value = request.get('X-API-Key')
  if (value === undefined || value === '') throw refused('MISSING_API_KEY')
  const key = keys.find(value)
  if (key === undefined) throw refused('INVALID_API_KEY')
  if (key.revokedAt !== null) throw refused('REVOKED_API_KEY')
  return key
}

const refused = (code: AuthenticationCode): ApiError =>
  new ApiError(401, MESSAGES[code], { code, headers: { 'WWW-Authenticate': 'ApiKey' } })

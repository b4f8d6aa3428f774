import type { Request, RequestHandler, Response } from 'express'
import type { ApiKey, Scope } from '../model.ts'
import type { KeyService } from '../service/keys.ts'
import { ApiError, type AuthenticationCode } from './errors.ts'

/** Messages for the codes of interface 7.2. */
const MESSAGES: Readonly<Record<AuthenticationCode, string>> = {
  MISSING_API_KEY: 'Missing API key. Send it in the X-API-Key header.',
  INVALID_API_KEY: 'Unknown API key.',
  REVOKED_API_KEY: 'This API key was revoked. Create a new one in the dashboard.',
}

/** Requires an active API key with a scope. Interface 5.1, 5.4 and 7.2. */
export function requireKey(keys: KeyService, scope: Scope): RequestHandler {
  return (request, response, next) => {
    const key = authenticate(request, keys)
    response.locals['key'] = key
    if (!key.scopes.includes(scope)) {
      throw new ApiError(403, `This API key does not have the scope ${scope}.`)
    }
    next()
  }
}

/** The key of an authenticated request. */
export function keyOf(response: Response): ApiKey {
  const key = response.locals['key'] as ApiKey | undefined
  if (key === undefined) throw new Error('this route does not require an API key')
  return key
}

/** The key of a request, if it has a known one: for the log. */
export function keyIfAny(response: Response): ApiKey | undefined {
  return response.locals['key'] as ApiKey | undefined
}

function authenticate(request: Request, keys: KeyService): ApiKey {
  const value = request.get('X-API-Key')
  if (value === undefined || value === '') throw unauthorized('MISSING_API_KEY')
  const key = keys.find(value)
  if (key === undefined) throw unauthorized('INVALID_API_KEY')
  if (key.revokedAt !== null) throw unauthorized('REVOKED_API_KEY')
  return key
}

const unauthorized = (code: AuthenticationCode): ApiError =>
  new ApiError(401, MESSAGES[code], { code, headers: { 'WWW-Authenticate': 'ApiKey' } })

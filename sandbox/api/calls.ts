import type { Request, RequestHandler, Response } from 'express'
import type { Context } from '../compose.ts'
import { ApiError, type AuthenticationCode } from '../errors.ts'
import { bytesOf } from '../http/bodies.ts'
import type { ApiKey, Scope } from '../model.ts'
import type { KeyService } from '../service/keys.ts'

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

function keyIfAny(response: Response): ApiKey | undefined {
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

/** How much of a body is stored, in characters. */
const STORED = 16_384
/** How much of a path and query is stored, in characters. */
const STORED_PATH = 2_048

/**
 * Logs every call for the dashboard: the bytes of its bodies as they were received and sent, up to a limit. It stores no
 * headers, and masks API keys and signing secrets.
 * @param onFailure receives what goes wrong with the log, which must not affect the call
 */
export function logCalls(
  { store, clock, feed }: Pick<Context, 'store' | 'clock' | 'feed'>,
  onFailure: (error: unknown) => void,
): RequestHandler {
  return (request, response, next) => {
    const at = clock.now()
    const started = performance.now()
    let sent: string | undefined
    const send = response.send.bind(response)
    // `json` calls it with the text.
    response.send = (body) => {
      if (typeof body === 'string') sent = body
      return send(body)
    }

    function log(): void {
      const key = keyIfAny(response)
      const bytes = bytesOf(request)
      store.log.add({
        at,
        method: request.method,
        path: masked(request.originalUrl.slice(0, STORED_PATH)),
        status: response.statusCode,
        durationMs: Math.round(performance.now() - started),
        organizationId: key?.organizationId ?? null,
        keyId: key?.id ?? null,
        requestBody:
          bytes === undefined || bytes.length === 0 ? null : shown(new TextDecoder().decode(bytes)),
        responseBody: sent === undefined ? null : shown(sent),
      })
      feed.publish({ kind: 'call' })
    }
    response.on('close', () => {
      try {
        log()
      } catch (error) {
        onFailure(error)
      }
    })
    next()
  }
}

/** Masked before it is cut, so that no part of a secret remains. */
const shown = (body: string): string => masked(body).slice(0, STORED)

/** The value of a field named secret, whatever it is, and everything that looks like a signing secret or an API key. */
const SECRET_FIELD = /("secret"\s*:\s*)"(?:[^"\\]|\\.)*"/g
const SECRETS = /(whsec_|svc_(?:test|live)_)\w+/g

function masked(text: string): string {
  // Few bodies contain one of them.
  if (!/"secret"|whsec_|svc_/.test(text)) return text
  return text.replace(SECRET_FIELD, '$1"whsec_…"').replace(SECRETS, '$1…')
}

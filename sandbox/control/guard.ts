import type { RequestHandler } from 'express'
import { ApiError } from '../api/errors.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Protects routes without an API key, which only this machine may use. The Host must be loopback, which stops DNS
 * rebinding, and the Origin, if present, must be the sandbox's own, which stops other pages in the same browser.
 */
export const requireLoopback: RequestHandler = (request, _response, next) => {
  const host = request.get('Host') ?? ''
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if (!LOOPBACK.has(name))
    throw new ApiError(403, 'Only available from this machine, at 127.0.0.1 or localhost.')
  const origin = request.get('Origin')
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ApiError(403, 'Only available to pages of the sandbox itself.')
  }
  next()
}

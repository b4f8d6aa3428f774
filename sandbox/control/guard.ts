import type { RequestHandler } from 'express'
import { ApiError } from '../api/errors.ts'

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * For what needs no key and so must only be reached from this machine's own pages and programs: the Host must be a
 * loopback one, which stops names that were rebound to it, and an Origin must be the sandbox's own, which stops other
 * pages in the same browser.
 */
export const ownMachineOnly: RequestHandler = (request, _response, next) => {
  const host = request.get('Host') ?? ''
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : ''
  if (!LOOPBACK.has(name))
    throw new ApiError(403, 'Only for this machine: call it by 127.0.0.1 or localhost.')
  const origin = request.get('Origin')
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new ApiError(403, 'Only for the pages of the sandbox itself.')
  }
  next()
}

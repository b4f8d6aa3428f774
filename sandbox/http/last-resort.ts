import type { RequestHandler } from 'express'

/**
 * Reports errors that nothing else handles, such as a write to a response that has ended: Node.js would end the process.
 * Mount it in front of everything. A connection that a client breaks is no error of the sandbox.
 * @param onFailure receives them
 */
export const lastResort =
  (onFailure: (error: unknown) => void): RequestHandler =>
  (request, response, next) => {
    request.on('error', () => undefined)
    response.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code?.startsWith('ERR_') === true) onFailure(error)
    })
    next()
  }

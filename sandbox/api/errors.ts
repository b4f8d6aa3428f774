import type { ErrorRequestHandler, Response } from 'express'
import { BadAction, IllegalTransition } from '../domain/errors.ts'
import { ApiError } from '../http/api-error.ts'
import { NoSuchPayment } from '../service/payments.ts'

export { ApiError, type AuthenticationCode } from '../http/api-error.ts'

/** Responds to errors thrown by routes. Unexpected errors go to `onFailure` and never to the client. */
export function errorResponses(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const error = apiErrorOf(thrown)
    if (error.status === 500) onFailure(thrown)
    send(response, error)
  }
}

/** Sends an error body. */
function send(response: Response, { status, message, code, headers }: ApiError): void {
  response
    .status(status)
    .set(headers)
    .json(code === undefined ? { error: message } : { error: message, code })
}

function apiErrorOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof NoSuchPayment) return new ApiError(404, 'Payment not found')
  if (thrown instanceof IllegalTransition) return new ApiError(409, capitalized(thrown.message))
  if (thrown instanceof BadAction) return new ApiError(400, capitalized(thrown.message))
  return fromParser(thrown) ?? new ApiError(500, 'Internal error of the sandbox. See its log.')
}

const BROKEN = 'The body is incomplete, or not compressed as its Content-Encoding says.'

/** Errors of the body parser and the router, identified by their status. */
function fromParser(thrown: unknown): ApiError | undefined {
  const { status, type } = (thrown ?? {}) as { status?: unknown; type?: unknown }
  switch (status) {
    case 400:
      if (thrown instanceof URIError) return new ApiError(400, 'The path is not correctly encoded.')
      return new ApiError(400, type === 'entity.parse.failed' ? 'The body is not valid JSON.' : BROKEN)
    case 413:
      return new ApiError(413, 'The body exceeds 100 KiB.')
    case 415:
      return new ApiError(
        415,
        'Unsupported body: send application/json in UTF-8, uncompressed or with gzip, deflate or br.',
      )
    default:
      return undefined
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

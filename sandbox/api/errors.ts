import type { ErrorRequestHandler, Response } from 'express'
import { ApiError } from '../api-error.ts'
import { BadAction, IllegalTransition } from '../domain/errors.ts'
import { NoSuchPayment } from '../service/payments.ts'

export { ApiError, type AuthenticationCode } from '../api-error.ts'

/** The answer to whatever a route threw; what nobody foresaw is told to `onFailure` and never to the sender. */
export function answerErrors(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const error = refusalOf(thrown)
    if (error.status === 500) onFailure(thrown)
    refuse(response, error)
  }
}

/** Writes an error body. */
function refuse(response: Response, { status, message, code, headers }: ApiError): void {
  response
    .status(status)
    .set(headers)
    .json(code === undefined ? { error: message } : { error: message, code })
}

function refusalOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (thrown instanceof NoSuchPayment) return new ApiError(404, 'Payment not found')
  if (thrown instanceof IllegalTransition) return new ApiError(409, sentence(thrown.message))
  if (thrown instanceof BadAction) return new ApiError(400, sentence(thrown.message))
  return ofBody(thrown) ?? new ApiError(500, 'The sandbox failed. Its log says why.')
}

/** What the body parser and the router throw, told by the status that they give it. */
function ofBody(thrown: unknown): ApiError | undefined {
  switch ((thrown as { status?: unknown } | null)?.status) {
    case 400:
      return new ApiError(
        400,
        'The request can not be read: its body is no JSON, or its path is wrongly encoded.',
      )
    case 413:
      return new ApiError(413, 'The body is larger than 100 KiB.')
    case 415:
      return new ApiError(
        415,
        'Send the body as application/json in UTF-8, not compressed in a way unknown here.',
      )
    default:
      return undefined
  }
}

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

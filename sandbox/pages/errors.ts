import type { ErrorRequestHandler } from 'express'
import { ApiError, Rejection } from '../errors.ts'
import { sendPage } from './render.ts'

/** Why a request was rejected, for the person who sent it. */
export interface Problem {
  readonly status: number
  readonly message: string
}

/** The problem behind an expected error; undefined for an unexpected one, whose message is not for the person. */
export function problemOf(thrown: unknown): Problem | undefined {
  if (!(thrown instanceof Rejection)) return undefined
  const { status, message } = thrown
  // An ApiError is a full sentence already, and may start with the name of a field.
  if (thrown instanceof ApiError) return { status, message }
  return { status, message: message.charAt(0).toUpperCase() + message.slice(1) }
}

/** Runs the work of a form. @returns why it was rejected; undefined if it was done */
export function rejectionOf(work: () => void): Problem | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    const problem = problemOf(error)
    if (problem === undefined) throw error
    return problem
  }
}

/** Renders an error page. Unexpected errors go to `onFailure`, and the page shows no details of them. */
export function answerPageErrors(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const problem = problemOf(thrown) ?? parserProblem(thrown)
    if (problem === undefined) onFailure(thrown)
    const { status, message } = problem ?? { status: 500, message: 'See the sandbox log for details.' }
    sendPage(response, { template: '/pages/error', status, data: { status, message } })
  }
}

/** What the body parser and the router throw: errors with a `status`. */
function parserProblem(thrown: unknown): Problem | undefined {
  const { status, type, limit } = (thrown ?? {}) as { status?: unknown; type?: unknown; limit?: unknown }
  if (status === 413) {
    const message =
      type === 'parameters.too.many'
        ? 'The form has too many fields.'
        : `The form is larger than ${sizeOf(Number(limit))}.`
    return { status, message }
  }
  if (status === 415)
    return { status, message: 'Send the form in UTF-8, uncompressed or with gzip, deflate or br.' }
  return status === 400 ? { status, message: 'The request is malformed.' } : undefined
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 * 1024 ? `${bytes / 1024} KB` : `${bytes / 1024 / 1024} MB`

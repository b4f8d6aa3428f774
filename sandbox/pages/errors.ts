import type { ErrorRequestHandler } from 'express'
import { ApiError } from '../api/errors.ts'
import { ChaosError, RedeliveryError } from '../deliveries/index.ts'
import { BadAction, IllegalTransition } from '../domain/errors.ts'
import { SandboxError } from '../errors.ts'
import { NoSuchPayment } from '../service/payments.ts'
import { sendPage } from './render.ts'

/** What a person is told when something can not be done. */
export interface Problem {
  readonly status: number
  /** One sentence. */
  readonly message: string
}

/** The problem that an error tells of; undefined for one that nobody foresaw, which is none of the person's. */
export function problemOf(thrown: unknown): Problem | undefined {
  const status = statusOf(thrown)
  if (status === undefined) return undefined
  const { message } = thrown as Error
  // Those of requests are sentences already, and may begin with the name of a field.
  if (thrown instanceof ApiError) return { status, message }
  return { status, message: message.charAt(0).toUpperCase() + message.slice(1) }
}

/** Shows what went wrong as a page; what nobody foresaw is told to `onFailure` and never to the reader. */
export function answerPageErrors(onFailure: (error: unknown) => void): ErrorRequestHandler {
  return (thrown: unknown, _request, response, next) => {
    if (response.headersSent) return next(thrown)
    const problem = problemOf(thrown) ?? ofBody(thrown)
    if (problem === undefined) onFailure(thrown)
    const { status, message } = problem ?? { status: 500, message: 'The sandbox failed. Its log says why.' }
    sendPage(response, { template: '/pages/error', status, data: { status, message } })
  }
}

function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof ApiError) return thrown.status
  if (thrown instanceof NoSuchPayment) return 404
  if (thrown instanceof RedeliveryError) return thrown.code === 'no_such_delivery' ? 404 : 409
  if (thrown instanceof IllegalTransition) return 409
  if (thrown instanceof BadAction || thrown instanceof SandboxError || thrown instanceof ChaosError)
    return 400
  return undefined
}

/** What the body parser and the router throw, told by the status that they give it. */
function ofBody(thrown: unknown): Problem | undefined {
  const { status } = (thrown ?? {}) as { status?: unknown }
  if (status === 413) return { status, message: 'The form holds more than the sandbox takes.' }
  return status === 400 ? { status, message: 'The request can not be read.' } : undefined
}

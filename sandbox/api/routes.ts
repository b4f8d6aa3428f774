import { type RequestHandler, Router } from 'express'
import type { Context } from '../context.ts'
import { knownMethodsOnly } from '../http/methods.ts'
import { STRICT } from '../http/strict.ts'
import { botProtection } from './bot-protection.ts'
import { logCalls } from './call-log.ts'
import { ApiError, errorResponses } from './errors.ts'
import { openApiDocument } from './openapi.ts'
import { paymentRoutes } from './payments.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every path of the API and its methods. */
const METHODS_OF: Readonly<Record<string, readonly string[]>> = {
  '/webhooks': ['GET', 'HEAD', 'POST'],
  '/webhooks/:id': ['GET', 'HEAD', 'DELETE'],
  '/payments': ['GET', 'HEAD', 'POST'],
  '/payments/:id': ['GET', 'HEAD'],
  '/payments/:id/resend-webhook': ['POST'],
  '/openapi.json': ['GET', 'HEAD'],
}

/**
 * The API of interface 4, to mount under /v1 (interface 9).
 * @param onFailure receives internal errors, which no request should be able to cause
 */
export function apiRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const router = Router(STRICT)
  router.use(logCalls(context, onFailure))
  if (context.botProtection) router.use(botProtection)
  router.use(requireEncodedPath)
  router.use(knownMethodsOnly(METHODS_OF))
  router.get('/openapi.json', (request, response) => {
    response.json(openApiDocument(context.origin(request.get('Host'))))
  })
  router.use(webhookRoutes(context), paymentRoutes(context))

  router.use(() => {
    throw new ApiError(404, 'Not found.')
  })
  router.use(errorResponses(onFailure))
  return router
}

/** Express decodes only the parameters of a path that it knows, and would answer 404 to the others. */
const requireEncodedPath: RequestHandler = ({ path }, _response, next) => {
  try {
    decodeURIComponent(path)
  } catch {
    throw new ApiError(400, 'The path is not correctly encoded.')
  }
  next()
}

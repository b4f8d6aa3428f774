import { Router } from 'express'
import type { Context } from '../context.ts'
import { botProtection } from './bot-protection.ts'
import { logCalls } from './call-log.ts'
import { ApiError, errorResponses } from './errors.ts'
import { openApiDocument } from './openapi.ts'
import { paymentRoutes } from './payments.ts'
import { webhookRoutes } from './webhooks.ts'

/** Every path of the API and its methods. */
const METHODS_OF: Readonly<Record<string, string>> = {
  '/webhooks': 'GET, HEAD, POST',
  '/webhooks/:id': 'GET, HEAD, DELETE',
  '/payments': 'GET, HEAD, POST',
  '/payments/:id': 'GET, HEAD',
  '/payments/:id/resend-webhook': 'POST',
  '/openapi.json': 'GET, HEAD',
}

/**
 * The API of interface 4, to mount under /v1 (interface 9).
 * @param onFailure receives internal errors, which no request should be able to cause
 */
export function apiRoutes(context: Context, onFailure: (error: unknown) => void): Router {
  const router = Router()
  router.use(logCalls(context, onFailure))
  if (context.botProtection) router.use(botProtection)

  router.get('/openapi.json', (request, response) => {
    response.json(openApiDocument(context.origin(request.get('Host'))))
  })
  router.use(webhookRoutes(context), paymentRoutes(context))

  for (const [path, methods] of Object.entries(METHODS_OF)) {
    router.all(path, (request) => {
      const message = `${request.method} is not allowed here. Allowed methods: ${methods}.`
      throw new ApiError(405, message, { headers: { Allow: methods } })
    })
  }
  router.use(() => {
    throw new ApiError(404, 'Not found.')
  })
  router.use(errorResponses(onFailure))
  return router
}

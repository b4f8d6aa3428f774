import { Router } from 'express'
import { ApiError } from '../errors.ts'

/**
 * Answers other methods with 405 and the `Allow` header. Use it before the routes, since those would answer OPTIONS
 * themselves.
 * @param methodsOf the methods of each path
 */
export function knownMethodsOnly(methodsOf: Readonly<Record<string, readonly string[]>>): Router {
  const router = Router(STRICT)
  for (const [path, methods] of Object.entries(methodsOf)) {
    router.all(path, ({ method }, _response, next) => {
      if (methods.includes(method)) return next()
      const allowed = methods.join(', ')
      const message = `${method} is not allowed here. Allowed methods: ${allowed}.`
      throw new ApiError(405, message, { headers: { Allow: allowed } })
    })
  }
  return router
}

/** Paths are case-sensitive and have no trailing slash: a client that is sloppy here would fail with a strict service. */
export const STRICT = { caseSensitive: true, strict: true } as const

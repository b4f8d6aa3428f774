import type { RequestHandler } from 'express'
import type { Context } from '../context.ts'
import { keyIfAny } from './auth.ts'

/** The most that is kept of a body, in characters. */
const KEPT = 16_384

/** Keeps every call for the dashboard. Keys stand in headers, which are not kept; signing secrets are blanked. */
export function logCalls({ store, clock, feed }: Pick<Context, 'store' | 'clock' | 'feed'>): RequestHandler {
  return (request, response, next) => {
    const at = clock.now()
    const started = performance.now()
    let answered: unknown
    const json = response.json.bind(response)
    response.json = (body) => {
      answered = body
      return json(body)
    }
    response.on('close', () => {
      const key = keyIfAny(response)
      store.log.add({
        at,
        method: request.method,
        path: request.originalUrl,
        status: response.statusCode,
        durationMs: Math.round(performance.now() - started),
        organisationId: key?.organisationId ?? null,
        keyId: key?.id ?? null,
        requestBody: shown(request.body),
        responseBody: shown(answered),
      })
      feed.publish({ kind: 'call' })
    })
    next()
  }
}

const blanked = (name: string, value: unknown): unknown => (name === 'secret' ? 'whsec_…' : value)

function shown(body: unknown): string | null {
  if (body === undefined) return null
  const text = JSON.stringify(body)
  // Few calls show a secret, and looking at each field takes several times as long.
  return (text.includes('"secret"') ? JSON.stringify(body, blanked) : text).slice(0, KEPT)
}

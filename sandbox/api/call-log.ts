import type { RequestHandler } from 'express'
import type { Context } from '../context.ts'
import { keyIfAny } from './auth.ts'

/** How much of a body is stored, in characters. */
const STORED = 16_384

/** Logs every call for the dashboard. It stores no headers, and so no API keys, and masks signing secrets. */
export function logCalls({ store, clock, feed }: Pick<Context, 'store' | 'clock' | 'feed'>): RequestHandler {
  return (request, response, next) => {
    const at = clock.now()
    const started = performance.now()
    let sent: unknown
    const json = response.json.bind(response)
    response.json = (body) => {
      sent = body
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
        responseBody: shown(sent),
      })
      feed.publish({ kind: 'call' })
    })
    next()
  }
}

const masked = (name: string, value: unknown): unknown => (name === 'secret' ? 'whsec_…' : value)

function shown(body: unknown): string | null {
  if (body === undefined) return null
  const text = JSON.stringify(body)
  // Few bodies contain a secret, and visiting each field takes several times as long.
  return (text.includes('"secret"') ? JSON.stringify(body, masked) : text).slice(0, STORED)
}

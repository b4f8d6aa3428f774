import type { RequestHandler } from 'express'

/** Pico.css embeds its icons as data: images. Everything else comes from the sandbox, and nothing is inline. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sets the security headers of every page. */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: browsers would then send `Origin: null` with the page's own forms, which the guard rejects.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Pages contain secrets and quickly become outdated.
    'Cache-Control': 'no-store',
  })
  next()
}

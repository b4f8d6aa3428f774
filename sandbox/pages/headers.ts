import type { RequestHandler } from 'express'

/** Pico.css brings its icons as data: images. Nothing else comes from anywhere but the sandbox, and nothing is inline. */
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

/** What every page says to the browser about itself. */
export const pageHeaders: RequestHandler = (_request, response, next) => {
  response.set({
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    // Not no-referrer: browsers would then send the Origin null with the page's own forms, which the guard refuses.
    'Referrer-Policy': 'same-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    // Secrets stand in some pages, and no page is right for long.
    'Cache-Control': 'no-store',
  })
  next()
}

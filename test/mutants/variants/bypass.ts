import type { IncomingMessage } from 'node:http'
import { CORRECT, Problem } from '../behavior.ts'
import type { Variant } from '../mutant.ts'

const pathOf = ({ url = '' }: IncomingMessage) => url.split('?', 1)[0]

/** Correct receivers that answer what is not a delivery in their own way. */
export const VARIANTS_OF_BYPASS: Readonly<Record<string, Variant>> = {
  'answers 200 to GET, HEAD and OPTIONS': {
    related: ['bypass/other-methods-have-no-effect', 'disclosure/no-secret-in-an-answer-to-get'],
    does: () => ({
      gate: (request, body) =>
        ['GET', 'HEAD', 'OPTIONS'].includes(request.method ?? '') ? 200 : CORRECT.gate(request, body),
    }),
  },
  'answers 200 to every other method': {
    related: ['bypass/other-methods-have-no-effect', 'disclosure/no-secret-in-an-answer-to-get'],
    does: () => ({
      gate: (request, body) => (request.method === 'POST' ? CORRECT.gate(request, body) : 200),
    }),
    warning: ['transport/method-put', 'transport/method-patch', 'transport/method-delete'],
  },
  'answers 200 on every other path': {
    related: ['bypass/path-with-a-slash', 'bypass/path-in-capitals', 'bypass/other-paths-have-no-effect'],
    does: () => ({
      gate: (request, body) => (pathOf(request) === '/webhooks' ? CORRECT.gate(request, body) : 200),
    }),
  },
  'answers 404 on every other path': {
    related: ['bypass/path-with-a-slash', 'bypass/other-paths-have-no-effect'],
    does: () => ({
      gate: (request, body) => (pathOf(request) === '/webhooks' ? CORRECT.gate(request, body) : 404),
    }),
  },
  'redirects to the path without a slash': {
    related: ['bypass/path-with-a-slash', 'bypass/other-paths-have-no-effect'],
    does: () => ({
      gate: (request, body) => (request.url?.endsWith('/') === true ? 308 : CORRECT.gate(request, body)),
    }),
  },
  'refuses HTTP/1.0 with 426, and another host with 421': {
    related: ['bypass/sent-by-http-1-0', 'bypass/other-methods-have-no-effect'],
    does: () => ({
      gate(request, body) {
        if (request.httpVersion === '1.0') return 426
        return request.headers.host === 'localhost' ? 421 : CORRECT.gate(request, body)
      },
    }),
  },
  'refuses compressed bodies with 415': {
    related: ['bypass/sent-compressed', 'bypass/other-bodies-have-no-effect'],
    does: () => ({
      gate: (request, body) =>
        request.headers['content-encoding'] === undefined ? CORRECT.gate(request, body) : 415,
    }),
  },
  'refuses a header that is not ASCII or too long': {
    related: [
      'signature-header/v1-beyond-ascii',
      'signature-header/t-beyond-ascii',
      'signature-header/v1-very-long',
      'signature-header/label-beyond-ascii',
    ],
    warning: ['signature-header/t-in-full-width-digits', 'signature-header/t-with-bytes-that-decode-away'],
    does: () => ({
      entries(header) {
        if (/[^\x20-\x7e]/.test(header) || header.length > 4096) throw new Problem(431, 'an unusual header')
        return CORRECT.entries(header)
      },
    }),
  },
  'closes the connection on a NUL byte': {
    related: ['signature-header/nul-in-v1', 'signature-header/nul-in-t-and-labels'],
    does: () => ({
      status: ({ code, message }) => (message === 'NUL' ? 0 : code),
      entries(header) {
        if (header.includes('\0')) throw new Problem(400, 'NUL')
        return CORRECT.entries(header)
      },
    }),
    setting: { server: { insecureHTTPParser: true } },
  },
  'refuses ids that it cannot store': {
    related: ['body-bytes/lone-surrogate-in-the-id'],
    does: () => ({
      rejects: (event) => (/[\ud800-\udfff]/.test(JSON.stringify(event['payment_id'])) ? 422 : undefined),
    }),
  },
  'refuses repeated keys': {
    related: ['body-bytes/payment-id-repeated', 'bypass/metadata-named-like-ids'],
    does: () => ({
      parse(body) {
        if (/"payment_id":"(\w+)".*"payment_id":"\1_2"/.test(body.toString()))
          throw new SyntaxError('duplicate key')
        return JSON.parse(body.toString())
      },
    }),
  },
  'reads NaN and Infinity': {
    related: ['body-bytes/bare-nan', 'body-bytes/bare-infinity'],
    does: () => ({
      parse: (body) => JSON.parse(body.toString().replace(/:(?:NaN|-?Infinity)\b/g, ':null')),
    }),
  },
}

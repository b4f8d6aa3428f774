import { createHash, createHmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { type Behavior, CORRECT, type Event, idOf, labeled, nameOf, signing, text } from '../behavior.ts'
import type { Mutant } from '../mutant.ts'

const tolerant = (body: Buffer): Event => {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? (value as Event) : {}
  } catch {
    return {}
  }
}
/** Skips verification when something in the event says so. */
const trustsEvent = (isTrusted: (event: Event) => boolean): Partial<Behavior> => ({
  trusts: (_, __, body) => isTrusted(tolerant(body)),
})
/** Skips verification when something in the request says so. */
const trustsRequest = (isTrusted: (request: IncomingMessage) => unknown): Partial<Behavior> => ({
  trusts: (_, request) => Boolean(isTrusted(request)),
})
const urlOf = ({ url = '' }: IncomingMessage) => new URL(`http://localhost${url}`)
const madeWith = (secret: string | undefined | null, header: string, body: Buffer) => {
  const t = /t=(\d+)/.exec(header)?.[1] ?? ''
  if (typeof secret !== 'string' || secret === '') return false
  return header.endsWith(
    createHmac('sha256', secret)
      .update(signing(`${t}.`, body))
      .digest('hex'),
  )
}
/** Verifies only at one spelling of the path, and also routes what `normalized` makes equal to it. */
const routes = (normalized: (path: string) => string): Partial<Behavior> => ({
  gate: (request, body) =>
    normalized(request.url ?? '') === '/webhooks' ? CORRECT.gate(request, body) : 404,
  trusts: (_, { url }) => url !== '/webhooks',
})

/** Verification that a sender without the secret can skip (SPEC.md 12.1 to 12.6). */
export const OF_BYPASS: Readonly<Record<string, Mutant>> = {
  // In the body
  'does not verify test events': {
    does: trustsEvent((event) => event['test'] === true),
    cause: 'verification_bypassed',
    fails: ['bypass/test-in-the-body', 'bypass/other-bodies-have-no-effect'],
  },
  'verifies live events only': {
    does: trustsEvent((event) => event['livemode'] !== true),
    mode: 'live',
    cause: 'verification_bypassed',
    fails: ['bypass/not-live-in-the-body'],
  },
  'does not verify a ping': {
    does: trustsEvent((event) => nameOf(event) === 'ping'),
    cause: 'verification_bypassed',
    fails: ['bypass/event-of-a-test'],
  },
  'does not verify an event named test': {
    does: trustsEvent((event) => nameOf(event).endsWith('.test')),
    cause: 'verification_bypassed',
    fails: ['bypass/event-of-a-test'],
  },
  'does not verify a sandbox': {
    does: trustsEvent(({ environment }) => environment === 'sandbox'),
    cause: 'verification_bypassed',
    fails: ['bypass/claims-in-the-body', 'bypass/other-bodies-have-no-effect'],
  },
  'does not verify an amount of zero': {
    does: trustsEvent(({ amount }) => Number(amount) === 0),
    cause: 'verification_bypassed',
    fails: ['bypass/claims-in-the-body'],
  },
  'trusts a body that says it was verified': {
    does: trustsEvent(({ verified }) => verified === true),
    cause: 'verification_bypassed',
    fails: ['bypass/claims-in-the-body'],
  },

  'does not verify a request that verifies its address': {
    does: trustsEvent((event) => nameOf(event) === 'url_verification'),
    cause: 'verification_bypassed',
    fails: ['bypass/event-of-a-test'],
  },
  'trusts a body that says it is internal': {
    does: trustsEvent(({ internal }) => internal === true),
    cause: 'verification_bypassed',
    fails: ['bypass/claims-in-the-body', 'bypass/other-bodies-have-no-effect'],
  },

  // In the content type and the transfer
  'verifies only what is declared as JSON': {
    does: trustsRequest(({ headers }) => !headers['content-type']?.includes('json')),
    cause: 'verification_bypassed',
    fails: ['bypass/content-type-of-text', 'bypass/content-type-of-a-form'],
  },
  'verifies only application/json and other usual types': {
    does: trustsRequest(({ headers }) => /[+-]n?d?json\b/.test(headers['content-type'] ?? '')),
    cause: 'verification_bypassed',
    fails: ['bypass/content-type-like-json'],
  },
  'verifies only a body with a length': {
    does: trustsRequest(({ headers }) => headers['content-length'] === undefined),
    cause: 'verification_bypassed',
    fails: ['bypass/sent-in-chunks', 'bypass/other-bodies-have-no-effect'],
  },
  'verifies HTTP/1.1 only': {
    does: trustsRequest(({ httpVersion }) => httpVersion === '1.0'),
    cause: 'verification_bypassed',
    fails: ['bypass/sent-by-http-1-0', 'bypass/other-bodies-have-no-effect'],
  },
  'does not verify after 100 Continue': {
    does: trustsRequest(({ headers }) => headers.expect),
    cause: 'verification_bypassed',
    fails: ['bypass/sent-after-continue'],
  },
  'does not verify what it decompresses': {
    does: {
      ...trustsRequest(({ headers }) => headers['content-encoding']),
      join: (chunks, { headers }) =>
        headers['content-encoding'] === 'gzip'
          ? gunzipSync(Buffer.concat(chunks), { maxOutputLength: 1_000_000 })
          : Buffer.concat(chunks),
    },
    cause: 'verification_bypassed',
    fails: ['bypass/sent-compressed'],
  },
  'handles a form before it verifies it': {
    does: {
      peek(body, handle, { headers }) {
        if (headers['content-type'] === 'application/x-www-form-urlencoded') handle(tolerant(body))
      },
      effectOf: (event, before) => (before.length > 0 ? undefined : CORRECT.effectOf(event, before)),
    },
    // It also loses the refund of what was fulfilled.
    cause: 'deduplicated_by_payment_alone',
    fails: ['bypass/other-bodies-have-no-effect'],
  },

  // In the query and the headers
  'does not verify in test mode, which the query sets': {
    does: trustsRequest((request) => urlOf(request).searchParams.get('mode') === 'test'),
    cause: 'verification_bypassed',
    fails: ['bypass/test-in-the-query', 'bypass/other-headers-have-no-effect'],
  },
  'lets the query turn verification off': {
    does: trustsRequest((request) => urlOf(request).searchParams.get('verify') === 'false'),
    cause: 'verification_bypassed',
    fails: ['bypass/test-in-the-query'],
  },
  'takes the secret from the query': {
    does: {
      trusts: (header, request, body) => madeWith(urlOf(request).searchParams.get('secret'), header, body),
    },
    cause: 'verification_bypassed',
    fails: ['bypass/secret-in-the-query'],
  },
  'takes the secret from a header': {
    does: {
      trusts: (header, { headers }, body) => madeWith(text(headers['x-webhook-secret']), header, body),
    },
    cause: 'verification_bypassed',
    fails: ['bypass/secret-in-a-header'],
  },
  'trusts this machine, by X-Forwarded-For': {
    does: trustsRequest(({ headers }) => text(headers['x-forwarded-for']).startsWith('127.')),
    cause: 'verification_bypassed',
    fails: ['bypass/proxy-headers', 'bypass/other-headers-have-no-effect'],
  },
  'trusts the internal network, by X-Forwarded-For': {
    does: trustsRequest(({ headers }) => /^(?:10|192\.168)\./.test(text(headers['x-forwarded-for']))),
    cause: 'verification_bypassed',
    fails: ['bypass/proxy-headers'],
  },
  'trusts a proxy that ends TLS': {
    does: trustsRequest(({ headers }) => headers['x-forwarded-host'] === 'localhost'),
    cause: 'verification_bypassed',
    fails: ['bypass/proxy-headers'],
  },
  'trusts a gateway that says it verified': {
    does: trustsRequest(({ headers }) => headers['x-webhook-verified'] === 'true'),
    cause: 'verification_bypassed',
    fails: ['bypass/internal-headers'],
  },
  'does not verify with X-Test': {
    does: trustsRequest(({ headers }) => headers['x-test']),
    cause: 'verification_bypassed',
    fails: ['bypass/internal-headers'],
  },
  'lets a header choose the algorithm': {
    does: trustsRequest(({ headers }) => headers['x-signature-algorithm'] === 'none'),
    cause: 'verification_bypassed',
    fails: ['bypass/internal-headers', 'bypass/other-headers-have-no-effect'],
  },
  'leaves a request with Authorization to another check': {
    does: trustsRequest(({ headers }) => headers.authorization),
    cause: 'verification_bypassed',
    fails: ['bypass/other-credentials'],
  },
  'trusts the user agent of the service': {
    does: trustsRequest(({ headers }) => headers['user-agent']?.startsWith('PaymentService/')),
    cause: 'verification_bypassed',
    fails: ['bypass/headers-of-a-client'],
  },
  'handles an event before it verifies it, to debug': {
    does: {
      peek(body, handle, { headers }) {
        if (headers['x-debug'] !== undefined) handle(tolerant(body))
      },
      effectOf: (event, before) => (before.length > 0 ? undefined : CORRECT.effectOf(event, before)),
    },
    // It also loses the refund of what was fulfilled.
    cause: 'deduplicated_by_payment_alone',
    fails: ['bypass/other-headers-have-no-effect'],
  },

  'trusts a user that a gateway names': {
    does: trustsRequest(({ headers }) => headers['x-forwarded-user'] === 'admin'),
    cause: 'verification_bypassed',
    fails: ['bypass/internal-headers', 'bypass/other-headers-have-no-effect'],
  },
  'does not verify what a scheduler sends': {
    does: trustsRequest(({ headers }) => headers['x-appengine-cron']),
    cause: 'verification_bypassed',
    fails: ['bypass/internal-headers'],
  },
  'trusts a balancer of the cloud': {
    does: trustsRequest(({ headers }) => headers['x-envoy-internal'] === 'true'),
    cause: 'verification_bypassed',
    fails: ['bypass/proxy-headers'],
  },
  'leaves a delivery with the signature of another service to another check': {
    does: trustsRequest(({ headers }) => headers['x-hub-signature-256']),
    cause: 'verification_bypassed',
    fails: ['bypass/signatures-of-other-services', 'bypass/other-headers-have-no-effect'],
  },
  'does not verify a dry run, which the query asks for': {
    does: trustsRequest((request) => urlOf(request).searchParams.has('dry_run')),
    cause: 'verification_bypassed',
    fails: ['bypass/claims-in-the-query', 'bypass/other-headers-have-no-effect'],
  },

  // In the path, the method and the host
  'verifies the path without its slash only': {
    does: routes((path) => path.replace(/\/$/, '')),
    cause: 'verification_bypassed',
    fails: ['bypass/path-with-a-slash', 'bypass/other-paths-have-no-effect'],
  },
  'verifies the path in lowercase only': {
    does: routes((path) => path.toLowerCase()),
    cause: 'verification_bypassed',
    fails: ['bypass/path-in-capitals', 'bypass/other-paths-have-no-effect'],
  },
  'verifies the normalized path only': {
    does: routes((path) =>
      decodeURIComponent(path)
        .replace(/^\/+(?:\.\/)?/, '/')
        .replace(/;.*/, ''),
    ),
    fails: ['bypass/other-paths-have-no-effect'],
  },
  'verifies POST only': {
    does: { gate: () => undefined, trusts: (_, { method }) => method !== 'POST' },
    fails: ['bypass/other-methods-have-no-effect'],
  },
  'does not verify for localhost': {
    does: trustsRequest(({ headers }) => headers.host === 'localhost'),
    fails: ['bypass/other-methods-have-no-effect'],
  },
}

/** Verification that a receiver skips because of what it remembers (SPEC.md 12.8). */
export const OF_TRUST: Readonly<Record<string, Mutant>> = {
  'remembers a valid signature header': {
    does: () => remembering((header) => header),
    cause: 'verification_bypassed',
    fails: ['bypass/signature-seen-with-another-body'],
  },
  'remembers a valid signature header with the first 4 KiB of the body': rememberingPart((body) => [
    body.subarray(0, 4096),
  ]),
  'remembers a valid signature header with the last KiB of the body': rememberingPart((body) => [
    body.subarray(-1024),
  ]),
  'remembers a valid signature header with both ends of the body': rememberingPart((body) => [
    body.subarray(0, 1024),
    body.subarray(-1024),
  ]),
  'remembers a valid body': {
    does: () => remembering((_, __, body) => body.toString('base64')),
    cause: 'verification_bypassed',
    fails: ['bypass/body-seen-before'],
  },
  'remembers a verified payment': {
    does: () => remembering((_, __, body) => idOf(tolerant(body))),
    cause: 'verification_bypassed',
    fails: ['bypass/payment-seen-before', 'bypass/body-seen-before', 'bypass/forged-refund-reverses-nothing'],
  },
  'remembers a verified connection': {
    does: () => remembering((_, { socket }) => socket),
    cause: 'connection_trusted',
    fails: ['bypass/connection-verified-before'],
  },
}

/** A receiver that verifies once what `keyOf` gives, and trusts it from then on. */
function remembering(
  keyOf: (header: string, request: IncomingMessage, body: Buffer) => unknown,
): Partial<Behavior> {
  const verified = new Set<unknown>()
  const pending = new WeakMap<IncomingMessage, unknown>()
  return {
    trusts(header, request, body) {
      const key = keyOf(header, request, body)
      pending.set(request, key)
      return key !== '' && verified.has(key)
    },
    acknowledge(_, response) {
      verified.add(pending.get(response.req))
      response.writeHead(200).end()
    },
  }
}

/** The same by the header, the length of the body and some of its parts; it checks the age of each delivery. */
function rememberingPart(partsOf: (body: Buffer) => readonly Buffer[]): Mutant {
  const isFresh = (header: string) =>
    CORRECT.inWindow(Date.now() / 1000 - Number(labeled(header, 't')[0]), '')
  return {
    does: () =>
      remembering((header, _, body) => {
        const digest = createHash('sha256')
          .update(Buffer.concat(partsOf(body)))
          .digest('hex')
        return isFresh(header) ? `${header} ${body.length} ${digest}` : ''
      }),
    cause: 'verification_bypassed',
    fails: ['bypass/signature-seen-with-a-body-altered-in-one-place'],
  }
}

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceId } from '../../../conformance/contracts/service-names.ts'

/** The services that are tested here: receivers of the payment service have mutants of their own. */
export type Service = Exclude<ServiceId, 'payment-service'>

export const SECRETS: Readonly<Record<Service, string>> = {
  'standard-webhooks': `whsec_${Buffer.from('a key of 24 bytes or so!').toString('base64')}`,
  stripe: 'whsec_9wM2vXq7Lr4TzKp1BnYd8Hs',
  github: 'correct horse battery staple',
  slack: '5d1c07be9f3a4e62a8b4c0d7716e95fa',
  shopify: '8e20d4b1f7c96a3502be91d44c7fa680',
}

/** A request as a handler gets it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly rawHeaders: readonly string[]
  readonly raw: Buffer
  /** In how many pieces the body arrived. */
  readonly pieces: number
}

/** What a signature header and its stamps state. */
interface Stated {
  readonly id: string
  readonly t: string
  readonly signatures: readonly string[]
}

/** A response. */
interface Answer {
  readonly status: number
  readonly body?: string
}

/** What a receiver remembers and has done. */
export interface Inbox {
  /** Whether a key was not remembered, which it is from now on. */
  readonly isFirst: (key: string) => boolean
  readonly knows: (key: string) => boolean
  /** Does the work of a delivery, which the observer counts. */
  readonly handle: (request: Received) => void
}

/** A receiver in steps. A mistake replaces one of them. */
export interface Steps {
  /** A status that is sent before anything is verified. */
  readonly before: (request: Received) => number | undefined
  readonly stated: (request: Received) => Stated
  readonly keys: (secret: string) => readonly (string | Buffer)[]
  /** What the signature is computed over. */
  readonly text: (stated: Stated, body: Buffer) => readonly (string | Buffer)[]
  readonly body: (request: Received) => Buffer
  readonly same: (expected: string, given: string) => boolean
  readonly anyOf: (signatures: readonly string[], isValid: (one: string) => boolean) => boolean
  readonly isFresh: (t: string, now: number) => boolean
  readonly refuse: (request: Received, expected: () => string) => Answer
  /** How long each answer takes, in milliseconds. */
  readonly delayMs: number
  /** The status of a verified request. */
  readonly handle: (request: Received) => number
  /** What the response to a verified request contains. */
  readonly says: (request: Received) => string | undefined
  /** Called with each request before it is verified. */
  readonly arrived: (request: Received, inbox: Inbox) => void
  /** What redeliveries have in common. */
  readonly key: (request: Received) => string
  /** What another delivery of the same change has in common with it, where a service sends two. */
  readonly change?: (request: Received) => string | undefined
  /** Handles what was verified and is usable, and answers it with another status than `status` if it wants. */
  readonly accept: (request: Received, inbox: Inbox, status: number) => number | Promise<number>
}

const json = (raw: Buffer): Record<string, unknown> => {
  try {
    return Object(JSON.parse(raw.toString())) as Record<string, unknown>
  } catch {
    return {}
  }
}
const header = ({ headers }: Received, name: string) => String(headers[name] ?? '')
const isSame = (expected: string, given: string) =>
  expected.length === given.length &&
  timingSafeEqual(Buffer.from(expected, 'latin1'), Buffer.from(given, 'latin1'))

/** The parts of the correct receivers in which the services differ. */
const OWN: Readonly<
  Record<Service, Pick<Steps, 'stated' | 'keys' | 'text' | 'key' | 'change'> & { digest: 'hex' | 'base64' }>
> = {
  'standard-webhooks': {
    digest: 'base64',
    stated: (request) => ({
      id: header(request, 'webhook-id'),
      t: header(request, 'webhook-timestamp'),
      signatures: header(request, 'webhook-signature')
        .split(' ')
        .flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : [])),
    }),
    keys: (secret) => [Buffer.from(secret.replace(/^whsec_/, ''), 'base64')],
    key: (request) => header(request, 'webhook-id'),
    text: ({ id, t }, body) => [`${id}.${t}.`, body],
  },
  stripe: {
    digest: 'hex',
    stated: (request) => {
      const entries = header(request, 'stripe-signature')
        .split(',')
        .map((entry) => [entry.slice(0, entry.indexOf('=')), entry.slice(entry.indexOf('=') + 1)] as const)
      return {
        id: 'none',
        t: entries.find(([label]) => label === 't')?.[1] ?? '',
        signatures: entries.flatMap(([label, value]) => (label === 'v1' ? [value] : [])),
      }
    },
    keys: (secret) => [secret],
    text: ({ t }, body) => [`${t}.`, body],
    key: ({ raw }) => String(json(raw)['id']),
    change: ({ raw }) => {
      const { type, data } = json(raw)
      const { id } = Object(Object(data).object) as { id?: string }
      return id === undefined ? undefined : `${String(type)} ${id}`
    },
  },
  github: {
    digest: 'hex',
    stated: (request) => {
      const [, signature] = /^sha256=(.*)$/s.exec(header(request, 'x-hub-signature-256')) ?? []
      return {
        id: 'none',
        t: String(Math.floor(Date.now() / 1000)),
        signatures: signature === undefined ? [] : [signature],
      }
    },
    keys: (secret) => [secret],
    text: (_, body) => [body],
    key: (request) => header(request, 'x-github-delivery'),
  },
  slack: {
    digest: 'hex',
    stated: (request) => {
      const [, signature] = /^v0=(.*)$/s.exec(header(request, 'x-slack-signature')) ?? []
      return {
        id: 'none',
        t: header(request, 'x-slack-request-timestamp'),
        signatures: signature === undefined ? [] : [signature],
      }
    },
    keys: (secret) => [secret],
    text: ({ t }, body) => [`v0:${t}:`, body],
    key: ({ raw }) => String(json(raw)['event_id']),
  },
  shopify: {
    digest: 'base64',
    stated: ({ headers }) => {
      const signature = headers['x-shopify-hmac-sha256']
      return {
        id: 'none',
        t: String(Math.floor(Date.now() / 1000)),
        signatures: signature === undefined ? [] : [String(signature)],
      }
    },
    keys: (secret) => [secret],
    text: (_, body) => [body],
    key: (request) => header(request, 'x-shopify-webhook-id'),
  },
}

/** The correct receiver of a service. */
export function correct(service: Service): Steps {
  const { digest: _, ...own } = OWN[service]
  return {
    ...own,
    before: ({ method }) => (method === 'POST' ? undefined : 405),
    body: ({ raw }) => raw,
    same: isSame,
    anyOf: (signatures, isValid) => signatures.some(isValid),
    isFresh: (t, now) => /^[0-9]{1,12}$/.test(t) && Math.abs(now - Number(t)) <= 300,
    refuse: () => ({ status: 401 }),
    delayMs: 0,
    handle: ({ raw }) => {
      try {
        const event: unknown = JSON.parse(raw.toString())
        return event !== null && typeof event === 'object' && Object.keys(event).length > 0 ? 204 : 400
      } catch {
        return 400
      }
    },
    says: ({ raw }) => {
      const { type, challenge } = json(raw)
      return service === 'slack' && type === 'url_verification' ? String(challenge) : undefined
    },
    arrived: () => undefined,
    accept: (request, inbox, status) => {
      const change = own.change?.(request)
      const isFirst = inbox.isFirst(own.key(request))
      if (isFirst && (change === undefined || inbox.isFirst(change))) inbox.handle(request)
      return status
    },
  }
}

function createInbox(service: Service): Inbox & { readonly timesOf: (key: string) => number } {
  const known = new Set<string>()
  const times = new Map<string, number>()
  const timesOf = (key: string) => times.get(key) ?? 0
  return {
    isFirst(key) {
      const isFirst = !known.has(key)
      known.add(key)
      return isFirst
    },
    knows: (key) => known.has(key),
    handle(request) {
      const key = OWN[service].key(request)
      times.set(key, timesOf(key) + 1)
    },
    timesOf,
  }
}

async function answer(service: Service, steps: Steps, request: Received, inbox: Inbox): Promise<Answer> {
  steps.arrived(request, inbox)
  const early = steps.before(request)
  if (early !== undefined) return { status: early }
  const stated = steps.stated(request)
  const body = steps.body(request)
  const expected = steps.keys(SECRETS[service]).map((key) => {
    const mac = createHmac('sha256', key)
    for (const piece of steps.text(stated, body)) mac.update(piece)
    return mac.digest(OWN[service].digest)
  })
  const isValid = (one: string) => expected.some((valid) => steps.same(valid, one))
  const now = Math.floor(Date.now() / 1000)
  const isVerified =
    stated.id !== '' && steps.isFresh(stated.t, now) && steps.anyOf(stated.signatures, isValid)
  if (!isVerified) return steps.refuse(request, () => expected[0] ?? '')
  const status = steps.handle(request)
  const said = status < 300 ? steps.says(request) : undefined
  if (said !== undefined) return { status: 200, body: said }
  return { status: status < 300 ? await steps.accept(request, inbox, status) : status }
}

/** Serves a receiver for as long as `use` runs, and what it has handled at `observe`. */
export async function serving<T>(
  service: Service,
  steps: Steps,
  use: (url: string, observe: string) => Promise<T>,
): Promise<T> {
  const server = createServer((request, response) => {
    void serve(request, response).catch(() => response.destroy())
  })
  const inbox = createInbox(service)
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers, rawHeaders } = request
    const raw = Buffer.concat(chunks)
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (method === 'GET' && pathname === '/observe') {
      response.end(JSON.stringify({ handled: inbox.timesOf(searchParams.get('key') ?? '') }))
      return
    }
    let result: Answer
    try {
      result = await answer(
        service,
        steps,
        { method, url, headers, rawHeaders, raw, pieces: chunks.length },
        inbox,
      )
    } catch {
      result = { status: 500 }
    }
    if (steps.delayMs > 0) await wait(steps.delayMs, undefined, { ref: false })
    response.writeHead(result.status).end(result.body)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return await use(`${origin}/webhooks`, `${origin}/observe`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

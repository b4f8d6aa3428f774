import type { Delivery, HeaderLine } from '../delivery.ts'
import type { Kit } from '../kit.ts'

/** How long to wait for the answer to an unusual request, in milliseconds: a correct receiver may give none. */
const ANSWER_WITHIN_MS = 1_000
/** The same for a request of which a part is missing: a correct receiver waits for the rest. */
const UNFINISHED_MS = 5

/** Makes an unusual request, unsigned, as anyone on the internet can send it. */
export type Unusual = (kit: Kit) => Delivery

/** What is unusual about a request; everything else is as in a delivery with the body `{}`. */
interface Request {
  readonly method?: string
  /** Changes the path and query of the endpoint into the request target. */
  readonly route?: (path: string) => string
  /** Header lines besides the ordinary ones. */
  readonly headers?: readonly HeaderLine[]
  readonly signature?: string
  readonly contentType?: readonly string[]
  readonly body?: string | Buffer
  /** Set when `headers` frame the body. */
  readonly unframed?: true
  /** Set when a part of the request is missing. */
  readonly unfinished?: true
}

const JSON_TYPE = ['application/json']

/** An unusual request, described in a few words. */
export function unusual(change: string, request: Request): Unusual {
  const { method = 'POST', route, headers = [], signature, contentType = JSON_TYPE, body = '{}' } = request
  return (kit) => ({
    ...kit.body(body),
    role: 'context',
    change,
    method,
    ...(route !== undefined && { route }),
    headers: [...contentType.map((type): HeaderLine => ['Content-Type', type]), ...headers],
    signature: signature === undefined ? [] : [signature],
    olderSignature: [],
    transport: {
      kind: 'raw',
      version: '1.1',
      withinMs: request.unfinished === true ? UNFINISHED_MS : ANSWER_WITHIN_MS,
      ...(request.unframed === true && { unframed: true as const }),
    },
  })
}

/** An unusual request without a body. */
export function visit(method: string, target: string): Unusual {
  return unusual(`${method} ${target}`, {
    method,
    route: () => target,
    contentType: [],
    body: '',
    unframed: true,
  })
}

/** An unusual request with other header lines. */
export function withLines(change: string, ...headers: HeaderLine[]): Unusual {
  return unusual(change, { headers })
}

/** Adds to the query of the endpoint. */
export function withQuery(query: string): Unusual {
  return unusual(`the query ${query}`, {
    route: (path) => `${path}${path.includes('?') ? '&' : '?'}${query}`,
  })
}

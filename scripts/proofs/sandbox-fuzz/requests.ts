import { gzipSync } from 'node:zlib'
import { BODY_PIECES, mutate } from '../fuzz/mutate.ts'
import { between, choose, type Random } from '../shared/random.ts'
import { randomBodies } from '../shared/random-inputs.ts'
import { ROUTES, type Route } from './routes.ts'

export interface GeneratedRequest {
  /** The method and the path, for reports. */
  readonly line: string
  readonly bytes: Buffer
  /** Whether the sandbox may close the connection instead of a response. */
  readonly mayBeClosed: boolean
  /** The size of the body, in bytes. */
  readonly size: number
}

export interface RequestsOptions {
  readonly random: Random
  readonly keys: readonly string[]
  /** An id that exists, by its prefix. */
  readonly idOf: (prefix: string) => string
}

const ALL_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE']
const PATH_PIECES = '% %00 %2e%2e / // .. %ff %f0%9f%92%a9 ? # \\ A ; \u00e9 __proto__'.split(' ')
const VALUES = [
  '',
  ...`0 -1 1e9 ${'9'.repeat(30)} % %00 %ff x __proto__ tx_ true`.split(' '),
  ...`1-99999 2026-01-01 failed paused payment.completed %25_ ${'a'.repeat(2_000)}`.split(' '),
]
const TYPES = [
  'application/json',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json; charset=utf-16',
  'application/x-www-form-urlencoded; charset=utf-16',
  'multipart/form-data; boundary=x',
  'x',
  '',
]
const ODD_HEADERS = Object.entries({
  Origin: ['null', 'https://elsewhere.example'],
  'Sec-Fetch-Site': ['cross-site'],
  Authorization: ['Basic Og==', 'Basic %'],
  'Content-Encoding': ['gzip', 'br', 'x'],
  Cookie: ['a=b; a'],
  'Idempotency-Key': ['a', 'x'.repeat(5_000), '\u00e9'],
  'If-None-Match': ['*'],
  Range: ['bytes=9-1'],
  Accept: ['text/event-stream'],
  'User-Agent': ['curl'],
  'X-HTTP-Method-Override': ['DELETE'],
  Referer: ['%'],
  Host: ['[::1', 'elsewhere.example'],
}).flatMap(([name, values]) => values.map((value) => [name, value] as const))

/** Generates an endless sequence of requests: valid ones, and ones that are wrong in some ways. */
export function createRequests({ random, keys, idOf }: RequestsOptions): () => GeneratedRequest {
  const randomBody = randomBodies(random)
  const isRare = (share: number): boolean => random() < share
  const withIds = (text: string): string =>
    text.replaceAll(/:(tx|evt|dlv|we)\b/g, (_, prefix: string) => idOf(prefix))

  function targetOf({ path, query = [] }: Route): string {
    const names = query.filter(() => isRare(0.2))
    const search = names.map(
      (name) => `${name}=${isRare(0.3) ? idOf(choose(random, ['tx', 'evt'])) : choose(random, VALUES)}`,
    )
    const target = withIds(path) + (search.length > 0 ? `?${search.join('&')}` : '')
    if (!isRare(0.08)) return target
    const at = between(random, 1, target.length)
    return target.slice(0, at) + choose(random, PATH_PIECES) + target.slice(at + between(random, 0, 2))
  }

  function jsonOf(bodies: readonly object[]): Buffer {
    const valid = Buffer.from(withIds(JSON.stringify(choose(random, bodies))))
    const kind = random()
    if (kind < 0.4) return valid
    if (kind < 0.85) return mutate(valid, random, BODY_PIECES)
    if (kind < 0.95) return Buffer.from(randomBody())
    const depth = between(random, 1, choose(random, [40, 5_000, 50_000]))
    return Buffer.from(`{"amount":"1","currency":"USD","metadata":${'['.repeat(depth)}1${']'.repeat(depth)}}`)
  }

  function formOf(fields: NonNullable<Route['form']>): Buffer {
    const form = new URLSearchParams()
    for (const [name, values] of Object.entries(fields)) {
      if (!isRare(0.15)) form.append(name, withIds(choose(random, [...values, ...VALUES.slice(0, 9)])))
    }
    const bytes = Buffer.from(form.toString())
    return isRare(0.25) ? mutate(bytes, random, BODY_PIECES) : bytes
  }

  function bodyOf({ json, form }: Route): Buffer {
    if (isRare(0.01)) return large()
    if (json !== undefined) return jsonOf(json)
    return form === undefined ? Buffer.alloc(0) : formOf(form)
  }

  /** Just above or below the limits, or in many lines: expensive to read or compare. */
  function large(): Buffer {
    const size = choose(random, [16_000, 100_000, 110_000, 900_000, 1_100_000])
    const unit = choose(random, ['a', 'a=1&', '%0A', '[', '"a":1,', '\u{1f4a9}', '%5B1%2C'])
    return Buffer.concat([
      Buffer.from(choose(random, ['', 'hashed=', 'body=', '{'])),
      Buffer.from(unit.repeat(size / unit.length)),
    ])
  }

  function headersOf(route: Route, body: Buffer): [string, string][] {
    const own = route.json === undefined ? TYPES[1] : TYPES[0]
    const headers: [string, string][] = [['Host', '127.0.0.1']]
    if (body.length > 0 && !isRare(0.02))
      headers.push(['Content-Type', isRare(0.08) ? choose(random, TYPES) : (own ?? '')])
    if (route.path.startsWith('/v1') && !isRare(0.1)) headers.push(['X-API-Key', choose(random, keys)])
    if (!isRare(0.1)) return headers
    const [name, value] = choose(random, ODD_HEADERS)
    return name === 'Host' ? [[name, value], ...headers.slice(1)] : [...headers, [name, value]]
  }

  return () => {
    const route = choose(random, ROUTES)
    const method = isRare(0.05) ? choose(random, ALL_METHODS) : choose(random, route.methods)
    const target = targetOf(route).replaceAll(/[\r\n]/g, '')
    const plain = bodyOf(route)
    const body = isRare(0.02) ? gzipSync(plain) : plain
    const headers = headersOf(route, body)
    const chunk = isRare(0.1) ? between(random, 1, 4_000) : undefined
    const head = (more: string): Buffer =>
      Buffer.from(
        `${method} ${target} HTTP/1.1\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}${more}\r\n\r\n`,
      )
    const bytes =
      chunk === undefined
        ? Buffer.concat([head(`Content-Length: ${body.length}`), body])
        : Buffer.concat([head('Transfer-Encoding: chunked'), ...chunksOf(body, chunk)])
    return {
      line: `${method} ${target}`,
      bytes,
      mayBeClosed: chunk !== undefined && chunk < 256,
      size: body.length,
    }
  }
}

function chunksOf(body: Buffer, size: number): Buffer[] {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size)
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'))
  }
  return [...parts, Buffer.from('0\r\n\r\n')]
}

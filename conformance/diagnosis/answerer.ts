import type { Answer } from '../engine/exchange.ts'

/** Something else than the handler of the receiver that answered a delivery, and its product where that is known. */
export interface Answerer {
  readonly kind: 'login' | 'firewall' | 'proxy' | 'framework'
  readonly product?: Product
}

/** The products whose responses give them away. */
type Product =
  | 'Akamai'
  | 'Apache'
  | 'AWS load balancer'
  | 'Caddy'
  | 'Cloudflare'
  | 'CloudFront'
  | 'Envoy'
  | 'Express'
  | 'Fastify'
  | 'HAProxy'
  | 'Imperva'
  | 'nginx'
  | 'ngrok'
  | 'Spring'
  | 'Sucuri'
  | 'Vercel'

interface Shown {
  readonly status: number
  readonly header: (name: string) => string
  readonly body: string
}

/** The schemes of browsers and gateways. A receiver may name another one, such as Signature, with its 401. */
const LOGIN = /^(?:basic|bearer|digest|negotiate|ntlm)\b/i

/**
 * What only these write, the most specific first. A header such as Server or CF-Ray alone says nothing: it is on the
 * receiver's own responses, too.
 */
const SIGNS: readonly (readonly [Answerer, (shown: Shown) => boolean])[] = [
  [
    { kind: 'login', product: 'Vercel' },
    ({ header, status }) => status === 401 && /_vercel_sso/.test(header('set-cookie')),
  ],
  [
    { kind: 'login' },
    ({ status, header }) =>
      (status === 401 && LOGIN.test(header('www-authenticate'))) ||
      (status === 407 && header('proxy-authenticate') !== ''),
  ],
  [
    { kind: 'firewall', product: 'Cloudflare' },
    ({ header, body }) =>
      header('cf-ray') !== '' &&
      (header('cf-mitigated') !== '' || /cloudflare|^error code: 1\d{3}\b/i.test(body)),
  ],
  [
    { kind: 'firewall', product: 'CloudFront' },
    ({ body }) => body.includes('The request could not be satisfied') && /cloudfront/i.test(body),
  ],
  [
    { kind: 'firewall', product: 'Akamai' },
    ({ status, header }) => status === 403 && /^akamaighost$/i.test(header('server')),
  ],
  [{ kind: 'firewall', product: 'Imperva' }, ({ body }) => body.includes('Incapsula incident ID')],
  [{ kind: 'firewall', product: 'Sucuri' }, ({ body }) => body.includes('Sucuri WebSite Firewall')],
  [{ kind: 'proxy', product: 'ngrok' }, ({ header }) => header('ngrok-error-code') !== ''],
  [{ kind: 'proxy', product: 'Vercel' }, ({ header }) => header('x-vercel-error') !== ''],
  [{ kind: 'proxy', product: 'nginx' }, ({ body }) => /<center>(?:nginx|openresty)\b/.test(body)],
  [{ kind: 'proxy', product: 'Apache' }, ({ body }) => body.includes('<address>Apache/')],
  [
    { kind: 'proxy', product: 'AWS load balancer' },
    ({ header, body }) => header('server').startsWith('awselb/') && /<center><h1>/.test(body),
  ],
  [
    { kind: 'proxy', product: 'Envoy' },
    ({ body }) => /^(?:upstream (?:connect error|request timeout)|no healthy upstream)/.test(body),
  ],
  [
    { kind: 'proxy', product: 'HAProxy' },
    ({ body }) => /^<html><body><h1>\d{3} [\w ]+<\/h1>\n.+\n<\/body><\/html>/.test(body),
  ],
  [
    { kind: 'proxy', product: 'Caddy' },
    ({ status, header, body }) =>
      status >= 502 && status <= 504 && header('server') === 'Caddy' && body === '',
  ],
  // No receiver is a gateway.
  [{ kind: 'proxy' }, ({ status }) => status === 502 || status === 504],
  [
    { kind: 'framework', product: 'Express' },
    ({ body }) => /<title>Error<\/title>\s*<\/head>\s*<body>\s*<pre>/.test(body),
  ],
  [{ kind: 'framework', product: 'Fastify' }, ({ body }) => /^\{.*"code":"FST_ERR_/s.test(body)],
  [
    { kind: 'framework', product: 'Spring' },
    ({ body }) => /^\{"timestamp":"[^"]+","status":\d+,"error":"[^"]*"(?:,.*)?,"path":"/.test(body),
  ],
]

/** Recognizes a response that the handler of a receiver did not write; undefined for any other. */
export function answererOf({
  status,
  headers,
  body,
}: Pick<Answer, 'status' | 'headers' | 'body'>): Answerer | undefined {
  const shown: Shown = {
    status,
    header: (wanted) => headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? '',
    body: body.toString('latin1'),
  }
  return SIGNS.find(([, isShown]) => isShown(shown))?.[0]
}

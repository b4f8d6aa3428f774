import { EVENT_NAMES } from '../../../sandbox/model.ts'

/** What a request may be made of. `:tx`, `:evt`, `:dlv` and `:we` stand for ids. */
export interface Route {
  readonly methods: readonly string[]
  readonly path: string
  /** Names of query parameters. */
  readonly query?: readonly string[]
  /** Valid JSON bodies. */
  readonly json?: readonly object[]
  /** The fields of a form, with valid values. */
  readonly form?: Readonly<Record<string, readonly string[]>>
}

const URLS = ['https://shop.example/a', 'https://shop.example/b?c=d', 'https://localhost/', 'ftp://x', '//']
const METHODS = ['card', 'crypto', 'gift_card', 'pix', 'alipay', 'nothing']
const AMOUNTS = ['1', '25.00', '0', '-1', '1e9', '0.000000001', '99999999999999999999', '2']
const PAYMENT = {
  amount: '25.00',
  currency: 'USD',
  webhook_url: 'https://shop.example/hook',
  metadata: { order: 'SO-1' },
}
const ACTIONS = [
  { type: 'succeed', simulated: true },
  {
    type: 'succeed',
    settled_via: { rail: 'crypto', amount: '1', currency: 'USDC' },
    chaos: { duplicate: 2 },
  },
  { type: 'fail', failure_code: 'card_declined', failure_reason: 'x' },
  { type: 'pay_part', method: 'gift_card', amount: '1' },
  { type: 'accept_short', amount: '24' },
  { type: 'reverse', refund_type: 'chargeback' },
  { type: 'switch_method', method: 'pix' },
]
const TRIGGERS = EVENT_NAMES.map((event) => {
  const steps = ACTIONS.slice(0, 1)
  return { event, fields: { amount: '3' }, payment: PAYMENT, steps }
})
const LISTED = 'q name state mode payment from to before after resent flash count sort status'.split(' ')
const CHECKOUT = {
  action: 'succeed fail fail_with pay_part accept_short settle refund chargeback switch end_window'.split(
    ' ',
  ),
  method: METHODS,
  failure_code: ['card_declined', 'x'],
  amount: AMOUNTS,
  rail: ['crypto'],
  currency: ['USD', 'usd', ''],
}
const SENT = {
  url: URLS,
  body: ['{}', '[[[[1]]]]', 'a\r\nb', '"'],
  variant: ['payment.refunded-refund', 'x'],
  endpoint: [':we'],
}
const ENDPOINT = {
  url: URLS,
  events: EVENT_NAMES,
  mode: ['test', 'live', 'both', 'x'],
  is_enabled: ['on', ''],
  description: ['x'],
}

const get = (path: string, query: readonly string[] = []): Route => ({
  methods: ['GET', 'HEAD'],
  path,
  query,
})
const form = (path: string, fields: Record<string, readonly string[]> = {}): Route => ({
  methods: ['POST'],
  path,
  form: { ...fields, back: ['/dashboard/tea-house/events', '//elsewhere.example'] },
})

const post = (path: string, ...json: readonly object[]): Route => ({ methods: ['POST'], path, json })

const API: readonly Route[] = [
  { methods: ['GET'], path: '/v1/webhooks' },
  post('/v1/webhooks', { url: URLS[0], events: ['payment.completed'], mode: 'test' }, { url: URLS[1] }),
  { methods: ['GET', 'DELETE'], path: '/v1/webhooks/:we' },
  { methods: ['GET'], path: '/v1/payments', query: ['limit', 'starting_after', 'status'] },
  post('/v1/payments', PAYMENT, { amount: '3', currency: 'EUR' }),
  { methods: ['GET'], path: '/v1/payments/:tx' },
  post('/v1/payments/:tx/resend-webhook', {}),
  { methods: ['GET'], path: '/v1/openapi.json' },
]

const CONTROL: readonly Route[] = [
  { methods: ['GET'], path: '/sandbox/clock' },
  post('/sandbox/clock', { advance_ms: 60_000 }, { advance_ms: -1 }, { advance_ms: 1e18 }),
  { ...post('/sandbox/payments', PAYMENT), query: ['mode'] },
  post('/sandbox/payments/:tx/actions', ...ACTIONS),
  { methods: ['GET'], path: '/sandbox/events', query: ['limit', 'payment', 'state'] },
  post('/sandbox/events', ...TRIGGERS),
  post('/sandbox/events/:evt/resend', {}),
  post('/sandbox/events/:dlv/resend', {}),
]

const BASE = '/dashboard/tea-house'
const DASHBOARD: readonly Route[] = [
  ...['', '/endpoints', '/endpoints/:we', '/keys', '/catalog', '/catalog/payment.failed'].map((path) =>
    get(BASE + path),
  ),
  ...['/payments', '/events', '/log'].map((path) => get(BASE + path, [...LISTED, 'only'])),
  ...['/payments/:tx', '/events/:evt', '/events/:evt/fixture'].map((path) => get(BASE + path, ['flash'])),
  get(`${BASE}/events/:evt/compare`, ['a', 'b']),
  form(`${BASE}/events/:evt/compare`, { echoed: ['{}', '{\n"a": 1}', 'a\nb\n'] }),
  form(`${BASE}/payments`, {
    amount: AMOUNTS,
    currency: ['USD', 'x'],
    mode: ['test', 'live'],
    metadata: ['a=b', 'a'],
    webhook_url: URLS,
    return_url: URLS,
  }),
  form(`${BASE}/payments/:tx/resend`),
  form(`${BASE}/payments/:tx/reverse`, { refund_type: ['refund', 'chargeback'] }),
  form(`${BASE}/clock`, { amount: ['1', '-1', '1e99', 'x'], unit: ['hour', 'minute', 'day'] }),
  form(`${BASE}/deliveries/resend-failed`, { confirmed: ['yes', ''] }),
  form(`${BASE}/events/resend-selected`, { event: [':evt'] }),
  ...['resend', 'retry', 'cancel'].map((name) => form(`${BASE}/deliveries/:dlv/${name}`)),
  form(`${BASE}/deliveries/:dlv/send-edited`, SENT),
  form(`${BASE}/events/:evt/send`, SENT),
  form(`${BASE}/catalog/payment.refunded/send`, SENT),
  form(`${BASE}/endpoints`, ENDPOINT),
  ...['toggle', 'edit', 'roll', 'test', 'delete'].map((name) =>
    form(`${BASE}/endpoints/:we/${name}`, ENDPOINT),
  ),
  form(`${BASE}/keys`, { mode: ['test', 'live'], scopes: ['payments:read'], form_token: ['x'] }),
  form(`${BASE}/keys/key_none/revoke`),
]

const OTHER: readonly Route[] = [
  get('/'),
  get('/healthz'),
  get('/dashboard'),
  get('/assets/frame.css'),
  get('/nothing'),
  ...['/checkout', '/test/checkout'].flatMap((path) => [get(`${path}/:tx`), form(`${path}/:tx`, CHECKOUT)]),
]

/** What the sandbox serves, except for its endless streams. */
export const ROUTES: readonly Route[] = [...API, ...CONTROL, ...DASHBOARD, ...OTHER]

/** Responses that do not end. */
export const STREAMS: readonly string[] = [
  'GET /dashboard/live',
  'GET /test/checkout/:tx/live',
  'POST /sandbox/listen',
  'POST /sandbox/listen?forward_to=http://127.0.0.1:1/',
]

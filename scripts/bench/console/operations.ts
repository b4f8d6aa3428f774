import { ENDPOINT, type Filled, FORWARD_TO } from './fill.ts'

/** A running sandbox, as an operation uses it. */
export interface Target {
  readonly url: string
  readonly testKey: string
  readonly liveKey: string
  readonly filled: Filled
}

/** Something that concerns many rows at once. */
export interface Operation {
  readonly name: string
  /** SQL that gives the deliveries and payments the states that the operation needs. */
  readonly prepare: string
  /** Does it, and resolves when it is answered. */
  readonly run: (on: Target) => Promise<void>
}

const DASHBOARD = '/dashboard/tea-house'
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const all = (state: string, more = ''): string => `UPDATE deliveries SET state = '${state}'${more}`

/** Every delivery waits for a retry that is due soon. */
const FAILING = all('pending', `, next_attempt_at = ${Date.now() + HOUR_MS / 2}`)

/** All deliveries belong to the listener. */
const OF_LISTENER = `, (endpoint_id, url) = (SELECT id, url FROM endpoints WHERE id <> '${ENDPOINT}')`

/** Partly paid with gift cards: the windows of 10,000 payments end one after the other within 22 hours. */
const WINDOWS = `UPDATE payments SET status = 'partial', method = 'gift_card', amount_received = '1.00',
  window_ends_at = ${Date.now() + HOUR_MS} + seq * 8 * 1000 WHERE seq <= 10000`

/** As many as a page has. */
const SELECTED = Array.from({ length: 20 }, (_, index): [string, string] => [
  'event',
  `evt_measured${index * 7 + 5}a`,
])

/** Creates deliveries and sends them, with a form of the dashboard. */
export const WARM_UP: Operation = {
  name: 'resend a page of events',
  prepare: all('failed'),
  run: form('/events/resend-selected', SELECTED),
}

const RESEND_FAILED = '/deliveries/resend-failed'
const CONFIRMED: [string, string][] = [['confirmed', 'yes']]
const endpoint = (action: string, fields?: [string, string][]) =>
  form(`/endpoints/${ENDPOINT}/${action}`, fields)
const DISABLED = `UPDATE endpoints SET is_enabled = 0 WHERE id = '${ENDPOINT}'`
const DUE = `${FAILING}; ${WINDOWS}`

export const OPERATIONS: readonly Operation[] = [
  { name: 'resend all failed, until it asks', prepare: all('failed'), run: form(RESEND_FAILED) },
  { name: 'resend all failed, confirmed', prepare: all('failed'), run: form(RESEND_FAILED, CONFIRMED) },
  { name: 'retry all failing now', prepare: FAILING, run: form(RESEND_FAILED, CONFIRMED) },
  WARM_UP,
  {
    name: 'delete the endpoint, API',
    prepare: FAILING,
    run: async (on) => {
      const headers = { 'X-API-Key': on.testKey }
      await request(on, `/v1/webhooks/${ENDPOINT}`, { method: 'DELETE', headers })
    },
  },
  { name: 'delete the endpoint, dashboard', prepare: FAILING, run: endpoint('delete') },
  { name: 'roll its secret', prepare: FAILING, run: endpoint('roll') },
  {
    name: 'edit its events and mode',
    prepare: FAILING,
    run: endpoint('edit', [
      ['url', 'https://shop.example/webhooks'],
      ['events', 'payment.completed'],
      ['mode', 'both'],
    ]),
  },
  { name: 'disable it', prepare: FAILING, run: endpoint('toggle', [['is_enabled', 'false']]) },
  {
    name: 'enable it',
    prepare: `${FAILING}; ${DISABLED}`,
    run: endpoint('toggle', [['is_enabled', 'true']]),
  },
  {
    name: 'listen with 100,000 paused, then stop',
    prepare: all('paused', OF_LISTENER),
    run: async (on) => {
      const ending = new AbortController()
      const { body } = await request(on, `/sandbox/listen?forward_to=${FORWARD_TO}`, {
        method: 'POST',
        signal: ending.signal,
      })
      await body?.getReader().read()
      await new Promise((resolve) => setTimeout(resolve, 1500))
      ending.abort()
    },
  },
  { name: 'advance the clock by an hour, API', prepare: DUE, run: advance(HOUR_MS) },
  { name: 'advance the clock by 3 days, API', prepare: DUE, run: advance(3 * DAY_MS) },
  { name: 'advance the clock by 5 years, API', prepare: DUE, run: advance(5 * 365 * DAY_MS) },
  {
    name: 'advance the clock by 3 days, dashboard',
    prepare: DUE,
    run: form('/clock', [
      ['count', '3'],
      ['unit', 'days'],
    ]),
  },
  {
    name: 'trigger payment.expired',
    prepare: DUE,
    run: postJson('/sandbox/events', {
      event: 'payment.expired',
      fields: {},
      payment: { amount: '1.99', currency: 'USD' },
      steps: [{ type: 'pay_part', method: 'gift_card', amount: '1.00' }],
    }),
  },
  {
    name: 'reset',
    prepare: FAILING,
    run: async (on) => void (await request(on, '/sandbox/reset', { method: 'POST' })),
  },
]

/** An operation that submits a form of the dashboard. */
function form(path: string, fields: [string, string][] = []): Operation['run'] {
  return async (on) => {
    await request(on, DASHBOARD + path, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { Origin: on.url },
      redirect: 'manual',
    })
  }
}

function postJson(path: string, value: object): Operation['run'] {
  const headers = { 'Content-Type': 'application/json' }
  return async (on) =>
    void (await request(on, path, { method: 'POST', body: JSON.stringify(value), headers }))
}

function advance(ms: number): Operation['run'] {
  return postJson('/sandbox/clock', { advance_ms: ms })
}

async function request({ url }: Target, path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url + path, init)
  if (response.status < 400) return response
  throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}

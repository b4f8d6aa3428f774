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

export const OPERATIONS: readonly Operation[] = [
  {
    name: 'resend all failed, until it asks',
    prepare: all('failed'),
    run: form('/deliveries/resend-failed'),
  },
  {
    name: 'resend all failed, confirmed',
    prepare: all('failed'),
    run: form('/deliveries/resend-failed', [['confirmed', 'yes']]),
  },
  {
    name: 'retry all failing now',
    prepare: FAILING,
    run: form('/deliveries/resend-failed', [['confirmed', 'yes']]),
  },
  WARM_UP,
  {
    name: 'delete the endpoint, API',
    prepare: FAILING,
    run: async (on) => {
      await request(on, `/v1/webhooks/${ENDPOINT}`, {
        method: 'DELETE',
        headers: { 'X-API-Key': on.testKey },
      })
    },
  },
  {
    name: 'delete the endpoint, dashboard',
    prepare: FAILING,
    run: form(`/endpoints/${ENDPOINT}/delete`),
  },
  { name: 'roll its secret', prepare: FAILING, run: form(`/endpoints/${ENDPOINT}/roll`) },
  {
    name: 'edit its events and mode',
    prepare: FAILING,
    run: form(`/endpoints/${ENDPOINT}/edit`, [
      ['url', 'https://shop.example/webhooks'],
      ['events', 'payment.completed'],
      ['mode', 'both'],
    ]),
  },
  {
    name: 'disable it',
    prepare: FAILING,
    run: form(`/endpoints/${ENDPOINT}/toggle`, [['is_enabled', 'false']]),
  },
  {
    name: 'enable it',
    prepare: `${FAILING}; UPDATE endpoints SET is_enabled = 0 WHERE id = '${ENDPOINT}'`,
    run: form(`/endpoints/${ENDPOINT}/toggle`, [['is_enabled', 'true']]),
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
  {
    name: 'advance the clock by an hour, API',
    prepare: `${FAILING}; ${WINDOWS}`,
    run: (on) => advance(on, HOUR_MS),
  },
  {
    name: 'advance the clock by 3 days, API',
    prepare: `${FAILING}; ${WINDOWS}`,
    run: (on) => advance(on, 3 * DAY_MS),
  },
  {
    name: 'advance the clock by 5 years, API',
    prepare: `${FAILING}; ${WINDOWS}`,
    run: (on) => advance(on, 5 * 365 * DAY_MS),
  },
  {
    name: 'advance the clock by 3 days, dashboard',
    prepare: `${FAILING}; ${WINDOWS}`,
    run: form('/clock', [
      ['count', '3'],
      ['unit', 'days'],
    ]),
  },
  {
    name: 'trigger payment.expired',
    prepare: `${FAILING}; ${WINDOWS}`,
    run: async (on) => {
      const payment = { amount: '1.99', currency: 'USD' }
      const steps = [{ type: 'pay_part', method: 'gift_card', amount: '1.00' }]
      const body = JSON.stringify({ event: 'payment.expired', fields: {}, payment, steps })
      const headers = { 'Content-Type': 'application/json' }
      await request(on, '/sandbox/events', { method: 'POST', body, headers })
    },
  },
  {
    name: 'reset',
    prepare: FAILING,
    run: async (on) => {
      await request(on, '/sandbox/reset', { method: 'POST' })
    },
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

const advance = async (on: Target, ms: number): Promise<void> => {
  const body = JSON.stringify({ advance_ms: ms })
  await request(on, '/sandbox/clock', {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  })
}

async function request({ url }: Target, path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url + path, init)
  if (response.status < 400) return response
  throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
}

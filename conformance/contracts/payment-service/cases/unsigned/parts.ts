import { type Delivery, type HeaderLine } from '../../delivery.ts'
import { type Mutation, routed, withHeaders } from '../../mutate.ts'

/** Fields that a part of the request names, besides those of the signed body. */
export type Named = Readonly<Record<string, string>>

/** Adds a query that names the fields. The delivery remains valid. */
export const inQuery = (named: Named): Mutation => {
  const added = new URLSearchParams(named).toString()
  return routed(`the query ${added}`, (path) => `${path}${path.includes('?') ? '&' : '?'}${added}`)
}

/** Adds headers and cookies that name the fields, in the spellings of webhook services. The delivery remains valid. */
export const inHeaders = (named: Named): Mutation => {
  const lines = Object.entries(named).flatMap(([name, value]) =>
    (SPELLINGS[name] ?? [`X-${name}`]).map((spelling): HeaderLine => [spelling, value]),
  )
  const cookies = Object.entries(named).map(([name, value]) => `${name}=${value}`)
  const [[first] = ['']] = lines
  return withHeaders(`${first} and ${lines.length} other headers that name fields`, ...lines, [
    'Cookie',
    cookies.join('; '),
  ])
}

const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  event: ['X-Event', 'X-Event-Type', 'X-Event-Name', 'X-Webhook-Event', 'X-Webhook-Topic', 'Event-Type'],
  status: ['X-Status', 'X-Payment-Status'],
  id: ['X-Id', 'X-Resource-Id'],
  payment_id: ['X-Payment-Id', 'Payment-Id'],
  order_id: ['X-Order-Id', 'Order-Id'],
  amount: ['X-Amount', 'X-Payment-Amount', 'Amount'],
  currency: ['X-Currency', 'Currency'],
  livemode: ['X-Livemode', 'X-Live-Mode'],
  test: ['X-Test', 'X-Test-Mode'],
}

/** Headers by which receivers recognize a request that was sent before. The signature covers none of them. */
const REQUEST_IDS = [
  'Idempotency-Key',
  'X-Idempotency-Key',
  'X-Request-Id',
  'Request-Id',
  'X-Correlation-Id',
  'Webhook-Id',
  'X-Webhook-Id',
  'X-Event-Id',
  'X-Delivery-Id',
  'Svix-Id',
]

/** Adds the same id in each of the headers that identify a request. The delivery remains valid. */
export const withRequestId = (id: string): Mutation =>
  withHeaders(
    `${REQUEST_IDS[0]}, ${REQUEST_IDS[2]} and the like with ${id}`,
    ...REQUEST_IDS.map((name): HeaderLine => [name, id]),
  )

/** Adds headers that state a time, in Unix seconds. The delivery keeps its `t`. */
export const withTimes = (delivery: Delivery, change: string, seconds: number): Delivery => ({
  ...delivery,
  change,
  headers: [
    ...delivery.headers,
    ['Date', new Date(seconds * 1000).toUTCString()],
    ...TIMES.map((name): HeaderLine => [name, String(seconds)]),
    ['X-Request-Start', `t=${seconds * 1000}`],
  ],
})

const TIMES = [
  'X-Timestamp',
  'X-Request-Timestamp',
  'X-Request-Time',
  'X-Webhook-Timestamp',
  'Webhook-Timestamp',
  'X-Service-Timestamp',
]

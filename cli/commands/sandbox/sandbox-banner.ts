import { type Ack, type Chaos, parseRoute, type ScheduleName } from '../../../sandbox/deliveries/index.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { slugOf } from '../../../sandbox/slug.ts'
import { chaosText } from '../../shared/chaos.ts'

/** How the sandbox was started, as far as it matters to the person before it. */
export interface Started {
  /** Undefined when nothing is kept. */
  readonly file: string | undefined
  readonly routes: readonly string[]
  readonly seed: string | undefined
  readonly botProtection: boolean
  readonly schedule: ScheduleName
  readonly ack: Ack
  readonly chaos: Chaos | undefined
  /** How far the sandbox's clock is ahead of real time, in milliseconds. */
  readonly aheadMs: number
}

/** What a program needs to work with a sandbox, as a line of JSON. */
export function asJson({ url, apiUrl, testKey, liveKey, secret }: Sandbox, { file }: Started): string {
  const told = {
    url,
    api_url: apiUrl,
    dashboard: `${url}/`,
    test_key: testKey,
    live_key: liveKey,
    signing_secret: secret,
    file: file ?? null,
  }
  return `${JSON.stringify(told)}\n`
}

/** The same for a person, with what to do next. */
export function shown(sandbox: Sandbox, started: Started): string {
  const { url, apiUrl, testKey, liveKey, secret, organizations } = sandbox
  const { file, routes } = started
  const rows = [
    ['base URL', apiUrl],
    ['test key', testKey],
    ['live key', liveKey],
    ['signing secret', secret],
    ['dashboard', `${url}/`],
    ['kept in', file ?? 'memory only'],
    ...routes.map((route) => {
      const { from, to } = parseRoute(route)
      return ['route', `${from.href} goes to ${to.href}`]
    }),
    ...unusual(started),
  ]
  const [first] = organizations
  const desk = first === undefined ? `${url}/` : `${url}/dashboard/${slugOf(first)}/keys`
  return [
    'The sandbox is running; no money moves. Ctrl-C stops it.',
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(16)}${value}`),
    '',
    `${keysLine(started)} Further keys, shown once each: ${desk}`,
    'The signing secret is that of what goes to the webhook_url of a payment, and of `npx hookproof listen`; a registered',
    'endpoint has its own, in the answer that creates it.',
    '',
    'Create a payment, open its checkout_url and press Simulate Success:',
    '',
    curlOf(sandbox, started),
    '',
    ...wayHome(routes),
    '',
  ].join('\n')
}

/** What is not as it is by itself: a row each. */
function unusual({ schedule, ack, chaos, botProtection, aheadMs }: Started): string[][] {
  const rows: string[][] = []
  if (chaos !== undefined) rows.push(['chaos', `${chaosText(chaos)}: in every delivery`])
  if (ack === 'strict') rows.push(['acknowledged', 'by status 200 alone'])
  if (schedule !== 'fast') rows.push(['retries', `${schedule}: the last comes more than a day later`])
  if (botProtection) rows.push(['bot protection', 'on: requests need a User-Agent of their own'])
  // Starting takes a moment, and a clock that was only read is not ahead.
  if (aheadMs >= 1000) rows.push(['clock', `${new Date(Date.now() + aheadMs).toISOString()}, and it runs on`])
  return rows
}

function keysLine({ file, seed }: Started): string {
  if (file !== undefined) return `These keys are the same at each start on ${file}.`
  return seed === undefined
    ? 'These keys end with this run; --seed keeps them the same.'
    : 'These keys are the same at each start with this seed.'
}

/** Works when it is pasted into a shell as it stands. */
function curlOf({ apiUrl, testKey }: Sandbox, { routes, botProtection }: Started): string {
  const webhookUrl = routes.map(webhookOf)[0]
  const body = { amount: '25.00', currency: 'USD', ...(webhookUrl && { webhook_url: webhookUrl }) }
  return [
    `  curl -sS ${quoted(`${apiUrl}/payments`)} \\`,
    `    -H ${quoted(`X-API-Key: ${testKey}`)} -H 'Content-Type: application/json' \\`,
    // Its own name would be turned away.
    ...(botProtection ? ["    -A 'tea-house/1.0' \\"] : []),
    `    -d ${quoted(JSON.stringify(body))}`,
  ].join('\n')
}

/** An address that a route covers: that of the reference receiver, unless the route leads to one address alone. */
function webhookOf(route: string): string {
  const { from } = parseRoute(route)
  return from.pathname.endsWith('/') ? new URL('webhooks', from).href : from.href
}

function wayHome(routes: readonly string[]): string[] {
  if (routes.length > 0) return ['`npx hookproof listen` prints each attempt.']
  return [
    'To have the webhooks sent to a receiver on this machine, run this beside it:',
    '',
    '  npx hookproof listen --forward-to http://localhost:3000/webhooks',
    '',
    'or start with --route https://shop.example/=http://localhost:3000/ and create payments with',
    '"webhook_url": "https://shop.example/webhooks".',
  ]
}

/** For a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

import { shellQuoted } from '../../../fixtures/shell.ts'
import { parseRoute } from '../../../sandbox/deliveries/routes.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { slugOf } from '../../../sandbox/pages/addresses.ts'
import { DEFAULT_SANDBOX } from '../../shared/sandbox-client.ts'

/** The settings of a started sandbox that matter to its user. */
export interface SandboxSettings {
  /** Undefined when nothing is stored. */
  readonly file: string | undefined
  readonly routes: readonly string[]
  readonly seed: string | undefined
  /** Admits other machines to the dashboard. */
  readonly password: string | undefined
  readonly botProtection: boolean
}

/** Address and keys for a program, as one line of JSON. */
export function jsonText(
  { url, apiUrl, testKey, liveKey, secret }: Sandbox,
  { file, password }: SandboxSettings,
): string {
  const content = {
    url,
    api_url: apiUrl,
    dashboard: `${url}/`,
    test_key: testKey,
    live_key: liveKey,
    signing_secret: secret,
    file: file ?? null,
    ...(password !== undefined && { dashboard_password: password }),
  }
  return `${JSON.stringify(content)}\n`
}

/** The same for a person, with the next steps. */
export function bannerText(sandbox: Sandbox, settings: SandboxSettings): string {
  const { url, apiUrl, testKey, liveKey, secret, organizations } = sandbox
  const { file, routes } = settings
  const rows = [
    ['base URL', apiUrl],
    ['test key', testKey],
    ['live key', liveKey],
    ['signing secret', secret],
    ['dashboard', `${url}/`],
    ['stored in', file ?? 'memory only'],
    ...routes.map((route) => {
      const { from, to } = parseRoute(route)
      return ['route', `${from.href} is forwarded to ${to.href}`]
    }),
    ...unusual(sandbox, settings),
  ]
  const [first] = organizations
  const keysPage = first === undefined ? `${url}/` : `${url}/dashboard/${slugOf(first)}/keys`
  return [
    'The sandbox is running. No money moves. Press Ctrl-C to stop it.',
    '',
    ...rows.map(([name = '', value = '']) => `  ${name.padEnd(16)}${value}`),
    '',
    `${keysLine(settings)} More keys, each shown once: ${keysPage}`,
    "The signing secret signs webhooks sent to a payment's webhook_url and to `npx hookproof listen`. A registered endpoint",
    'has its own secret, in the response that creates it.',
    '',
    'Create a payment, open its checkout_url and click Simulate Success:',
    '',
    curlOf(sandbox, settings),
    '',
    ...forwardingHelp(sandbox, routes),
    '',
  ].join('\n')
}

/** A row for each setting that is not the default. */
function unusual({ settings, now }: Sandbox, { password }: SandboxSettings): string[][] {
  return [
    ...(password === undefined
      ? []
      : [['password', `${password} (dashboard on other machines, any user name)`]]),
    ...settings.map(({ name, text }) => [name.toLowerCase(), text]),
    // Starting takes a moment, so a clock that was not advanced may differ a little.
    ...(now() - Date.now() < 1000 ? [] : [['clock', `${new Date(now()).toISOString()} and running`]]),
  ]
}

function keysLine({ file, seed }: SandboxSettings): string {
  if (file !== undefined) return `These keys stay the same with ${file}.`
  return seed === undefined
    ? 'These keys are for this run only; --seed makes them permanent.'
    : 'These keys stay the same with this seed.'
}

/** A command that can be pasted into a shell. */
function curlOf({ apiUrl, testKey }: Sandbox, { routes, botProtection }: SandboxSettings): string {
  const webhookUrl = routes.map(webhookOf)[0]
  const body = { amount: '25.00', currency: 'USD', ...(webhookUrl && { webhook_url: webhookUrl }) }
  return [
    `  ${shellQuoted(['curl', '-sS', `${apiUrl}/payments`])} \\`,
    `    ${shellQuoted(['-H', `X-API-Key: ${testKey}`, '-H', 'Content-Type: application/json'])} \\`,
    // Bot protection refuses curl's own name.
    ...(botProtection ? [`    ${shellQuoted(['-A', 'tea-house/1.0'])} \\`] : []),
    `    ${shellQuoted(['-d', JSON.stringify(body)])}`,
  ].join('\n')
}

/** An address that a route covers: the route's own, or the reference receiver's path below it. */
function webhookOf(route: string): string {
  const { from } = parseRoute(route)
  return from.pathname.endsWith('/') ? new URL('webhooks', from).href : from.href
}

function forwardingHelp({ url, secret }: Sandbox, routes: readonly string[]): string[] {
  const at = url === DEFAULT_SANDBOX ? '' : ` --sandbox ${url}`
  if (routes.length > 0) return [`\`npx hookproof listen${at}\` prints each attempt.`]
  return [
    'To forward webhooks to a receiver on this machine, run in another terminal:',
    '',
    `  npx hookproof listen --forward-to http://localhost:3000/webhooks${at}`,
    '',
    'If you have no receiver yet, start the reference receiver in a third one:',
    '',
    `  ${shellQuoted(['npx', 'hookproof', 'receive', '--secret', secret, '--inbox', 'memory'])}`,
    '',
    'To send a first event without a checkout:',
    '',
    `  npx hookproof trigger payment.completed${at}`,
    '',
    'To keep the webhook URLs of your code, start the sandbox with --route https://shop.example/=http://localhost:3000/',
    'and create payments with "webhook_url": "https://shop.example/webhooks".',
  ]
}

import { expect } from 'vitest'
import { sign } from '../../../fixtures/index.ts'
import type { Sandbox } from '../../../sandbox/index.ts'
import { type Answer, endpoint, payment, receiver, sandbox } from '../support.ts'

/** The URL of the first organization's dashboard. */
export const dashboardOf = (on: Sandbox): string => `${on.url}/dashboard/tea-house`

/** Loads a screen as a browser does. */
export async function screen(address: string): Promise<{ status: number; headers: Headers; html: string }> {
  const response = await fetch(address, { redirect: 'manual' })
  return { status: response.status, headers: response.headers, html: await response.text() }
}

/** Submits a form from the sandbox's own page, as a browser does, without following the redirect. */
export async function send(
  address: string,
  form: Record<string, string> | [string, string][] = {},
  headers: Record<string, string> = {},
): Promise<{ status: number; location: string; html: string }> {
  const { origin } = new URL(address)
  const body = new URLSearchParams(form)
  const sent = { Origin: origin, 'Sec-Fetch-Site': 'same-origin', ...headers }
  const response = await fetch(address, { method: 'POST', body, headers: sent, redirect: 'manual' })
  const location = response.headers.get('location') ?? ''
  return { status: response.status, location, html: await response.text() }
}

/** Checks the signature of a delivery against the received bytes. Interface 5.3. */
export function expectSigned(
  delivery: { headers: Record<string, string | string[] | undefined>; body: Uint8Array } | undefined,
  secret: string,
): void {
  const header = String(delivery?.headers['x-service-signature'])
  const t = /^t=(\d+)/.exec(header)?.[1] ?? ''
  expect(header).toBe(sign({ secret, t, body: delivery?.body ?? Buffer.of() }).header)
}

/** The counts of a recipient: those delivered, and the others that are not 0. */
export const countsIn = (html: string): string[] =>
  [...(/class="counts">(.*?)<\/span>\n/.exec(html)?.[1] ?? '').matchAll(/>([^<]+)<\/(?:span|a)>/g)].map(
    ([, text]) => text ?? '',
  )

/** The URL of every screen of the dashboard. */
export async function everyScreen(on: Sandbox, paymentId: string): Promise<string[]> {
  const dashboard = dashboardOf(on)
  const { html } = await screen(`${dashboard}/events?payment=${paymentId}`)
  const event = /\/events\/(evt_\w+)"/.exec(html)?.[1]
  const endpoint = /\/endpoints\/(we_\w+)"/.exec((await screen(`${dashboard}/endpoints`)).html)?.[1]
  const paths = ['', '/payments', `/payments/${paymentId}`, '/events', '/endpoints', '/keys', '/log']
  paths.push('/catalog', '/catalog/payment.failed')
  if (event !== undefined) paths.push(`/events/${event}`, `/events/${event}/compare`)
  if (endpoint !== undefined) paths.push(`/endpoints/${endpoint}`)
  return paths.map((path) => dashboard + path)
}

/** A sandbox with an endpoint and a completed payment whose event was sent. */
export async function delivered(answer: () => Answer = () => 200) {
  const { got, route } = await receiver(answer)
  const on = await sandbox({ routes: [route], schedule: [3_600_000] })
  const { id: endpointId, secret } = await endpoint(on, {
    url: 'https://shop.example/webhooks',
    mode: 'test',
  })
  const id = await payment(on, { metadata: { note: '<script>alert(1)</script>' } })
  const { event } = on.act(id, { type: 'succeed', simulated: true })
  await on.idle()
  return { on, got, id, event, endpointId, secret, dashboard: dashboardOf(on) }
}

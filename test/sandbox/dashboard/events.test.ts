import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { missingProgram, requires } from '../../support/prerequisites.ts'
import { payment, receiver, sandbox } from '../support.ts'
import { dashboardOf, delivered, expectSigned, screen, send } from './support.ts'

const deliveryIn = (html: string): string => /dlv_\w+/.exec(html)?.[0] ?? ''

it('redirects from the root to the first organization', async () => {
  const on = await sandbox()
  expect((await screen(on.url)).headers.get('location')).toBe('/dashboard/tea-house')
  expect((await screen(dashboardOf(on))).status).toBe(200)
})

it('shows the exact bytes of an event, the headers and the signed payload, escaped', async () => {
  const { on, got, event, dashboard } = await delivered()
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  const body = Buffer.from(event.body).toString()
  const escaped = body
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
  const header = String(got[0]?.headers['x-service-signature'])
  expect(html).not.toContain('<script>alert')
  expect(html).toContain(`>${escaped}</pre>`)
  expect(html).toContain(`X-Service-Signature: ${header}`)
  expect(html).toContain(`>${/\d+/.exec(header)?.[0]}.${escaped}</pre>`)
  expect(html).toContain(`${event.body.length} bytes`)
  await on.idle()
})

it('downloads an event as a fixture, byte for byte', async () => {
  const { event, dashboard } = await delivered()
  const response = await fetch(`${dashboard}/events/${event.id}/fixture`)
  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(event.body))
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename=payment.completed-${event.id}.json`,
  )
})

requires(missingProgram('openssl', 'version') ?? missingProgram('curl')).test(
  'shows a delivery as a shell script that the receiver accepts',
  async () => {
    const { got, id, event, secret, dashboard, on } = await delivered()
    const { html } = await screen(`${dashboard}/events/${event.id}`)
    const escaped = /data-copy="as curl">([^<]*)</.exec(html)?.[1] ?? ''
    const script = escaped
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
    const { stdout } = await promisify(execFile)('sh', ['-c', script])
    expect(stdout).toMatch(/^HTTP\/1\.1 200/)
    expect(got).toHaveLength(2)
    expect(got[1]?.body).toEqual(Buffer.from(event.body))
    expect(got[1]?.body.toString()).toContain(id)
    expectSigned(got[1], secret)
    await on.idle()
  },
)

it('resends the same bytes with a new signature', async () => {
  const { on, got, event, secret, dashboard } = await delivered()
  const { html } = await screen(`${dashboard}/events`)
  const { status, location } = await send(`${dashboard}/deliveries/${deliveryIn(html)}/resend`, {
    back: '/dashboard/tea-house/events?name=payment.completed',
  })
  await on.idle()
  expect([status, location]).toEqual([303, '/dashboard/tea-house/events?name=payment.completed&flash=resent'])
  expect((await screen(on.url + location)).html).toContain('Resending the same body with a new signature.')
  expect(got).toHaveLength(2)
  expect(got[1]?.body).toEqual(Buffer.from(event.body))
  expectSigned(got[1], secret)
})

it('sends an edited body, signed as is', async () => {
  const { on, got, event, secret, dashboard } = await delivered()
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  // A browser sends a line break as CR LF and leaves spaces unchanged.
  await send(`${dashboard}/deliveries/${deliveryIn(html)}/send-edited`, { body: ' {"event":\r\n"ünïcode"} ' })
  await on.idle()
  expect(got[1]?.body.toString()).toBe(' {"event":\n"ünïcode"} ')
  expectSigned(got[1], secret)
  expect((await screen(`${dashboard}/events/${event.id}`)).html).toContain('>edited<')
})

it('retries now, rejects actions on a finished delivery, and resends all failed deliveries', async () => {
  let status = 500
  const { on, got, event, dashboard } = await delivered(() => status)
  const list = () => screen(`${dashboard}/events`)
  const id = deliveryIn((await list()).html)
  expect((await list()).html).toContain('>failing<')
  // The schedule has one retry, so the second failure is final.
  await send(`${dashboard}/deliveries/${id}/retry`)
  await on.idle()
  expect(got).toHaveLength(2)
  expect((await screen(`${dashboard}/events?state=failed`)).html).toContain(event.id)
  expect((await send(`${dashboard}/deliveries/${id}/retry`)).status).toBe(409)
  expect((await send(`${dashboard}/deliveries/${id}/cancel`)).html).toContain(
    'The delivery has already ended.',
  )
  status = 200
  const { location } = await send(`${dashboard}/deliveries/resend-failed`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('Resending 1 failed delivery.')
  expect(got).toHaveLength(3)
  const again = await send(`${dashboard}/deliveries/resend-failed`)
  expect((await screen(on.url + again.location)).html).toContain('No failed deliveries to resend.')
})

it('cancels a pending delivery', async () => {
  const { on, got, dashboard } = await delivered(() => 500)
  const id = deliveryIn((await screen(`${dashboard}/events`)).html)
  await send(`${dashboard}/deliveries/${id}/cancel`)
  on.advance(3_600_000 * 2)
  await on.idle()
  expect(got).toHaveLength(1)
  expect((await screen(`${dashboard}/events?state=canceled`)).html).toContain(id)
})

it('filters events by name, delivery state, mode and payment', async () => {
  const { on, id, event, dashboard } = await delivered()
  const other = await payment(on)
  const { event: failed } = on.act(other, { type: 'fail', simulated: true })
  await on.idle()
  const shows = async (query: string) => {
    const { html } = await screen(`${dashboard}/events?${query}`)
    return [event.id, failed.id].filter((id) => html.includes(`id="${id}"`))
  }
  expect(await shows('')).toEqual([event.id, failed.id])
  expect(await shows('name=payment.failed')).toEqual([failed.id])
  expect(await shows('state=delivered')).toEqual([event.id, failed.id])
  expect(await shows('state=failed')).toEqual([])
  expect(await shows('mode=live')).toEqual([])
  expect(await shows(`payment=${id}`)).toEqual([event.id])
  expect(await shows(`before=${failed.id}`)).toEqual([event.id])
  expect(await shows('name=nonsense')).toEqual([event.id, failed.id])
})

it('resends only the failed deliveries of the filtered events', async () => {
  let status = 500
  const { on, got, id, dashboard } = await delivered(() => status)
  for (const type of ['fail', 'succeed'] as const) on.act(await payment(on), { type })
  await on.idle()
  // The schedule has one retry, so the second failure is final.
  on.advance(3_600_000 * 2)
  await on.idle()
  expect(got).toHaveLength(6)
  status = 200
  const resendFailed = async (query: string) => {
    const { html } = await screen(`${dashboard}/events?${query}`)
    const [, action = ''] = /action="([^"]*resend-failed[^"]*)"/.exec(html) ?? []
    const { location } = await send(on.url + action.replaceAll('&amp;', '&'), {
      back: `/dashboard/tea-house/events?${query}`,
    })
    await on.idle()
    return (await screen(on.url + location)).html
  }
  expect((await screen(`${dashboard}/events`)).html).toContain('>Resend all failed<')
  expect((await screen(`${dashboard}/events?state=failed`)).html).toContain('>Resend failed (filtered)<')
  expect(await resendFailed('state=delivered')).toContain('No failed deliveries to resend.')
  expect(await resendFailed(`payment=${id}&name=payment.completed`)).toContain('Resending 1 failed delivery.')
  expect(JSON.parse(String(got[6]?.body))).toMatchObject({ payment_id: id })
  expect(await resendFailed('name=payment.failed&mode=live')).toContain('No failed deliveries to resend.')
  expect(await resendFailed('name=payment.failed')).toContain('Resending 1 failed delivery.')
  expect(await resendFailed('')).toContain('Resending 1 failed delivery.')
  const disabled = '<button class="plain" disabled>Resend'
  expect((await screen(`${dashboard}/events`)).html).toContain(`${disabled} all failed<`)
  expect((await screen(`${dashboard}/events?q=nothing`)).html).toContain(`${disabled} failed (filtered)<`)
  expect((await screen(`${dashboard}/events?name=payment.failed`)).html).not.toContain(disabled)
  expect(await resendFailed('state=failed')).toContain('No failed deliveries to resend.')
  expect(got).toHaveLength(9)
})

it('resends nothing to a deleted endpoint', async () => {
  const { on, got, endpointId, dashboard } = await delivered(() => 500)
  on.advance(3_600_000 * 2)
  await on.idle()
  await send(`${dashboard}/endpoints/${endpointId}/delete`)
  const { location } = await send(`${dashboard}/deliveries/resend-failed`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('No failed deliveries to resend.')
  expect(got).toHaveLength(2)
})

it('sends an edited body while the delivery is pending', async () => {
  const { on, got, event, secret, dashboard } = await delivered(() => 500)
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  expect(html).toContain('>failing<')
  const [, action = ''] = /action="([^"]*\/send-edited)"/.exec(html) ?? []
  await send(on.url + action, { body: '{"mine":true}' })
  await on.idle()
  expect(got[1]?.body.toString()).toBe('{"mine":true}')
  expectSigned(got[1], secret)
})

it('sends an undelivered event to a custom URL', async () => {
  const { got, route } = await receiver()
  const on = await sandbox({ routes: [route] })
  const { event } = on.act(await payment(on), { type: 'succeed' })
  const address = `${dashboardOf(on)}/events/${event.id}`
  const body = Buffer.from(event.body).toString()
  expect((await screen(address)).html).toContain('Not delivered: no matching endpoint')
  const rejected = await send(`${address}/send`, { url: 'https://localhost:3000/', body: '{"kept":1}' })
  expect([rejected.status, rejected.html.includes('--route')]).toEqual([400, true])
  expect(rejected.html).toContain('{&quot;kept&quot;:1}</textarea>')
  expect(rejected.html).toContain('value="https://localhost:3000/"')
  expect(rejected.html).toContain('<details id="edit-other" open>')
  const sent = await send(`${address}/send`, { url: 'https://shop.example/typed', body })
  await on.idle()
  expect((await screen(on.url + sent.location)).html).toContain('custom URL')
  expect(got.map(({ path }) => path)).toEqual(['/typed'])
  expect(got[0]?.body).toEqual(Buffer.from(event.body))
  expectSigned(got[0], on.secret)
  const other = address.replace('tea-house', 'other-shop')
  expect((await send(`${other}/send`, { url: 'https://shop.example/typed', body })).status).toBe(404)
})

it('shows the status of an attempt once', async () => {
  const { event, dashboard } = await delivered(() => 500)
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  const [summary = ''] = /<summary>Attempt 1[^]*?<\/summary>/.exec(html) ?? []
  expect(summary.match(/\b500\b/g)).toHaveLength(1)
  expect(summary).toMatch(/in \d+ ms/)
})

it('keeps a filter as a view with a name, one of each name, and only so many', async () => {
  const { dashboard } = await delivered()
  const views = async (query = '') => {
    const { html } = await screen(`${dashboard}/events${query}`)
    return [...html.matchAll(/events\?([^"]*)"(?: aria-current="true")?>([^<]+)<\/a>/g)]
      .map(([, filter, name]) => `${name}: ${filter}`)
      .filter((view) => !/^(?:all|failing|failed|paused):/.test(view))
  }
  expect(await views()).toEqual([])
  const { location } = await send(`${dashboard}/events/views?state=failing&q=x&unknown=1`, {
    name: ' <My> view ',
  })
  expect(location).toBe('/dashboard/tea-house/events?q=x&state=failing&flash=view_saved')
  expect(await views()).toEqual(['&lt;My&gt; view: q=x&amp;state=failing'])
  const shown = (await screen(`${dashboard}/events?q=x&state=failing`)).html
  expect(shown).toContain('aria-current="true">&lt;My&gt; view</a>')
  expect(shown).toContain('Delete this view')
  await send(`${dashboard}/events/views?mode=live`, { name: '<My> view' })
  expect(await views()).toEqual(['&lt;My&gt; view: mode=live'])
  expect((await screen(dashboard.replace('tea-house', 'other-shop') + '/events')).html).not.toContain('My')
  for (const [query, name] of [
    ['', 'no filter'],
    ['?mode=live', ' '],
  ] as const)
    expect((await send(`${dashboard}/events/views${query}`, { name })).status).toBe(400)
  for (let number = 0; number < 25; number += 1)
    await send(`${dashboard}/events/views?q=${number}`, { name: String(number) })
  expect(await views()).toHaveLength(20)
  await send(`${dashboard}/events/views/delete`, { name: '24' })
  expect(await views()).toHaveLength(19)
})

it('shows in the navigation how many events were not delivered', async () => {
  const { on, dashboard } = await delivered()
  const alert = async () =>
    /<span id="alert"[^>]*>(?: <span[^>]*>(\d+)<span class="unseen"> not delivered)?/.exec(
      (await screen(dashboard)).html,
    )?.[1]
  expect(await alert()).toBeUndefined()
  const failing = await delivered(() => 500)
  expect(/<span id="alert"[^>]*> <span[^>]*>1</.test((await screen(failing.dashboard)).html)).toBe(true)
  await on.idle()
})

it.each(['payments', 'endpoints', 'keys'])('has the form of new %s above their list', async (name) => {
  const { dashboard } = await delivered()
  const { html } = await screen(`${dashboard}/${name}`)
  const places = ['href="#new"', '<section class="narrow create"', '<h2 id="new">', 'id="list"'].map((part) =>
    html.indexOf(part),
  )
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { delivered, deskOf, expectSigned, screen, send } from './dashboard-support.ts'
import { payment, receiver, sandbox } from './support.ts'

const deliveryIn = (html: string): string => /dlv_\w+/.exec(html)?.[0] ?? ''

it('leads from the root to the first organization', async () => {
  const on = await sandbox()

  expect((await screen(on.url)).headers.get('location')).toBe('/dashboard/tea-house')
  expect((await screen(deskOf(on))).status).toBe(200)
})

it('shows the exact bytes of an event, the headers and the text that was signed, escaped', async () => {
  const { on, got, event, desk } = await delivered()
  const { html } = await screen(`${desk}/events/${event.id}`)
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

it('gives an event as a fixture, byte for byte', async () => {
  const { event, desk } = await delivered()
  const response = await fetch(`${desk}/events/${event.id}/fixture`)

  expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from(event.body))
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename=payment.completed-${event.id}.json`,
  )
})

it('gives a delivery as a shell script that a receiver accepts', async () => {
  const { got, id, event, secret, desk, on } = await delivered()
  const { html } = await screen(`${desk}/events/${event.id}`)
  const shown = /data-copy="the delivery as curl">([^<]*)</.exec(html)?.[1] ?? ''
  const script = shown
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
})

it('sends the same bytes again, freshly signed', async () => {
  const { on, got, event, secret, desk } = await delivered()
  const { html } = await screen(`${desk}/events`)
  const { status, location } = await send(`${desk}/deliveries/${deliveryIn(html)}/redeliver`, {
    back: '/dashboard/tea-house/events?name=payment.completed',
  })
  await on.idle()

  expect([status, location]).toEqual([
    303,
    '/dashboard/tea-house/events?name=payment.completed&said=redelivered',
  ])
  expect((await screen(on.url + location)).html).toContain('sent again, with a fresh signature')
  expect(got).toHaveLength(2)
  expect(got[1]?.body).toEqual(Buffer.from(event.body))
  expectSigned(got[1], secret)
})

it('sends what a person wrote, signed as it stands', async () => {
  const { on, got, event, secret, desk } = await delivered()
  const { html } = await screen(`${desk}/events/${event.id}`)
  // A browser sends line breaks as two characters, and leaves spaces as they are.
  await send(`${desk}/deliveries/${deliveryIn(html)}/edited`, { body: ' {"event":\r\n"ünïcode"} ' })
  await on.idle()

  expect(got[1]?.body.toString()).toBe(' {"event":\n"ünïcode"} ')
  expectSigned(got[1], secret)
  expect((await screen(`${desk}/events/${event.id}`)).html).toContain('>edited<')
})

it('retries now, cancels, and redelivers all that failed', async () => {
  let status = 500
  const { on, got, event, desk } = await delivered(() => status)
  const list = () => screen(`${desk}/events`)
  const id = deliveryIn((await list()).html)
  expect((await list()).html).toContain('waiting to retry')

  // The schedule has one retry: the second failure is the last.
  await send(`${desk}/deliveries/${id}/retry`)
  await on.idle()
  expect(got).toHaveLength(2)
  expect((await screen(`${desk}/events?state=failed`)).html).toContain(event.id)
  expect((await send(`${desk}/deliveries/${id}/retry`)).status).toBe(409)
  expect((await send(`${desk}/deliveries/${id}/cancel`)).html).toContain('The delivery has ended already.')

  status = 200
  const { location } = await send(`${desk}/deliveries/redeliver-failed`)
  await on.idle()
  expect((await screen(on.url + location)).html).toContain('1 delivery sent again.')
  expect(got).toHaveLength(3)
  const again = await send(`${desk}/deliveries/redeliver-failed`)
  expect((await screen(on.url + again.location)).html).toContain('Nothing had failed')
})

it('cancels a delivery that waits', async () => {
  const { on, got, desk } = await delivered(() => 500)
  const id = deliveryIn((await screen(`${desk}/events`)).html)
  await send(`${desk}/deliveries/${id}/cancel`)
  on.advance(3_600_000 * 2)
  await on.idle()

  expect(got).toHaveLength(1)
  expect((await screen(`${desk}/events?state=cancelled`)).html).toContain(id)
})

it('filters events by name, state, kind of key and payment', async () => {
  const { on, id, event, desk } = await delivered()
  const other = await payment(on)
  const { event: failed } = on.act(other, { type: 'fail', simulated: true })
  await on.idle()
  const shows = async (query: string) => {
    const { html } = await screen(`${desk}/events?${query}`)
    return [event.id, failed.id].filter((one) => html.includes(`id="${one}"`))
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

it('redelivers just what failed of the events that the filter shows', async () => {
  let status = 500
  const { on, got, id, desk } = await delivered(() => status)
  for (const type of ['fail', 'succeed'] as const) on.act(await payment(on), { type })
  await on.idle()
  // The schedule has one retry: the second failure is the last.
  on.advance(3_600_000 * 2)
  await on.idle()
  expect(got).toHaveLength(6)
  status = 200
  const press = async (query: string) => {
    const { html } = await screen(`${desk}/events?${query}`)
    const [, action = ''] = /action="([^"]*redeliver-failed[^"]*)"/.exec(html) ?? []
    const { location } = await send(on.url + action.replaceAll('&amp;', '&'), {
      back: `/dashboard/tea-house/events?${query}`,
    })
    await on.idle()
    return (await screen(on.url + location)).html
  }

  expect((await screen(`${desk}/events`)).html).toContain('>Redeliver all failed<')
  expect((await screen(`${desk}/events?state=failed`)).html).toContain(
    '>Redeliver the failed of this filter<',
  )
  expect(await press('state=delivered')).toContain('Nothing had failed')
  expect(await press(`payment=${id}&name=payment.completed`)).toContain('1 delivery sent again.')
  expect(JSON.parse(String(got[6]?.body))).toMatchObject({ payment_id: id })
  expect(await press('name=payment.failed&mode=live')).toContain('Nothing had failed')
  expect(await press('name=payment.failed')).toContain('1 delivery sent again.')
  expect(await press('')).toContain('1 delivery sent again.')
  expect(await press('state=failed')).toContain('Nothing had failed')
  expect(got).toHaveLength(9)
})

it('redelivers nothing to an endpoint that was deleted', async () => {
  const { on, got, endpointId, desk } = await delivered(() => 500)
  on.advance(3_600_000 * 2)
  await on.idle()
  await send(`${desk}/endpoints/${endpointId}/delete`)
  const { location } = await send(`${desk}/deliveries/redeliver-failed`)
  await on.idle()

  expect((await screen(on.url + location)).html).toContain('Nothing had failed')
  expect(got).toHaveLength(2)
})

it('edits and sends while the only delivery waits for its retry', async () => {
  const { on, got, event, secret, desk } = await delivered(() => 500)
  const { html } = await screen(`${desk}/events/${event.id}`)
  expect(html).toContain('waiting to retry')
  const [, action = ''] = /action="([^"]*\/edited)"/.exec(html) ?? []
  await send(on.url + action, { body: '{"mine":true}' })
  await on.idle()

  expect(got[1]?.body.toString()).toBe('{"mine":true}')
  expectSigned(got[1], secret)
})

it('sends an event that went to nobody to an address that a person types', async () => {
  const { got, route } = await receiver()
  const on = await sandbox({ routes: [route] })
  const { event } = on.act(await payment(on), { type: 'succeed' })
  const address = `${deskOf(on)}/events/${event.id}`
  const body = Buffer.from(event.body).toString()
  expect((await screen(address)).html).toContain('It went to nobody')

  const refused = await send(`${address}/send`, { url: 'https://localhost:3000/', body: '{"kept":1}' })
  expect([refused.status, refused.html.includes('--route')]).toEqual([400, true])
  expect(refused.html).toContain('{&quot;kept&quot;:1}</textarea>')
  expect(refused.html).toContain('value="https://localhost:3000/"')
  expect(refused.html).toContain('<details id="edit-other" open>')

  const sent = await send(`${address}/send`, { url: 'https://shop.example/typed', body })
  await on.idle()
  expect((await screen(on.url + sent.location)).html).toContain('an address typed here')
  expect(got.map(({ path }) => path)).toEqual(['/typed'])
  expect(got[0]?.body).toEqual(Buffer.from(event.body))
  expectSigned(got[0], on.secret)
  const other = address.replace('tea-house', 'other-shop')
  expect((await send(`${other}/send`, { url: 'https://shop.example/typed', body })).status).toBe(404)
})

it('says the status of an attempt once', async () => {
  const { event, desk } = await delivered(() => 500)
  const { html } = await screen(`${desk}/events/${event.id}`)
  const [summary = ''] = /<summary>Attempt 1[^]*?<\/summary>/.exec(html) ?? []

  expect(summary.match(/\b500\b/g)).toHaveLength(1)
  expect(summary).toMatch(/in \d+ ms/)
})

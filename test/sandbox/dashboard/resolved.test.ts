import { expect, it } from 'vitest'
import { endpoint, payment, receiver, sandbox } from '../support.ts'
import { countsIn, dashboardOf, delivered, screen, send } from './support.ts'

/** A sandbox whose only delivery has failed, and whose receiver is then repaired. */
async function failed() {
  let status = 500
  const { route } = await receiver(() => status)
  const on = await sandbox({ routes: [route], schedule: [] })
  const { id: endpointId } = await endpoint(on, { url: 'https://shop.example/webhooks', mode: 'test' })
  const paymentId = await payment(on)
  const { event } = on.act(paymentId, { type: 'succeed' })
  await on.idle()
  const dashboard = dashboardOf(on)
  return { on, event, endpointId, dashboard, answer: (other: number) => void (status = other) }
}

const tabIn = (html: string) => />failed <span class="tally">(\d+)</.exec(html)?.[1]

it('no longer counts and lists a failed delivery whose resend was delivered', async () => {
  const { on, event, endpointId, dashboard, answer } = await failed()
  const listed = async () => (await screen(`${dashboard}/events?state=failed`)).html.includes(event.id)
  const resend = async () => {
    const { location } = await send(`${dashboard}/deliveries/resend-failed`)
    await on.idle()
    return (await screen(on.url + location)).html
  }
  expect([await listed(), tabIn((await screen(`${dashboard}/events`)).html)]).toEqual([true, '1'])
  // A resend that fails resolves nothing.
  await resend()
  expect(await listed()).toBe(true)

  answer(200)
  const html = await resend()
  expect(html).toContain('Resending 1 failed delivery.')
  expect([await listed(), tabIn(html)]).toEqual([false, '0'])
  expect(html.match(/<span class="badge neutral">failed, resent<\/span>/g)).toHaveLength(2)
  expect(countsIn((await screen(dashboard)).html)).toEqual(['1 delivered'])
  expect((await screen(`${dashboard}/endpoints/${endpointId}`)).html).not.toContain('Resend failed')
  expect(await resend()).toContain('No failed deliveries to resend.')
})

it('does not take an edited body that was delivered for a resend', async () => {
  const { on, event, dashboard, answer } = await failed()
  const { html } = await screen(`${dashboard}/events/${event.id}`)
  const id = /id="(dlv_\w+)"/.exec(html)?.[1]
  answer(200)
  await send(`${dashboard}/deliveries/${id}/send-edited`, { body: '{}' })
  await on.idle()
  expect(tabIn((await screen(`${dashboard}/events`)).html)).toBe('1')
})

it('resolves a delivery that fails after its resend was delivered', async () => {
  let status = 500
  const { on, event, dashboard } = await delivered(() => status)
  status = 200
  await send(`${dashboard}/events/resend-selected`, { event: event.id })
  await on.idle()
  status = 500
  on.advance(3_600_000 * 2)
  await on.idle()
  const { html } = await screen(`${dashboard}/events`)
  expect([tabIn(html), html.includes('failed, resent')]).toEqual(['0', true])
})

import { expect, it } from 'vitest'
import { payment, sandbox } from '../support.ts'
import { dashboardOf, screen } from './support.ts'

const ids = (html: string): string[] => [
  ...new Set([...html.matchAll(/id="((?:tx|evt)_\w+)"/g)].map(([, id]) => id ?? '')),
]

const linkTo = (html: string, text: string): string | undefined =>
  new RegExp(`href="([^"]+)">${text}<`).exec(html)?.[1]?.replaceAll('&amp;', '&')

it('finds payments and their events by id, metadata, amount, failure code and date', async () => {
  const on = await sandbox()
  const dashboard = dashboardOf(on)
  const tea = await payment(on, {
    amount: '12.50',
    metadata: { order: 'SO-1 "Ünï_%"' },
    webhook_url: 'https://shop.example/',
  })
  const cup = await payment(on, { amount: '125.00', metadata: { size: 'L', note: 'a=b' } })
  const { event } = on.act(cup, { type: 'fail', code: 'card_declined' })
  const paid = on.act(tea, { type: 'succeed' }).event
  const found = async (path: string, query: Record<string, string>) =>
    ids((await screen(`${dashboard}/${path}?${new URLSearchParams(query).toString()}`)).html)
  const [delivery = ''] = /dlv_\w+/.exec((await screen(`${dashboard}/events/${paid.id}`)).html) ?? []
  const today = new Date().toISOString().slice(0, 10)
  for (const [query, expected] of [
    [tea, [tea]],
    ['so-1', [tea]],
    ['"Ünï_%"', [tea]],
    ['%', [tea]],
    ['order=SO-1 "Ünï_%"', [tea]],
    ['ORDER = so-1 "Ünï_%"', [tea]],
    ['order=SO-1', []],
    ['size=l', [cup]],
    ['a=b', [cup]],
    ['=l', []],
    [event.id, [cup]],
    [delivery, [tea]],
    ['12.50', [tea]],
    ['125.00 USD', [cup]],
    ['card_decl', [cup]],
    ['nothing', []],
  ] as const) {
    expect([query, await found('payments', { q: query })]).toEqual([query, expected])
  }
  expect(await found('events', { q: 'SO-1' })).toEqual([paid.id])
  expect(await found('events', { q: event.id })).toEqual([event.id])
  expect(await found('events', { q: delivery })).toEqual([paid.id])
  expect(await found('events', { q: delivery, name: 'payment.failed' })).toEqual([])
  expect(await found('events', { q: 'size=L' })).toEqual([event.id])
  expect(await found('payments', { from: today, to: today })).toEqual([cup, tea])
  expect(await found('payments', { from: '2000-01-01', to: '2000-01-02' })).toEqual([])
  expect(await found('events', { to: '2000-01-02' })).toEqual([])
  const { html } = await screen(`${dashboard}/payments?q=nothing`)
  expect(html).toContain('No payments match. <a href="/dashboard/tea-house/payments">Clear the filter</a>')
  expect(html).toContain('0 test payments match the filter')
})

it('sorts payments, and pages in both directions', async () => {
  const on = await sandbox()
  const made: string[] = []
  for (let index = 0; index < 27; index += 1)
    made.push(await payment(on, { amount: `${(index * 7) % 27}.50` }))
  const load = async (path: string) => (await screen(on.url + path)).html
  for (const [sort, older, newer] of [
    ['newest', 'Older payments', 'Newer payments'],
    ['lowest', 'Next payments', 'Previous payments'],
  ] as const) {
    const first = await load(`/dashboard/tea-house/payments?sort=${sort}`)
    expect(first).toContain('27 test payments')
    expect(linkTo(first, newer)).toBeUndefined()
    const second = await load(linkTo(first, older) ?? '')
    expect(ids(first)).toHaveLength(25)
    expect(ids(second)).toHaveLength(2)
    expect(linkTo(second, older)).toBeUndefined()
    expect(ids(await load(linkTo(second, newer) ?? ''))).toEqual(ids(first))
    const expected =
      sort === 'newest'
        ? made.toReversed()
        : made.toSorted((a, b) => ((made.indexOf(a) * 7) % 27) - ((made.indexOf(b) * 7) % 27))
    expect([...ids(first), ...ids(second)]).toEqual(expected)
  }
})

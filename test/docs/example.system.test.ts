import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { check } from '../../conformance/index.ts'
import { createGenerator, serialize } from '../../fixtures/index.ts'
import { openDatabase } from '../../receiver/inbox/sqlite/database.ts'
import { deliver } from '../../scripts/examples/deliveries.ts'
import { runApp } from './app.ts'

const FILE = 'docs/examples/receiver.js'
const secret = 'whsec_example'
const start = () => runApp(FILE, readFileSync(FILE, 'utf8'), secret)

test(`${FILE} is conformant`, async () => {
  const { url } = await start()
  const report = await check({ url, secret })
  expect(report.verdicts.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
  expect(report.conclusion).toBe('conformant')
})

test('it ships and cancels correctly in any order, and handles everything before it stops', async () => {
  const app = await start()
  const source = createGenerator('example')
  const send = (event: object) => deliver({ url: app.url, secret }, serialize(event))
  const completed = (id: string) => source.event('completed', { payment_id: id, livemode: true })
  const refunded = (id: string) => source.event('refund', { payment_id: id, livemode: true })
  await send(completed('tx_kept'))
  await send(completed('tx_kept'))
  await send(completed('tx_refunded'))
  await send(refunded('tx_refunded'))
  await send(refunded('tx_refunded_first'))
  await send(completed('tx_refunded_first'))
  await send({ ...completed('tx_odd'), amount: { toString: 1 } })
  await send({ ...refunded('tx_odd_refund'), amount: { toString: 1 } })
  expect((await fetch(new URL('/readyz', app.url))).status).toBe(200)
  expect(await app.stop()).toBe(0)

  const database = await openDatabase(join(app.folder, 'webhooks.sqlite'))
  try {
    expect(database.prepare('SELECT payment_id, state FROM shipment ORDER BY payment_id').all()).toEqual([
      { payment_id: 'tx_kept', state: 'to ship' },
      { payment_id: 'tx_odd', state: 'wrong amount' },
      { payment_id: 'tx_odd_refund', state: 'canceled' },
      { payment_id: 'tx_refunded', state: 'canceled' },
      { payment_id: 'tx_refunded_first', state: 'canceled' },
    ])
    expect(database.prepare("SELECT count(*) AS open FROM inbox WHERE state <> 'done'").get()).toEqual({
      open: 0,
    })
  } finally {
    database.close()
  }
})

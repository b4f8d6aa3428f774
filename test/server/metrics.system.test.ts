import { mkdirSync } from 'node:fs'
import { Agent } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createOverload } from '../../receiver/limits/overload.ts'
import { readConfig } from '../../server/config.ts'
import { ListenError } from '../../server/http/listen.ts'
import { createMetrics } from '../../server/metrics/metrics.ts'
import { start } from '../../server/server.ts'
import { events, SECRET, signed } from '../receiver/support.ts'
import { closeBooks } from '../support/closed-books.ts'
import { nowInSeconds, post } from '../support/program.ts'
import { openConnection } from '../support/raw-connection.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'

const base = { WEBHOOK_SECRET: SECRET, PORT: '0', LOG_LEVEL: 'silent' }

async function running(env: Record<string, string> = {}) {
  const receiver = await start(
    readConfig({ ...base, INBOX: temporaryFile('inbox.sqlite'), METRICS_PORT: '0', ...env }),
  )
  onTestFinished(() => receiver.stop())
  return receiver
}

/** The value of each series of a receiver. */
async function scrape(url = ''): Promise<Map<string, number>> {
  const response = await fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  return parse(await response.text())
}

const parse = (text: string): Map<string, number> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line): [string, number] => {
        const at = line.lastIndexOf(' ')
        return [line.slice(0, at), Number(line.slice(at + 1))]
      }),
  )

describe('the metrics of a receiver', () => {
  it('count deliveries, their outcomes and their duration', async () => {
    const path = temporaryFile('inbox.sqlite')
    const source = events('metrics')
    const good = source.event('completed')
    const bad = { ...source.event('completed'), payment_id: 'tx_closed' }
    await closeBooks(path, 'tx_closed')
    const receiver = await running({ INBOX: path, MAX_ATTEMPTS: '1' })
    const send = (event: object) => post(receiver.url, signed(event, nowInSeconds()), new Agent())
    for (const event of [good, good, bad]) expect(await send(event)).toMatchObject({ status: 200 })
    const forged = { body: Buffer.from('{}'), header: `t=${nowInSeconds()},v1=${'0'.repeat(64)}` }
    expect(await post(receiver.url, forged)).toMatchObject({ status: 401 })
    await until(
      async () => (await scrape(receiver.metricsUrl)).get('hookproof_attempts_total{outcome="dead"}') === 1,
    )
    const found = await scrape(receiver.metricsUrl)
    expect(Object.fromEntries([...found].filter(([name]) => /^hookproof_(?!ack)/.test(name)))).toEqual({
      'hookproof_deliveries_total{outcome="stored"}': 2,
      'hookproof_deliveries_total{outcome="duplicate"}': 1,
      'hookproof_deliveries_total{outcome="refused"}': 1,
      'hookproof_refusals_total{code="signature_mismatch"}': 1,
      'hookproof_attempts_total{outcome="handled"}': 1,
      'hookproof_attempts_total{outcome="retry"}': 0,
      'hookproof_attempts_total{outcome="dead"}': 1,
      'hookproof_attempts_total{outcome="lost"}': 0,
      hookproof_processing_active: 1,
      hookproof_store_failures_total: 0,
      hookproof_log_lines_dropped_total: 0,
      hookproof_deliveries_waiting: 0,
      hookproof_held_bytes: 0,
      hookproof_connections: expect.any(Number),
      'hookproof_connections_closed_total{reason="idle"}': 0,
      'hookproof_connections_closed_total{reason="incomplete"}': 0,
      'hookproof_connections_closed_total{reason="unread"}': 0,
      'hookproof_connections_closed_total{reason="new"}': 0,
      'hookproof_connections_closed_total{reason="pipelined"}': 0,
      'hookproof_inbox_entries{state="pending"}': 0,
      'hookproof_inbox_entries{state="processing"}': 0,
      'hookproof_inbox_entries{state="dead"}': 1,
      hookproof_inbox_oldest_pending_seconds: 0,
      hookproof_store_up: 1,
    })
    // The acknowledged deliveries, not the refused one.
    expect(found.get('hookproof_acknowledgement_seconds_count')).toBe(3)
    expect(found.get('hookproof_acknowledgement_seconds_sum')).toBeGreaterThan(0)
    expect([...found.keys()]).toContain('process_cpu_seconds_total')
  })

  it('count connections, and those that are closed because of a limit', async () => {
    const receiver = await running({ MAX_CONNECTIONS: '2' })
    const idle = await Promise.all([1, 2, 3].map(() => openConnection(receiver.url)))
    await until(() => idle.some(({ closed }) => closed()))
    const pipelining = await openConnection(receiver.url)
    pipelining.socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n'.repeat(100))
    await until(pipelining.closed)
    const found = await scrape(receiver.metricsUrl)
    expect(found.get('hookproof_connections_closed_total{reason="idle"}')).toBe(2)
    expect(found.get('hookproof_connections_closed_total{reason="pipelined"}')).toBe(1)
    expect(found.get('hookproof_connections')).toBe(1)
  })

  it('are served while clients hold connections to their server', async () => {
    const { metricsUrl = '' } = await running()
    await Promise.all(Array.from({ length: 20 }, () => openConnection(metricsUrl)))
    expect((await scrape(metricsUrl)).get('hookproof_store_up')).toBe(1)
  })

  it('name nothing that a sender chose', async () => {
    const receiver = await running()
    const event = { ...events('labels').event('completed'), event: 'payment.chosen_by_sender' }
    await post(receiver.url, signed(event, nowInSeconds()))
    const text = await (await fetch(receiver.metricsUrl ?? '')).text()
    expect(text).toContain('hookproof_deliveries_total{outcome="stored"} 1')
    expect(text).not.toContain('chosen_by_sender')
    expect(text).not.toContain(event.id)
    expect(text).not.toContain(SECRET)
  })

  it('are served only at GET /metrics of a separate address, and only if configured', async () => {
    const receiver = await running()
    expect((await fetch(`${receiver.url}/metrics`)).status).toBe(404)
    const own = receiver.metricsUrl ?? ''
    expect((await fetch(own, { method: 'HEAD' })).status).toBe(200)
    for (const [path, method] of [
      ['/', 'GET'],
      ['/metrics', 'POST'],
      ['/webhooks', 'POST'],
    ] as const) {
      expect((await fetch(new URL(path, own), { method })).status).toBe(404)
    }
    expect((await running({ METRICS_PORT: '' })).metricsUrl).toBeUndefined()
    await receiver.stop()
    await expect(fetch(own)).rejects.toThrow('fetch failed')
  })

  it('name the variable when their port is in use, and everything is closed', async () => {
    const { metricsUrl = '' } = await running()
    const inbox = temporaryFile('inbox.sqlite')
    const { port } = new URL(metricsUrl)
    const second = start(readConfig({ ...base, INBOX: inbox, METRICS_PORT: port }))
    await expect(second).rejects.toThrow(ListenError)
    await expect(second).rejects.toThrow('set METRICS_PORT to another')
    await (await start(readConfig({ ...base, INBOX: inbox }))).stop()
  })

  it('and the readiness say which of two receivers on one file handles events', async () => {
    const INBOX = temporaryFile('inbox.sqlite')
    const first = await running({ INBOX })
    const second = await running({ INBOX })
    const active = async ({ metricsUrl }: typeof first) =>
      (await scrape(metricsUrl)).get('hookproof_processing_active')
    const ready = async ({ url }: typeof first) => {
      const response = await fetch(`${url}/readyz`)
      return [response.status, await response.json()]
    }
    await until(async () => (await active(second)) === 0)
    expect(await active(first)).toBe(1)
    expect(await ready(first)).toEqual([200, { status: 'ready' }])
    expect(await ready(second)).toEqual([200, { status: 'ready', processing: 'another_process' }])
    await first.stop()
    await until(async () => (await active(second)) === 1)
    expect(await ready(second)).toEqual([200, { status: 'ready' }])
  })

  it('and the readiness say that the store rejects the processing', async () => {
    const INBOX = temporaryFile('inbox.sqlite')
    mkdirSync(`${INBOX}-lock`)
    const { url, metricsUrl } = await running({ INBOX })
    await until(async () => (await scrape(metricsUrl)).get('hookproof_processing_active') === 0)
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({ status: 'ready', processing: 'failing' })
  })

  it('report a store that is down, and omit its figures', async () => {
    let failing = false
    const inbox = {
      depth: async () => {
        if (failing) throw new Error('gone')
        return { pending: 2, processing: 1, dead: 3, oldestPendingMs: 1500 }
      },
    }
    const metrics = createMetrics({
      inbox,
      overload: createOverload(),
      connections: { size: 0 },
      processing: () => 'active',
    })
    const up = parse(await metrics.render())
    expect(up.get('hookproof_inbox_entries{state="dead"}')).toBe(3)
    expect(up.get('hookproof_inbox_oldest_pending_seconds')).toBe(1.5)
    failing = true
    const down = parse(await metrics.render())
    expect(down.get('hookproof_store_up')).toBe(0)
    expect([...down.keys()].filter((name) => name.includes('_inbox_'))).toEqual([])
    failing = false
    expect(parse(await metrics.render()).get('hookproof_store_up')).toBe(1)
    metrics.close()
  })
})

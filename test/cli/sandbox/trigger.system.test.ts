import { describe, expect, it } from 'vitest'
import { hookproof, recorder, start } from '../support.ts'
import { createPayment, printed, type RunningSandbox, startSandbox } from './support.ts'

interface Triggered {
  payment_id: string
  events: { id: string; event: string; deliveries: object[] }[]
}

const run = (on: RunningSandbox, words: string) =>
  hookproof(['trigger', ...words.split(' '), '--json', '--sandbox', on.url])

/** What it has triggered, delivered or not. */
async function triggered(on: RunningSandbox, words: string): Promise<Triggered> {
  const { code, stdout, stderr } = await run(on, words)
  expect(stderr).toBe('')
  expect(code).toBeLessThan(2)
  return JSON.parse(stdout) as Triggered
}

async function refused(on: RunningSandbox, words: string): Promise<string> {
  const { code, stdout, stderr } = await run(on, words)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  return stderr
}

/** What a trigger could leave behind. */
async function traces({ url, apiUrl, testKey, liveKey }: RunningSandbox) {
  const data = async (address: string, headers = {}) =>
    ((await (await fetch(address, { headers })).json()) as { data: object[] }).data
  const clock = (await (await fetch(`${url}/sandbox/clock`)).json()) as { offset_ms: number }
  return {
    test: await data(`${apiUrl}/payments`, { 'X-API-Key': testKey }),
    live: await data(`${apiUrl}/payments`, { 'X-API-Key': liveKey }),
    events: await data(`${url}/sandbox/events`),
    ahead: clock.offset_ms,
  }
}

describe('a trigger that cannot be produced as requested', { timeout: 60_000 }, () => {
  it.each([
    [
      'payment.partial --override amount_received=99',
      /the result would be payment\.completed\. Use .* below 25/,
    ],
    ['payment.partial --override amount_received=25', /the result would be payment\.completed/],
    [
      'payment.expired --override amount=5',
      /the result would be payment\.completed\. An order of 2 or more completes .* amount below 2/,
    ],
    ['payment.expired --override amount_received=2', /cannot be produced.*amount_received below 1\.50/],
    ['payment.expired --method crypto', /is partial by crypto.*partly paid by gift card/],
    [
      'payment.refunded --method alipay --override type=refund',
      /type cannot be "refund".*chargeback.*alipay/,
    ],
    ['payment.completed --method bitcoin', /method: expected one of/],
    ['payment.failed --override failure_code=zz', /failure_code: expected one of/],
    ['payment.failed --override failure_code=', /failure_code: expected one of/],
    ['payment.failed --override test=true --override failure_reason=x', /failure_reason cannot be "x"/],
    ['payment.completed --override settled_via.rail=PIX', /settled_via\.amount/],
    ['payment.completed --override livemode=true --override test=true', /the payment is live/],
    ['payment.completed --override amount_requested=30 --method pix', /only an underpayment by crypto/],
    [
      'payment.completed --override amount_requested=30 --override test=true',
      /test cannot be "true".*not have it/,
    ],
    ['payment.completed --override webhook_url=', /webhook_url: /],
    ['payment.completed --override webhook_url=http://localhost:3000/', /--route/],
  ])('exits with 2 and leaves nothing behind: %s', async (words, line) => {
    const on = await startSandbox()
    expect(await refused(on, words)).toMatch(line)
    expect(await traces(on)).toEqual({ test: [], live: [], events: [], ahead: 0 })
  })

  it('changes neither an existing payment nor the clock', async () => {
    const on = await startSandbox()
    const { id } = await createPayment(on, {})
    const before = await traces(on)
    for (const [words, line] of [
      ['payment.expired', /cannot be produced: payment tx_\w+ is pending/],
      ['payment.refunded', /is pending: payment\.refunded requires a payment that is completed/],
      ['payment.partial --override amount_received=25', /amount_received below 25\.00/],
      ['payment.expired --payment tx_none', /Payment not found/],
    ] as const) {
      const payment = words.includes('--payment') ? '' : ` --payment ${id}`
      expect(await refused(on, words + payment)).toMatch(line)
      expect(await traces(on)).toEqual(before)
    }
  })
})

describe('the exit code says whether the event arrived', { timeout: 60_000 }, () => {
  async function result(status: number, ...words: string[]) {
    const on = await startSandbox(...words)
    const { url } = await recorder((_, response) => response.writeHead(status).end())
    const listen = start(['listen', '--sandbox', on.url, '--forward-to', url])
    await printed(listen, 'Ctrl-C to stop')
    return { url, ...(await hookproof(['trigger', 'payment.refunded', '--sandbox', on.url])) }
  }

  it('is 0 after a 200, and prints the result of each delivery', async () => {
    const { code, stdout, url } = await result(200)
    const delivered = `  dlv_\\w+  ${url}/ \\(hookproof listen\\)  delivered: 200, 1 attempt\n`
    expect(stdout).toMatch(
      new RegExp(
        `^payment.completed of tx_\\w+: evt_\\w+, 1 delivery\n${delivered}payment.refunded of .*\n${delivered}$`,
      ),
    )
    expect(code).toBe(0)
  })

  it('is 1 after a refusal', async () => {
    const { code, stdout, url } = await result(401)
    expect(stdout).toContain(`${url}/ (hookproof listen)  pending: 401, 1 attempt\n`)
    expect(stdout).toMatch(/\nNot delivered: a receiver did not acknowledge the first attempt\. .*\n$/)
    expect(code).toBe(1)
  })

  it('is 1 without a recipient', async () => {
    const on = await startSandbox()
    const { code, stdout } = await hookproof(['trigger', 'payment.completed', '--sandbox', on.url])
    expect(stdout).toContain('\nNot delivered: no matching endpoint. ')
    expect(code).toBe(1)
  })

  it('is 0 after a refusal of what is wrong on purpose', async () => {
    const { code, stdout } = await result(401, '--chaos', 'badSignature')
    expect(stdout).not.toContain('Not delivered')
    expect(code).toBe(0)
  })
})

describe('a trigger with an existing payment', { timeout: 60_000 }, () => {
  it('adds a part so that amount_received is as requested, by default half of the remaining amount', async () => {
    const on = await startSandbox()
    const { id } = await createPayment(on, { amount: '10.00' })
    const received = async () => {
      const headers = { 'X-API-Key': on.testKey }
      const page = await (await fetch(`${on.url}/dashboard/tea-house/payments/${id}`, { headers })).text()
      const text = page.replaceAll(/<[^>]*>/g, '').replaceAll('&quot;', '"')
      return [...text.matchAll(/amount_received": ?"([\d.]+)|(\d+\.\d+) USD/g)].map(([all]) => all)
    }
    await triggered(on, `payment.partial --payment ${id}`)
    expect((await received()).join()).toContain('5.00')
    await triggered(on, `payment.partial --payment ${id} --override amount_received=7.5`)
    expect((await received()).join()).toContain('7.50')
    expect(await refused(on, `payment.partial --payment ${id} --override amount_received=7`)).toMatch(
      /was already received/,
    )
  })

  it('lets the payment expire, with the requested faults', async () => {
    const on = await startSandbox()
    const hook = { webhook_url: 'https://shop.example/hook' }
    const { id } = await createPayment(on, { amount: '1.00', ...hook })
    await triggered(on, `payment.partial --payment ${id} --method gift_card`)
    const { events } = await triggered(on, `payment.expired --payment ${id} --chaos duplicate=2`)
    expect(events).toMatchObject([{ event: 'payment.expired', deliveries: [{}, {}, {}] }])
    const { ahead } = await traces(on)
    expect(ahead).toBe(0)
  })
})

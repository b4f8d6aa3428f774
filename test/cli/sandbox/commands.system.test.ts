import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EVENT_NAMES } from '../../../sandbox/model.ts'
import { explain, validate } from '../../../schemas/validate.ts'
import { freePort, hookproof, recorder, start, temporaryFolder, until } from '../support.ts'
import {
  createPayment,
  interrupted,
  printed,
  type RunningSandbox,
  runSandbox,
  startReceiver,
  startSandbox,
} from './support.ts'

const at = ({ url }: Pick<RunningSandbox, 'url'>) => ({ env: { HOOKPROOF_SANDBOX: url } })

/** Starts `hookproof listen`, and waits until it listens. */
async function listening(on: RunningSandbox, ...words: string[]) {
  const running = start(['listen', ...words], at(on))
  await printed(running, /Ctrl-C to stop|"ready"/)
  return running
}

interface Triggered {
  payment_id: string
  events: { id: string; event: string; deliveries: { id: string; url: string }[] }[]
}

async function trigger(on: RunningSandbox, ...words: string[]): Promise<Triggered> {
  const { code, stdout, stderr } = await hookproof(['trigger', '--json', ...words], at(on))
  expect(stderr).toBe('')
  // 1 without a receiver that acknowledges.
  expect(code).toBeLessThan(2)
  return JSON.parse(stdout) as Triggered
}

describe('hookproof listen', { timeout: 60_000 }, () => {
  it('forwards events to a receiver, signed with the secret of the sandbox, and prints delivery and response', async () => {
    const on = await startSandbox()
    const shop = await startReceiver(on.secret)
    const listen = await listening(on, '--forward-to', `http://localhost:${shop.port}/webhooks`)
    expect(listen.stdout()).toContain(`signed with ${on.secret}`)
    const { payment_id: id } = await trigger(on, 'payment.completed')
    await printed(
      listen,
      new RegExp(
        `\n[\\d:]{8}  --> payment.completed ${id}  (evt_\\w+)\n[\\d:]{8}  <-- payment.completed ${id}  200 in \\d+ ms  ${on.url}/dashboard/tea-house/events/\\1\n$`,
      ),
    )
    await until(async () => (await shop.effects(id)).length > 0)
    expect(await shop.effects(id)).toEqual(['fulfilled 25.00 USD'])
    expect(await interrupted(listen)).toBe(0)
    // Without a listener nothing is delivered; the endpoint stays only for its history.
    expect((await trigger(on, 'payment.completed')).events[0]?.deliveries).toEqual([])
  })

  it('forwards only the requested events, and prints them as JSON', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const words = ['--events', 'payment.failed,payment.refunded', '--json']
    const listen = await listening(on, '--forward-to', `${url}/hook?a=1`, ...words)
    await trigger(on, 'payment.completed')
    const { payment_id: id } = await trigger(on, 'payment.failed', '--override', 'failure_code=card_declined')
    await printed(listen, '"answer"')
    const lines = listen
      .stdout()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object)
    expect(lines).toMatchObject([
      { type: 'ready', secret: on.secret },
      { type: 'delivery', event: 'payment.failed', payment_id: id, attempt: 1 },
      { type: 'answer', event: 'payment.failed', payment_id: id, attempt: 1, status: 200 },
    ])
    expect(seen).toMatchObject([{ url: '/hook?a=1' }])
    expect(JSON.parse(seen[0]?.body ?? '')).toMatchObject({ failure_code: 'card_declined' })
  })

  it('prints the attempts of every delivery without --forward-to', async () => {
    const { url } = await recorder((_, response) => response.writeHead(503).end())
    const on = await startSandbox('--route', `https://shop.example/=${url}/`)
    const listen = await listening(on)
    const { id } = await createPayment(on, { webhook_url: 'https://shop.example/hook' })
    await hookproof(['trigger', 'payment.completed', '--payment', id], at(on))
    await printed(listen, /-> payment.completed tx_\w+ {2}https:\/\/shop\.example\/hook {2}evt_\w+\n/)
    await printed(listen, /https:\/\/shop\.example\/hook {2}attempt 2 {2}503 in \d+ ms/)
    await trigger(on, 'payment.completed', '--override', 'webhook_url=https://nowhere.invalid/')
    await printed(listen, /dns in \d+ ms: the host name could not be resolved/)
  })

  it('reconnects to a sandbox that was killed, and receives what was queued', async () => {
    const file = join(temporaryFolder(), 'sandbox.sqlite')
    const port = String(await freePort())
    const on = await runSandbox('--file', file, '--port', port)
    let answer = 503
    const { url, seen } = await recorder((_, response) => response.writeHead(answer).end())
    const listen = await listening(on, '--forward-to', url)
    const { payment_id: id } = await trigger(on, 'payment.completed')
    await until(() => seen.length > 0)
    on.child.kill('SIGKILL')
    await on.done
    answer = 200
    const before = seen.length
    const again = await startSandbox('--file', file, '--port', port)
    await printed(listen, /Reconnected to \S+\./)
    await until(() => seen.length > before)
    expect(JSON.parse(seen.at(-1)?.body ?? '')).toMatchObject({ id })
    const later = await trigger(again, 'payment.failed')
    await until(() => seen.some(({ body }) => body.includes(later.payment_id)))
  })

  it('registers a new endpoint when the sandbox is reset', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    const listen = await listening(on, '--forward-to', url)
    await fetch(`${on.url}/sandbox/reset`, { method: 'POST' })
    await printed(listen, /Reconnected to \S+\./)
    await trigger(on, 'payment.completed')
    await until(() => seen.length === 1)
  })

  it.each([
    [
      'no sandbox runs',
      async () => ['--sandbox', `http://127.0.0.1:${await freePort()}`],
      /no sandbox at .*connection refused.*npx hookproof sandbox.* \[unreachable\]$/m,
    ],
    [
      'another program answers',
      async () => ['--sandbox', (await recorder()).url],
      /is not a hookproof sandbox: set --sandbox/,
    ],
    ['the address is invalid', () => ['--sandbox', 'nonsense'], /nonsense is not an http address/],
    [
      'the event is unknown',
      () => ['--events', 'payment.complete'],
      /payment\.complete.*did you mean payment\.completed/,
    ],
    [
      'the receiver is invalid',
      async () => ['--sandbox', (await startSandbox()).url, '--forward-to', 'ftp://x/'],
      /must be an http or https URL/i,
    ],
  ])('exits with 2 and one line when %s', async (_name, words, line) => {
    await expectRefusal(['listen', ...(await words())], line)
  })
})

describe('hookproof trigger', { timeout: 60_000 }, () => {
  it('triggers each of the five events as the service sends it', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url)
    for (const name of EVENT_NAMES) {
      const { payment_id: id, events } = await trigger(on, name)
      expect(events.at(-1)).toMatchObject({ event: name, payment_id: id, deliveries: [{}] })
    }
    await until(() => seen.length === 7)
    const bodies = seen.map(({ body }) => JSON.parse(body) as { event: string })
    for (const body of bodies) expect(explain(validate('event.strict', body))).toBe('')
    expect(new Set(bodies.map(({ event }) => event))).toEqual(new Set(EVENT_NAMES))
  })

  it.each([
    [
      'payment.completed --override amount=12.50 --method pix',
      { amount: '12.50', payment_method: 'pix', livemode: false },
    ],
    [
      'payment.completed --override test=true --override metadata.order=7',
      { test: true, metadata: { order: '7' } },
    ],
    [
      'payment.completed --override amount=5 --override amount_requested=8',
      { amount: '5', amount_requested: '8' },
    ],
    [
      'payment.completed --override settled_via.rail=PIX --override settled_via.amount=9 --override settled_via.currency=BRL',
      { settled_via: { rail: 'PIX', amount: '9', currency: 'BRL' } },
    ],
    [
      'payment.failed --override failure_code=card_declined --override livemode=true',
      { failure_code: 'card_declined', livemode: true },
    ],
    [
      'payment.partial --override amount=0.03',
      { amount: '0.03', amount_received: '0.015', payment_method: 'crypto' },
    ],
    ['payment.refunded --override type=chargeback', { type: 'chargeback', status: 'refunded' }],
    [
      'payment.expired --override amount_received=1',
      { amount: '1.50', amount_received: expect.stringMatching(/^1(\.00)?$/), payment_method: 'gift_card' },
    ],
  ])('%s', async (words, expected) => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    await listening(on, '--forward-to', url)
    const { events } = await trigger(on, ...words.split(' '))
    await until(() => seen.length === events.length)
    const last = seen
      .map(({ body }) => JSON.parse(body) as { event: string })
      .find(({ event }) => event === words.split(' ')[0])
    expect(last).toMatchObject(expected)
  })

  it('uses an existing payment, and prints the number of deliveries', async () => {
    const on = await startSandbox('--chaos', 'duplicate=1')
    const { id } = await createPayment(on, { webhook_url: 'https://shop.example/hook' })
    const output = async (...words: string[]) => (await hookproof(['trigger', ...words], at(on))).stdout
    expect(await output('payment.completed', '--payment', id)).toMatch(
      new RegExp(`^payment.completed of ${id}: evt_\\w+, 2 deliveries\n(?:  dlv_.*\n){2}Not delivered: `),
    )
    expect(await output('payment.refunded', '--payment', id)).toMatch(
      /^payment\.refunded of .* 2 deliveries\n(?: {2}dlv_.*\n){2}Not delivered: /,
    )
    expect(await output('payment.completed')).toMatch(
      /0 deliveries\nNot delivered: no matching endpoint\. .*npx hookproof listen/,
    )
    expect(await output('payment.expired')).toMatch(
      /^payment\.partial of tx_\w+: evt_\w+, .*\npayment\.expired of tx_/,
    )
    const words = ['trigger', 'payment.completed', '--payment', id, '--sandbox', on.url]
    await expectRefusal(words, /is refunded: payment\.completed requires a payment that is pending/)
  })

  it.each([
    ['payment.complete', /did you mean payment\.completed/],
    ['payment.completed --override amont=3', /amont.*did you mean amount/],
    [
      'payment.completed --override failure_code=card_declined',
      /payment\.completed does not have this field/,
    ],
    ['payment.completed --override amount', /write it as field=value/],
    ['payment.completed --override amount=12,50', /amount: expected decimal text/],
    ['payment.completed --override amount=0', /greater than 0/],
    ['payment.completed --override test=no', /--override test must be true/],
    ['payment.completed --override webhook_url=http://localhost/', /webhook_url: .*https/],
    ['payment.completed --method cash', /method: expected one of .*"cashapp"/],
    ['payment.partial --method pix', /only possible by crypto and gift card/i],
    ['payment.failed --override failure_code=nope', /failure_code: expected one of/],
    ['payment.completed --payment tx_none', /Payment not found/],
    ['payment.completed --payment tx_none --override amount=3', /amount is for a new payment/],
    ['payment.completed --chaos duplicate=x', /duplicate must be a whole number/],
  ])('exits with 2 and one line for %s', async (words, line) => {
    const { url } = await startSandbox()
    await expectRefusal(['trigger', ...words.split(' '), '--sandbox', url], line)
  })
})

describe('hookproof events', { timeout: 60_000 }, () => {
  it('lists events with their deliveries, and resends the same bytes', async () => {
    const on = await startSandbox()
    const { url, seen } = await recorder()
    expect((await hookproof(['events', 'list'], at(on))).stdout).toBe('No events.\n')
    const early = await trigger(on, 'payment.completed')
    const resend = (id = '') => hookproof(['events', 'resend', id], at(on))
    expect(await resend(early.events[0]?.id)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/not delivered: no matching endpoint/),
    })

    await listening(on, '--forward-to', url)
    const sent = await trigger(on, 'payment.failed')
    await until(() => seen.length === 1)
    expect((await resend(early.events[0]?.id)).stdout).toMatch(/^Resent evt_\w+: 1 delivery\.\n$/)
    await until(() => seen.length === 2)
    expect(await resend(sent.events[0]?.deliveries[0]?.id)).toMatchObject({ code: 0, stderr: '' })
    await until(() => seen.length === 3)
    expect(seen[2]?.body).toBe(seen[0]?.body)
    expect(JSON.parse(seen[1]?.body ?? '')).toMatchObject({ id: early.payment_id })

    const { stdout } = await hookproof(['events', 'list', '--limit', '1'], at(on))
    expect(stdout).toMatch(
      /^\S+ {2}payment\.failed +tx_\w+ {2}evt_\w+\n( {2}dlv_\w+ {2}http:\S+ \(hookproof listen\) {2}delivered: 200, 1 attempt\n){2}$/,
    )
    const words = ['events', 'list', '--json', '--payment', early.payment_id]
    const listed = JSON.parse((await hookproof(words, at(on))).stdout) as object[]
    expect(listed).toMatchObject([
      { event: 'payment.completed', deliveries: [{ state: 'delivered', status: 200 }] },
    ])
  })

  it('exits with 2 for unknown ids', async () => {
    const { url } = await startSandbox()
    await expectRefusal(
      ['events', 'resend', 'evt_none', '--sandbox', url],
      /No event or delivery has the id evt_none/,
    )
    await expectRefusal(
      ['events', 'list', '--payment', 'tx_none', '--sandbox', url],
      /Payment tx_none does not exist \[not_found\]$/m,
    )
    await expectRefusal(['events', 'list', '--sandbox', 'http://127.0.0.1:9'], /HTTP clients block this port/)
    await expectRefusal(['events', 'list', '--limit', '101', '--sandbox', url], /1 to 100/)
  })
})

describe('the API of these commands', () => {
  it('refuses requests of other origins', async () => {
    const { url } = await startSandbox()
    for (const path of ['/payments', '/listen?forward_to=http://localhost:1/', '/events/evt_x/resend']) {
      const response = await fetch(`${url}/sandbox${path}`, {
        method: 'POST',
        headers: { Origin: 'https://evil.example', 'Content-Type': 'application/json' },
        body: '{"amount":"1","currency":"USD"}',
      })
      expect([path, response.status]).toEqual([path, 403])
    }
  })

  it('leaves nothing beside its --file', async () => {
    const folder = temporaryFolder()
    const on = await startSandbox('--file', join(folder, 'a.sqlite'))
    await listening(on, '--forward-to', 'http://localhost:9/')
    expect(await on.stop()).toBe(0)
    expect(on.stderr()).toBe('')
    expect(readdirSync(folder)).toEqual(['a.sqlite'])
  })
})

async function expectRefusal(words: readonly string[], line: RegExp): Promise<void> {
  const { code, stdout, stderr } = await hookproof(words)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(line)
  expect(stderr.trimEnd().split('\n')).toHaveLength(1)
}

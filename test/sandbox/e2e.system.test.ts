import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CATALOGUE } from '../../conformance/contracts/payment-service/cases/index.ts'
import { createKit } from '../../conformance/contracts/payment-service/kit.ts'
import { explain, validate } from '../../schemas/validate.ts'
import {
  createPayment,
  interrupted,
  type RunningSandbox,
  runReceiver,
  runSandbox,
  said,
} from '../cli/sandbox/support.ts'
import { hookproof, launch } from '../cli/support.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFile } from '../support/temporary.ts'
import { until } from '../support/until.ts'
import { call, payment, sandbox } from './support.ts'

/** Clicks a button of the checkout like a browser. */
async function click(checkout: string, button: string): Promise<void> {
  const page = await (await fetch(checkout)).text()
  const [, name = '', value = ''] =
    new RegExp(`<button[^>]*name="(\\w+)" value="(\\w+)"[^>]*>\\s*${button}`).exec(page) ?? []
  expect(value, `the page has no button ${button}`).not.toBe('')
  const headers = { Origin: new URL(checkout).origin }
  const body = new URLSearchParams({ [name]: value })
  const response = await fetch(checkout, { method: 'POST', headers, body })
  expect(response.status).toBe(200)
}

const at = ({ url }: RunningSandbox) => ({ env: { HOOKPROOF_SANDBOX: url } })

describe('the sandbox and the reference receiver', { timeout: 90_000 }, () => {
  it('as commands: ships an order once despite resends, and reverses it once', async () => {
    const port = await freePort()
    const [on, shop] = await startBoth(port)
    const { id, checkout_url: checkout } = await createPayment(on, {
      amount: '42.00',
      webhook_url: 'https://shop.example/webhooks',
    })
    const watching = launch(['listen'], at(on))
    await said(watching, 'Ctrl-C to stop')
    await click(checkout, 'Simulate Success')
    await said(watching, /<-- payment\.completed .* 200 in/)
    await until(async () => (await shop.effects(id)).length > 0)
    expect(await shop.effects(id)).toEqual(['fulfilled 42.00 USD'])

    const listed = await hookproof(['events', 'list', '--json', '--payment', id], at(on))
    const [event] = JSON.parse(listed.stdout) as { id: string }[]
    const resend = async () => (await hookproof(['events', 'resend', event?.id ?? ''], at(on))).code
    expect(await Promise.all([resend(), resend(), resend()])).toEqual([0, 0, 0])
    expect((await hookproof(['trigger', 'payment.refunded', '--payment', id], at(on))).code).toBe(0)
    expect(await resend()).toBe(0)
    await until(() => watching.stdout().match(/<-- .* 200 in/g)?.length === 6)
    await until(async () => (await shop.effects(id)).length > 1)
    expect(await shop.effects(id)).toEqual(['fulfilled 42.00 USD', 'reversed 42.00 USD'])
    expect(watching.stdout()).not.toMatch(/ [45]\d\d in/)
    expect(await Promise.all([interrupted(watching), interrupted(shop)])).toEqual([0, 0])
    expect(await on.stop()).toBe(0)
  })

  it('ships nothing twice when the API resends a live payment', async () => {
    const port = await freePort()
    const on = await sandbox({ routes: [`https://shop.example/=http://localhost:${port}/`] })
    const shop = await runReceiver(on.secret, '--port', String(port))
    const id = await payment(on, { webhook_url: 'https://shop.example/webhooks' }, on.liveKey)
    on.act(id, { type: 'succeed' }, { chaos: { duplicate: 3 } })
    await on.idle()
    const resent = await call(on, 'POST', `/payments/${id}/resend-webhook`, { key: on.liveKey })
    expect([resent.status, resent.json]).toMatchObject([202, { deliveries: 1 }])
    await on.idle()
    const listed = await fetch(`${on.url}/sandbox/events?payment=${id}`)
    const { data } = (await listed.json()) as { data: { deliveries: { state: string; status: number }[] }[] }
    expect(data.flatMap(({ deliveries }) => deliveries)).toMatchObject(
      Array.from({ length: 5 }, () => ({ state: 'delivered', status: 200 })),
    )
    await until(async () => (await shop.effects(id)).length > 0)
    expect(await shop.effects(id)).toEqual(['fulfilled 25.00 USD'])
  })
})

/** Starts the sandbox and the receiver with the same secret, which comes from the sandbox's seed. */
async function startBoth(port: number) {
  const on = await runSandbox('--route', `https://shop.example/=http://localhost:${port}/`)
  const inbox = temporaryFile('inbox.sqlite')
  return [on, await runReceiver(on.secret, '--port', String(port), '--inbox', inbox)] as const
}

describe('the strict schema', () => {
  it('accepts the unchanged events of the catalogue', () => {
    const options = { secret: 'whsec_x', seed: 'e2e', mode: 'test', now: () => 1_750_000_000 } as const
    let count = 0
    // Other cases also have events from the future: test/conformance/contracts/payment-service/catalogue.system.test.ts names them.
    const ofToday = CATALOGUE.filter(({ id }) =>
      /^(refusals|duplicates|time-window)\/(?!with-other-fields$)/.test(id),
    )
    for (const testCase of ofToday) {
      for (const { deliveries } of testCase.send(createKit(testCase.id, options))) {
        for (const { change, body } of deliveries) {
          if (change !== undefined) continue
          count += 1
          expect(explain(validate('event.strict', JSON.parse(String(body)))), testCase.id).toBe('')
        }
      }
    }
    expect(count).toBeGreaterThan(50)
  })
})

const doc = readFileSync('docs/sandbox.md', 'utf8')

it('every trigger command of docs/sandbox.md works', { timeout: 90_000 }, async () => {
  const on = await runSandbox()
  const shop = await runReceiver(on.secret)
  const options = { env: { HOOKPROOF_SANDBOX: on.url } }
  const forward = ['--forward-to', `http://localhost:${shop.port}/webhooks`]
  const listen = launch(['listen', ...forward], options)
  await said(listen, 'Ctrl-C to stop')
  const lines = [...doc.matchAll(/^ {4}npx hookproof (trigger .*)$/gm)].map(([, words = '']) => words)
  expect(lines.length).toBeGreaterThan(4)
  const paid = await hookproof(['trigger', 'payment.completed', '--json'], options)
  const { payment_id: id } = JSON.parse(paid.stdout) as { payment_id: string }
  await Promise.all(
    lines.map(async (line) => {
      const words = line.replace('tx_...', id).split(' ')
      expect(await hookproof(words, options), line).toMatchObject({ code: 0, stderr: '' })
    }),
  )
  await until(() => (listen.stdout().match(/<-- .* 200 in/g)?.length ?? 0) >= lines.length + 2)
  expect(await shop.effects(id)).toEqual(['fulfilled 25.00 USD', 'reversed 25.00 USD'])
})

it('the example of a test runs unchanged', () => {
  const [, code = ''] = /```js\n([\s\S]*?)```/.exec(doc) ?? []
  // Inside the repository, so that `hookproof/sandbox` is this package.
  mkdirSync('reports', { recursive: true })
  const file = resolve('reports/sandbox-example.mjs')
  const print =
    "console.log((await (await fetch(`${sandbox.apiUrl}/payments/${id}`, { headers: { 'X-API-Key': sandbox.testKey } })).json()).status)"
  writeFileSync(file, code.replace('await sandbox.close()', `${print}\nawait sandbox.close()`))
  const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8' })
  expect({ stdout, stderr, status }).toEqual({ stdout: 'completed\n', stderr: '', status: 0 })
})

it('the commands have all options that it names', async () => {
  const named = new Set(doc.match(/--[a-z][a-z-]+/g))
  const commands = [['sandbox'], ['listen'], ['trigger'], ['events', 'list'], ['receive']]
  const help = await Promise.all(commands.map((words) => hookproof([...words, '--help'])))
  const known = help.map(({ stdout }) => stdout).join('')
  for (const option of named) expect(known, option).toContain(option)
})

import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import {
  MORE_SERIALIZERS,
  OWN_SERIALIZER,
  SERIALIZERS,
} from '../../conformance/diagnosis/mistakes/serializers.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { call, endpoint, payment, sandbox, sharedSandbox, temporaryFile } from './support.ts'

test('derives keys and secrets from the seed, and uses random ones without a seed', async () => {
  const [a, b, c] = [await sandbox({ seed: '7' }), await sandbox({ seed: '7' }), await sandbox()]
  expect(a.organizations).toEqual(b.organizations)
  expect(a.testKey).toMatch(/^svc_test_[A-Za-z0-9]{32}$/)
  expect(a.liveKey).toMatch(/^svc_live_[A-Za-z0-9]{32}$/)
  expect(a.secret).toMatch(/^whsec_[A-Za-z0-9]{32}$/)
  const secrets = [...a.organizations, ...c.organizations].flatMap(Object.values)
  // Only the names of the organizations are the same.
  expect(new Set(secrets).size).toBe(secrets.length - 2)
})

test('reset deletes everything except the default organizations and their keys', async () => {
  const on = await sandbox({ file: temporaryFile() })
  await payment(on)
  await endpoint(on, { url: 'https://shop.example/' })
  on.advance(1000)
  expect((await fetch(`${on.url}/sandbox/reset`, { method: 'POST' })).status).toBe(204)
  expect((await call(on, 'GET', '/payments')).json['data']).toEqual([])
  expect((await call(on, 'GET', '/webhooks')).json['data']).toEqual([])
  expect(await (await fetch(`${on.url}/sandbox/clock`)).json()).toMatchObject({ offset_ms: 0 })
  await on.reset()
  expect((await call(on, 'POST', '/payments', { body: { amount: '1', currency: 'USD' } })).status).toBe(201)
})

test('sends bytes that no common serializer writes, so a receiver that verifies re-serialized JSON refuses its first event', async () => {
  const on = await sandbox()
  const { event } = on.act(await payment(on), { type: 'succeed' })
  const sent = Buffer.from(event.body).toString()
  const written = Object.entries({ ...OWN_SERIALIZER, ...SERIALIZERS, ...MORE_SERIALIZERS })
    .filter(([, serialize]) => serialize(JSON.parse(sent)) === sent)
    .map(([name]) => name)
  expect(written).toEqual(['a serializer that indents by two spaces'])
})

test('stores everything in the file, which is a single file after closing', async () => {
  const file = temporaryFile()
  const before = await sandbox({ file, seed: 'kept' })
  const id = await payment(before)
  await before.close()
  expect(() => readFileSync(`${file}-wal`)).toThrow('ENOENT')
  const after = await sandbox({ file })
  expect((await call(after, 'GET', `/payments/${id}`)).status).toBe(200)
})

test('explains in one line why it cannot start, and leaves nothing running', async () => {
  const file = temporaryFile()
  const on = await sandbox({ file, seed: 'one' })
  const refused = (options: object) => expect(createSandbox(options)).rejects
  await refused({ file }).toThrow('another program is using the file')
  await refused({ port: Number(new URL(on.url).port) }).toThrow(/^"port" \d+ is already in use/)
  await refused({ port: 4190 }).toThrow(/^"port" 4190 is blocked by browsers.* such as 4100/)
  await on.close()
  await refused({ file, seed: 'two' }).toThrow('"seed" differs from the seed that the file was created with')
  await refused({ routes: ['https://shop.example/'] }).toThrow(
    '"routes" https://shop.example/: give two absolute URLs',
  )
  await refused({ chaos: { duplicat: 1 } }).toThrow('duplicat is unknown')

  const text = temporaryFile()
  writeFileSync(
    text,
    'no database, but a text that is longer than the header of a SQLite database file, which is 100 bytes',
  )
  await refused({ file: text }).toThrow('not a SQLite database')
  expect(readFileSync(text, 'utf8')).toMatch(/^no database/)
  await refused({ file: `${text}/in/no/folder` }).toThrow('cannot be opened')
})

test.each([
  [{ nonsense: 1 }, 'nonsense', /^"nonsense" is not an option\. The options are port, host,/],
  [{ route: 'https://shop.example/=http://localhost:3000/' }, 'route', /"route" is not an option\. .*routes/],
  [{ port: 70_000 }, 'port', '"port" must be a whole number from 0 to 65535, not 70000.'],
  [{ port: 1.5 }, 'port', '"port" must be a whole number from 0 to 65535, not 1.5.'],
  [
    { routes: 'https://shop.example/=http://localhost:3000/' },
    'routes',
    /"routes" must be a list of strings/,
  ],
  [{ routes: [1] }, 'routes', '"routes" must be a list of strings, not this list.'],
  [{ clock: 'bad' }, 'clock', '"clock" must be a function, not "bad".'],
  [{ onFailure: 1 }, 'onFailure', '"onFailure" must be a function, not 1.'],
  [{ botProtection: 'yes' }, 'botProtection', '"botProtection" must be true or false, not "yes".'],
  [{ file: '' }, 'file', '"file" must be the path of a file, not "".'],
  [{ seed: 7 }, 'seed', '"seed" must be a non-empty string, not 7.'],
  [{ seed: '' }, 'seed', '"seed" must be a non-empty string, not "".'],
  [{ host: 5 }, 'host', '"host" must be a host name or an IP address, not 5.'],
  [{ ack: 'lax' }, 'ack', '"ack" must be "2xx" or "strict", not "lax".'],
  [{ schedule: [1.5] }, 'schedule', /"schedule" must be .* or a list of waits in whole milliseconds/],
  [{ schedule: [2 ** 60] }, 'schedule', /"schedule" must be/],
  [{ schedule: 'slow' }, 'schedule', /"schedule" must be "fast", "realistic" or/],
  [{ schedule: 'toString' }, 'schedule', /"schedule" must be/],
  [{ chaos: 'duplicate' }, 'chaos', '"chaos" must be an object, not "duplicate".'],
  [{ chaos: null }, 'chaos', '"chaos" must be an object, not null.'],
])('rejects the options %j and names %s', async (options, name, message) => {
  await expect(createSandbox(options as object)).rejects.toMatchObject({
    code: 'bad_option',
    names: [name],
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
})

test.each([[null], [[]], ['port']])('rejects %j instead of an options object', async (options) => {
  await expect(createSandbox(options as unknown as object)).rejects.toMatchObject({
    code: 'bad_option',
    message: 'the options must be an object.',
  })
})

test('treats an undefined option as absent', async () => {
  const options = { port: undefined, seed: undefined, chaos: undefined } as object
  const on = await createSandbox(options)
  await on.close()
})

test('throws `closed` from every call after close', async () => {
  const on = await sandbox()
  const id = await payment(on)
  await on.close()
  const closed = expect.objectContaining({ code: 'closed' })
  expect(() => on.act(id, { type: 'succeed' })).toThrow(closed)
  expect(() => on.advance(1)).toThrow(closed)
  await expect(on.idle()).rejects.toThrow(closed)
  await expect(on.reset()).rejects.toThrow(closed)
  await on.close()
})

test('/healthz responds 200', async () => {
  const on = await sandbox()
  const response = await fetch(`${on.url}/healthz`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

const shared = sharedSandbox()

/** Passes a value without type checks, like plain JavaScript. */
const untyped = (value: unknown) => value as never

test.each([
  [
    { type: 'nope' },
    /the action type must be one of succeed, fail, pay_part, accept_short, reverse, end_window/,
  ],
  [{ type: 'toString' }, /the action type must be one of/],
  [{ type: 'switch_method', method: 'pix' }, /To switch the method, set "method" on the next action/],
  [{}, /the action type must be one of/],
  [null, /the action must be an object/],
  ['succeed', /the action must be an object/],
  [{ type: 'reverse', refund_type: 'refund' }, /reverse has no field "refund_type". Its fields are as/],
  [{ type: 'reverse', refundType: 'refund' }, /reverse has no field "refundType". Its fields are as/],
  [{ type: 'reverse' }, /reverse requires "as": "refund" or "chargeback"/],
  [{ type: 'reverse', as: 'gift' }, /reverse, as: expected/],
  [{ type: 'fail', code: 'no_luck' }, /fail, code: expected/],
  [
    { type: 'fail', failure_code: 'card_declined' },
    /fail has no field "failure_code". Its fields are method, simulated, code/,
  ],
  [{ type: 'fail', reason: 5 }, /fail, reason: expected/],
  [{ type: 'succeed', method: 'cash' }, /succeed, method: expected/],
  [{ type: 'succeed', simulated: 'yes' }, /succeed, simulated: expected/],
  [{ type: 'succeed', settledVia: { rail: 'PIX' } }, /succeed, settledVia(\.amount)?: expected/],
  [
    { type: 'succeed', settledVia: { rail: 'PIX', amount: 5, currency: 'BRL' } },
    /settledVia\.amount: expected/,
  ],
  [{ type: 'pay_part', method: 'crypto' }, /pay_part requires "amount"/],
  [{ type: 'pay_part', method: 'crypto', amount: 5 }, /pay_part, amount: expected text/],
  [{ type: 'pay_part', amount: undefined }, /pay_part requires "amount"/],
  [{ type: 'accept_short', received: '-1' }, /accept_short, received: expected decimal text/],
  [
    { type: 'accept_short', received: '1'.repeat(65) },
    /received: expected decimal text .* at most 64 characters/,
  ],
  [{ type: 'end_window', method: 'pix' }, /end_window has no field "method". It has no fields besides type/],
])('rejects the action %j, and changes nothing', async (action, message) => {
  const on = shared()
  const id = await payment(on)
  const refusal = { code: 'bad_action', message: expect.stringMatching(message) }
  expect(() => on.act(id, untyped(action))).toThrow(expect.objectContaining(refusal))
  expect(on.act(id, { type: 'succeed' }).payment.status).toBe('completed')
})

test('treats an undefined field as absent', async () => {
  const on = shared()
  const { event } = on.act(
    await payment(on),
    untyped({ type: 'fail', code: undefined, simulated: undefined, reason: 'None of it.' }),
    untyped({ chaos: undefined }),
  )
  const body = JSON.parse(Buffer.from(event.body).toString())
  expect(body).toMatchObject({ failure_code: 'provider_error', failure_reason: 'None of it.' })
})

test('validates chaos, and rejects other options', async () => {
  const on = shared()
  const id = await payment(on)
  const act = (options: object) => () => on.act(id, { type: 'succeed' }, options)
  expect(act({ chaos: { duplicat: 1 } })).toThrow('duplicat is unknown')
  expect(act({ duplicate: 1 })).toThrow('"duplicate" is not an option of act()')
  expect(act({ chaos: { duplicate: 1 } })).not.toThrow()
})

test.each([
  [5, 'bad_action'],
  [undefined, 'bad_action'],
  [{ id: 'tx_nobody' }, 'bad_action'],
  ['tx_nobody', 'no_such_payment'],
])('rejects the payment id %j with %s', async (id, code) => {
  const on = shared()
  expect(() => on.act(untyped(id), { type: 'succeed' })).toThrow(expect.objectContaining({ code }))
})

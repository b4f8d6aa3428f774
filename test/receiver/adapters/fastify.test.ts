import { createServer } from 'node:http'
import { PassThrough } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fastifyRoute } from '../../../receiver/fastify.ts'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { type WebhookPluginOptions, webhookPlugin } from '../../../receiver/limits/limited-fastify.ts'
import { createReceiver, type DeliveryOutcome } from '../../../receiver/receive.ts'
import { events, signed, verify } from '../support.ts'

const valid = signed(events('fastify').event('completed'))

/** An app with the plugin at /webhooks and a JSON route beside it. */
async function receiver(options: Partial<WebhookPluginOptions> = {}, app: FastifyInstance = fastify()) {
  const inbox = memoryInbox()
  const outcomes: DeliveryOutcome[] = []
  const onOutcome = (outcome: DeliveryOutcome) => void outcomes.push(outcome)
  await app.register(webhookPlugin, { url: '/webhooks', verify, inbox, onOutcome, ...options })
  app.post('/json', async ({ body }) => ({ body }))
  await app.ready()
  onTestFinished(() => app.close())
  return { app, outcomes, pending: () => inbox.list({ state: 'pending' }) }
}

const deliver = (
  app: FastifyInstance,
  { body, header }: { body: Buffer; header: string } = valid,
  headers: Record<string, string | undefined> = { 'content-type': 'application/json' },
) =>
  app.inject({
    method: 'POST',
    url: '/webhooks',
    payload: body,
    headers: { 'x-service-signature': header, ...headers },
  })

describe('the Fastify plugin', () => {
  it('stores the exact bytes and answers 200', async () => {
    const { app, outcomes, pending } = await receiver()
    const response = await deliver(app)
    expect([response.statusCode, response.json()]).toEqual([200, { received: true }])
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '17',
    })
    expect((await pending()).map(({ body }) => body)).toEqual([valid.body])
    expect(outcomes).toMatchObject([{ outcome: 'stored', status: 200 }])
  })

  it.each([
    [undefined],
    [''],
    ['nonsense'],
    ['application/json; charset=utf-16'],
    ['application/json; charset='],
    ['multipart/form-data'],
    ['application/x-www-form-urlencoded'],
    ['text/plain'],
    ['/;'],
  ])('accepts the content type %j', async (type) => {
    const { app } = await receiver()
    expect((await deliver(app, valid, { 'content-type': type })).statusCode).toBe(200)
  })

  it('accepts a malformed content type after a hook that has read it', async () => {
    const app = fastify().addHook('onRequest', async ({ mediaType }) => void mediaType)
    expect((await deliver((await receiver({}, app)).app, valid, { 'content-type': 'x' })).statusCode).toBe(
      200,
    )
  })

  it('leaves the parsers of other routes as they are', async () => {
    const { app } = await receiver()
    const response = await app.inject({ method: 'POST', url: '/json', payload: { a: 1 } })
    expect(response.json()).toEqual({ body: { a: 1 } })
  })

  it('ignores the parsers and the body limit of the app', async () => {
    const app = fastify({ bodyLimit: 10 })
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, _body, done) =>
      done(new Error('not for webhooks')),
    )
    expect((await deliver((await receiver({}, app)).app)).statusCode).toBe(200)
  })

  it('runs the hooks of the app, which may refuse the request', async () => {
    const app = fastify()
    const seen: string[] = []
    app.addHook('onRequest', async (request, reply) => {
      if (request.headers['x-blocked']) await reply.code(403).send({ error: 'blocked' })
    })
    app.addHook('preHandler', async () => void seen.push('preHandler'))
    app.addHook('onResponse', async (_request, reply) => void seen.push(`onResponse ${reply.statusCode}`))
    const { pending } = await receiver({}, app)
    expect((await deliver(app, valid, { 'x-blocked': '1' })).statusCode).toBe(403)
    expect(await pending()).toEqual([])
    expect((await deliver(app)).statusCode).toBe(200)
    expect(seen).toEqual(['onResponse 403', 'preHandler', 'onResponse 200'])
  })

  it('answers a refusal with its code, whatever the error handler of the app does', async () => {
    const app = fastify().setErrorHandler(async (_error, _request, reply) => reply.code(500).send('handled'))
    const { outcomes } = await receiver({ limitBytes: valid.body.length }, app)
    const longer = signed(Buffer.concat([valid.body, Buffer.from(' ')]))
    const mismatch = await deliver(app, { ...valid, header: `t=1750000000,v1=${'0'.repeat(64)}` })
    expect([mismatch.statusCode, mismatch.json().code]).toEqual([401, 'signature_mismatch'])
    const tooLarge = await deliver(app, longer)
    expect([tooLarge.statusCode, tooLarge.json().code]).toEqual([413, 'body_too_large'])
    expect(outcomes.map(({ status }) => status)).toEqual([401, 413])
  })

  it('refuses a request without a body, and without a header', async () => {
    const { app } = await receiver()
    const response = await app.inject({ method: 'POST', url: '/webhooks' })
    expect(response.json()).toMatchObject({ code: 'header_missing' })
  })

  it('refuses a body that is too slow and closes the connection', async () => {
    const { app, outcomes } = await receiver({ bodyTimeoutMs: 10 })
    const payload = new PassThrough()
    payload.write('{')
    const headers = { 'x-service-signature': valid.header, 'content-length': '100' }
    const response = await app.inject({ method: 'POST', url: '/webhooks', payload, headers })
    expect([response.statusCode, response.json().code, response.headers['connection']]).toEqual([
      408,
      'body_too_slow',
      'close',
    ])
    expect(outcomes).toHaveLength(1)
  })

  it('names the cause when a hook has read the body', async () => {
    const app = fastify().addHook('preParsing', async (request) => {
      for await (const _chunk of request.raw);
    })
    const response = await deliver((await receiver({}, app)).app)
    expect([response.statusCode, response.json().code]).toEqual([500, 'body_already_read'])
  })

  it('passes a fault of the program to the error handler of the app', async () => {
    const app = fastify().setErrorHandler(async (error, _request, reply) =>
      reply.code(500).send(String(error)),
    )
    const faulty = () => {
      throw new RangeError('a fault')
    }
    const response = await deliver((await receiver({ verify: faulty }, app)).app)
    expect([response.statusCode, response.body]).toEqual([500, 'RangeError: a fault'])
  })

  it('honors a prefix', async () => {
    const app = fastify()
    await app.register(webhookPlugin, { prefix: '/hooks', url: '/payments', verify, inbox: memoryInbox() })
    const response = await app.inject({ method: 'POST', url: '/hooks/payments' })
    expect(response.statusCode).toBe(400)
  })
})

describe('registration', () => {
  const inbox = memoryInbox()

  it.each<[string, Partial<WebhookPluginOptions>, RegExp]>([
    ['no url', { url: undefined as unknown as string }, /^url: is missing/],
    ['no inbox', { inbox: undefined as unknown as typeof inbox }, /^inbox: is missing/],
    ['a limit that is not a number', { limitBytes: Number.NaN }, /^limitBytes: /],
  ])('fails with %s', async (_name, options, message) => {
    const app = fastify()
    const registered = app.register(webhookPlugin, { url: '/webhooks', verify, inbox, ...options })
    await expect(Promise.resolve(registered)).rejects.toThrow(message)
  })

  it('fails with a blank secret', async () => {
    const registered = fastify().register(webhookPlugin, { url: '/webhooks', secrets: ' ', inbox })
    await expect(Promise.resolve(registered)).rejects.toThrow(/^secrets: /)
  })

  it('fails on an instance with HTTP/2', async () => {
    const app = fastify({ http2: true } as FastifyServerOptions)
    const registered = app.register(webhookPlugin, { url: '/webhooks', verify, inbox })
    await expect(Promise.resolve(registered)).rejects.toThrow(/HTTP\/2 is not supported/)
  })

  it('says that it is a plugin when it is used as something else', async () => {
    const notAnApp = createServer() as unknown as FastifyInstance
    await expect(webhookPlugin(notAnApp, { url: '/', verify, inbox })).rejects.toThrow(/app\.register/)
  })
})

describe('the adapter to copy', () => {
  it('works without the limits, within the body limit of the app', async () => {
    const app = fastify({ bodyLimit: valid.body.length })
    const inbox = memoryInbox()
    app.register(async (scope) => fastifyRoute(scope, '/webhooks', createReceiver({ verify, inbox })))
    for (const type of [undefined, 'nonsense', 'application/json'])
      expect((await deliver(app, valid, { 'content-type': type })).statusCode).toBe(200)
    const longer = signed(Buffer.concat([valid.body, Buffer.from(' ')]))
    expect((await deliver(app, longer)).statusCode).toBe(413)
    const empty = await app.inject({ method: 'POST', url: '/webhooks' })
    expect(empty.json()).toMatchObject({ code: 'header_missing' })
    expect((await inbox.list({ state: 'pending' })).map(({ body }) => body)).toEqual([valid.body])
  })
})

import { gzipSync } from 'node:zlib'
import express, { type RequestHandler } from 'express'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { memoryInbox } from '../../../receiver/inbox/memory.ts'
import { type HandlerOptions, webhookHandler } from '../../../receiver/limits/limited-express.ts'
import type { DeliveryOutcome, DeliveryStore } from '../../../receiver/receive.ts'
import { events, signed, verify } from '../support.ts'

/** An application with the handler after the given middleware, and the outcomes that it reports. */
function receiver(options: Partial<HandlerOptions> = {}, ...before: RequestHandler[]) {
  const inbox = memoryInbox()
  const outcomes: DeliveryOutcome[] = []
  const onOutcome = (outcome: DeliveryOutcome) => void outcomes.push(outcome)
  const app = express()
  app.post('/', ...before, webhookHandler({ verify, inbox, onOutcome, ...options }))
  return { app, inbox, outcomes, pending: () => inbox.list({ state: 'pending' }) }
}

function post(
  app: express.Express,
  { body, header }: { body: Buffer; header: string },
  type = 'application/json',
) {
  const sending = request(app).post('/').set('X-Service-Signature', header)
  // The serializer is replaced so that the client sends these bytes whatever the content type.
  return sending
    .type(type)
    .serialize((bytes) => bytes)
    .send(body)
}

describe('a valid delivery', () => {
  const valid = signed(events('valid').event('completed'))

  it('is stored with its exact bytes and answered with 200 and JSON', async () => {
    const { app, pending, outcomes } = receiver()
    const response = await post(app, valid)
    expect(response.status).toBe(200)
    expect(response.body).toEqual({ received: true })
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '17',
    })
    expect((await pending()).map(({ body }) => body)).toEqual([valid.body])
    expect(outcomes).toMatchObject([{ outcome: 'stored', status: 200 }])
  })

  it('is acknowledged twice and stored once when it is redelivered with a new signature', async () => {
    const { app, pending, outcomes } = receiver()
    const event = events('again').event('completed')
    for (const t of [1_750_000_000, 1_750_000_100])
      expect((await post(app, signed(event, t))).status).toBe(200)
    expect(await pending()).toHaveLength(1)
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'duplicate'])
  })

  it.each([
    ['application/json; charset=utf-8'],
    ['application/json; charset=utf-16'],
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['multipart/form-data'],
    ['nonsense'],
  ])('is accepted with the content type %s', async (type) => {
    const { app } = receiver()
    expect((await post(app, valid, type)).status).toBe(200)
  })

  it('is verified by its bytes as received, even with Content-Encoding: gzip', async () => {
    const { app } = receiver()
    const response = await post(app, valid).set('Content-Encoding', 'gzip')
    expect(response.status).toBe(200)
    const zipped = await post(app, { ...valid, body: gzipSync(valid.body) }).set('Content-Encoding', 'gzip')
    expect(zipped.body).toMatchObject({ code: 'signature_mismatch' })
  })

  it('is accepted after express.raw, which keeps the bytes', async () => {
    const { app, pending } = receiver({}, express.raw({ type: () => true, inflate: false }))
    expect((await post(app, valid)).status).toBe(200)
    expect((await pending()).map(({ body }) => body)).toEqual([valid.body])
  })

  it('is accepted after a body parser that ignored it', async () => {
    const { app } = receiver({}, express.urlencoded())
    expect((await post(app, valid)).status).toBe(200)
  })
})

describe('construction', () => {
  it.each([[undefined], [{}]])('rejects the inbox %j', (inbox) => {
    const make = () => webhookHandler({ verify, inbox: inbox as unknown as DeliveryStore })
    expect(make).toThrow(/^inbox: is missing/)
  })

  it.each([[0], [-1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY], ['1mb']])(
    'rejects the limit %j',
    (limit) => {
      const make = () => receiver({ limitBytes: limit as number })
      expect(make).toThrow(/^limitBytes: .*Omit it/)
    },
  )
})

describe('a refusal', () => {
  const valid = signed(events('refusal').event('completed'))

  it('answers with short JSON and a code, and stores nothing', async () => {
    const { app, pending, outcomes } = receiver()
    const response = await post(app, { ...valid, header: `t=1750000000,v1=${'0'.repeat(64)}` })
    expect(response.status).toBe(401)
    expect(response.body).toEqual({ error: expect.any(String), code: 'signature_mismatch' })
    expect(await pending()).toEqual([])
    expect(outcomes).toMatchObject([
      { outcome: 'refused', status: 401, error: { code: 'signature_mismatch' } },
    ])
  })

  it('answers 413 above the size limit, and not at the limit', async () => {
    const { app } = receiver({ limitBytes: valid.body.length })
    const longer = signed(Buffer.concat([valid.body, Buffer.from(' ')]))
    expect((await post(app, valid)).status).toBe(200)
    expect((await post(app, longer)).body).toMatchObject({ code: 'body_too_large' })
    expect((await post(app, longer)).status).toBe(413)
  })

  it.each([
    ['express.json()', express.json()],
    ['express.text()', express.text({ type: () => true })],
    [
      'middleware that read the stream',
      (async (request, _response, next) => {
        for await (const _chunk of request);
        next()
      }) as RequestHandler,
    ],
    [
      'middleware that read part of the stream',
      ((request, _response, next) => {
        request.once('data', () => {
          request.pause()
          next()
        })
      }) as RequestHandler,
    ],
    [
      'middleware that set an encoding',
      ((request, _response, next) => {
        request.setEncoding('utf8')
        next()
      }) as RequestHandler,
    ],
  ])('names the cause and the fix when %s ran first', async (_name, parser) => {
    const { app } = receiver({}, parser)
    const response = await post(app, valid)
    expect(response.status).toBe(500)
    expect(response.body).toMatchObject({
      code: 'body_already_read',
      error: expect.stringMatching(/before express/),
    })
  })

  it('reports the same for an empty body that a parser read', async () => {
    const { app } = receiver({}, express.json())
    const response = await request(app).post('/').type('json').set('Content-Length', '0')
    expect(response.body).toMatchObject({ code: 'body_already_read' })
  })

  it('answers 503 with Retry-After when the store fails, without the reason', async () => {
    const inbox = { ...memoryInbox(), accept: () => Promise.reject(new Error('disk /dev/sda1 is full')) }
    const { app, outcomes } = receiver({ inbox })
    const response = await post(app, valid)
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toMatch(/^[1-9][0-9]*$/)
    expect(response.body).toEqual({ error: expect.any(String), code: 'store_unavailable' })
    expect(response.text).not.toContain('disk')
    expect(outcomes).toMatchObject([{ error: { cause: { message: 'disk /dev/sda1 is full' } } }])
  })

  it('answers 503 when the store throws synchronously', async () => {
    const inbox = {
      ...memoryInbox(),
      accept: () => {
        throw new Error('closed')
      },
    }
    expect((await post(receiver({ inbox }).app, valid)).status).toBe(503)
  })

  it('passes any other error to the application', async () => {
    const { app } = receiver({
      verify: () => {
        throw new RangeError('a fault')
      },
    })
    app.use(((error, _request, response, _next) => {
      response.status(500).send(String(error))
    }) as express.ErrorRequestHandler)
    expect((await post(app, valid)).text).toBe('RangeError: a fault')
  })
})

import { once } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import express, { type Express, type Request, type Response } from 'express'
import { describe, expect, it } from 'vitest'
import { expressClasses } from '../../receiver/express-classes.ts'

/** What a request to a server answers, as JSON. */
async function answerOf(classes: object, app: Express, path: string): Promise<unknown> {
  const server = createServer({ ...classes }, app)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  try {
    const { port } = server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { Connection: 'close' } })
    return await response.json()
  } finally {
    server.close()
  }
}

/** Asserts what Express answers, with its own objects and with those of `expressClasses`. */
async function expectAnswer(
  build: (classesFor: (app: Express) => object) => { app: Express; classes: object },
  path: string,
  answer: unknown,
): Promise<void> {
  const plain = build(() => ({}))
  expect(await answerOf(plain.classes, plain.app, path), 'with the objects of Express').toEqual(answer)
  const fast = build((app) => ({ ...expressClasses(app) }))
  expect(await answerOf(fast.classes, fast.app, path), 'with expressClasses').toEqual(answer)
}

/** Adds a method to a prototype of Express. */
const extend = (prototype: object, name: string, value: unknown = name) =>
  Object.assign(prototype, { [name]: () => value })

/** The results of methods, by name; `missing` for one that does not exist. */
const results = (object: object, ...names: string[]) =>
  Object.fromEntries(
    names.map((name) => {
      const method: unknown = Reflect.get(object, name)
      return [name, typeof method === 'function' ? method.call(object) : 'missing']
    }),
  )

describe('objects of expressClasses', () => {
  it('are instances of the Node.js classes and look like them', async () => {
    await expectAnswer(
      (classesFor) => {
        const app = express()
        const classes = classesFor(app)
        app.get('/', (request, response) => {
          const inherited = []
          for (const key in request) if (!Object.hasOwn(request, key)) inherited.push(key)
          response.json({
            request: [request instanceof IncomingMessage, request.constructor === IncomingMessage],
            response: [response instanceof ServerResponse, response.constructor === ServerResponse],
            printed: [inspect(request, { depth: 0 }), inspect(response, { depth: 0 })].map(
              (text) => text.split(' ')[0],
            ),
            app: [inherited.includes('app'), inherited.includes('constructor')],
          })
        })
        return { app, classes }
      },
      '/',
      {
        request: [true, true],
        response: [true, true],
        printed: ['IncomingMessage', 'ServerResponse'],
        app: [true, false],
      },
    )
  })

  it('belong to the application that handles them, also during and after a mounted one', async () => {
    await expectAnswer(
      (classesFor) => {
        const app = express().set('title', 'outer').set('trust proxy', true)
        const inner = express().set('title', 'inner').set('trust proxy', false)
        const seen: unknown[] = []
        const see = (request: Request, response: Response) =>
          seen.push([request.app.get('title'), response.app.get('title'), request.res === response])
        app.use((request, response, next) => next(void see(request, response)))
        inner.use((request, response, next) => next(void see(request, response)))
        app.use('/mounted', inner)
        const classes = classesFor(app)
        app.use((request, response) => {
          see(request, response)
          response.json({ seen, protocol: request.protocol, own: Object.hasOwn(request, 'app') })
        })
        return { app, classes }
      },
      '/mounted',
      {
        seen: [
          ['outer', 'outer', true],
          ['inner', 'inner', true],
          ['outer', 'outer', true],
        ],
        protocol: 'http',
        own: false,
      },
    )
  })

  it('have the getters and methods of Express and of the application', async () => {
    await expectAnswer(
      (classesFor) => {
        const app = express().set('trust proxy', true)
        Object.defineProperty(app.request, 'shop', { get: () => 'shop 1' })
        extend(app.response, 'before')
        const classes = classesFor(app)
        Object.defineProperty(app.request, 'ip', { get: () => '203.0.113.7' })
        extend(app.response, 'after')
        app.get('/', (request, response) =>
          response.json({
            shop: Reflect.get(request, 'shop'),
            getters: [request.ip, request.protocol, request.secure, request.xhr, request.path],
            header: request.get('connection'),
            ...results(response, 'before', 'after'),
          }),
        )
        return { app, classes }
      },
      '/',
      {
        shop: 'shop 1',
        getters: ['203.0.113.7', 'http', false, false, '/'],
        header: 'close',
        before: 'before',
        after: 'after',
      },
    )
  })

  it.each(['before', 'after'])('share additions with applications mounted %s', async (mounted) => {
    await expectAnswer(
      (classesFor) => {
        const app = express()
        const inner = express()
        extend(app.request, 'early')
        extend(app.request, 'replaced', 'early')
        if (mounted === 'before') app.use(inner)
        const classes = classesFor(app)
        if (mounted === 'after') app.use(inner)
        extend(app.request, 'late')
        extend(app.request, 'replaced', 'late')
        extend(inner.request, 'inner')
        inner.get('/', (request, response) =>
          response.json({
            inner: results(request, 'early', 'late', 'replaced', 'inner'),
            outer: results(app.request, 'inner'),
          }),
        )
        return { app, classes }
      },
      '/',
      {
        inner: { early: 'early', late: 'late', replaced: 'late', inner: 'inner' },
        outer: { inner: 'missing' },
      },
    )
  })

  it('of an application that is mounted later keep its additions and inherit those of the other', async () => {
    await expectAnswer(
      (classesFor) => {
        const app = express().set('title', 'mounted later')
        extend(app.request, 'early')
        classesFor(app)
        extend(app.request, 'late')
        const outer = express().set('title', 'outer')
        outer.use(app)
        const classes = classesFor(outer)
        extend(outer.request, 'outer')
        app.get('/', (request, response) =>
          response.json([request.app.get('title'), results(request, 'early', 'late', 'outer')]),
        )
        return { app: outer, classes }
      },
      '/',
      ['mounted later', { early: 'early', late: 'late', outer: 'outer' }],
    )
  })

  it('reach error handlers of the application', async () => {
    await expectAnswer(
      (classesFor) => {
        const app = express().set('title', 'outer')
        const inner = express().set('title', 'inner')
        inner.get('/', () => {
          throw new Error('in the mounted application')
        })
        app.use(inner)
        const classes = classesFor(app)
        app.use((error: Error, request: Request, response: Response, _next: () => void) => {
          response.json([error.message, request.app.get('title'), response.app.get('title')])
        })
        return { app, classes }
      },
      '/',
      ['in the mounted application', 'outer', 'outer'],
    )
  })
})

describe('expressClasses', () => {
  it('returns the same classes for the same application', () => {
    const app = express()
    const classes = expressClasses(app)
    const { request, response } = app
    const again = expressClasses(app)
    expect(again.IncomingMessage).toBe(classes.IncomingMessage)
    expect(again.ServerResponse).toBe(classes.ServerResponse)
    expect(app.request).toBe(request)
    expect(app.response).toBe(response)
    expect(expressClasses(express()).IncomingMessage).not.toBe(classes.IncomingMessage)
  })

  it('creates new classes after the application has got another prototype', async () => {
    const app = express()
    expressClasses(app)
    app.request = Object.assign(Object.create(app.request), { name: 'another prototype' })
    const classes = expressClasses(app)
    const prototypes = new Set<unknown>()
    app.get('/', (request, response) => {
      response.json(Reflect.get(request, 'name'))
    })
    class Observed extends classes.IncomingMessage {
      constructor(...args: ConstructorParameters<typeof IncomingMessage>) {
        super(...args)
        prototypes.add(Object.getPrototypeOf(Object.getPrototypeOf(this)))
      }
    }
    expect(await answerOf({ ...classes, IncomingMessage: Observed }, app, '/')).toBe('another prototype')
    expect([...prototypes]).toEqual([app.request])
  })

  it('leaves the application usable by a server without the classes', async () => {
    const app = express()
    expressClasses(app)
    app.get('/', (request, response) => response.json(request.app === app))
    expect(await answerOf({}, app, '/')).toBe(true)
  })
})

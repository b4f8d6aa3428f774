import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expressClasses } from '../../receiver/express-classes.ts'

/** An application that uses the Express features that another prototype could break. */
function fullApp(): Express {
  const app = express()
  app.set('trust proxy', 'loopback')
  app.response.locals = { from: 'the prototype' }
  app.use((request, response, next) => {
    response.set('X-Seen', `${request.method} ${request.baseUrl} ${request.path} ${'app' in request}`)
    next()
  })

  const inner = express()
  inner.set('name', 'inner')
  inner.response.json = function (this: typeof inner.response) {
    return this.send('the inner json')
  } as typeof inner.response.json
  inner.get('/whoami', (request, response) => response.json({ at: request.baseUrl }))
  inner.get('/through', (_request, _response, next) => next())
  inner.get('/fails', () => {
    throw new Error('inner application failed')
  })
  app.use('/inner', inner)
  app.get('/inner/through', (request, response) => response.json({ back: request.app === app }))

  const router = express.Router()
  router.param('id', (request, _response, next, id) => {
    Object.assign(request, { found: `found ${id}` })
    next()
  })
  router.get('/:id', (request, response) =>
    response.json({ ...request.params, found: Reflect.get(request, 'found'), base: request.baseUrl }),
  )
  app.use('/router', router)

  app.get('/text', (_request, response) => response.status(201).type('txt').send('text'))
  app.get('/json', (request, response) => response.json({ query: request.query, fresh: request.fresh }))
  app.get('/redirect', (_request, response) => response.redirect('/text'))
  app.get('/cookies', (_request, response) => response.cookie('a', 'b', { httpOnly: true }).sendStatus(204))
  app.get('/file', (_request, response) => response.sendFile(file))
  app.get('/caller', (request, response) =>
    response.json([request.ip, request.ips, request.protocol, request.hostname, request.is('json')]),
  )
  app.get('/negotiated', (_request, response) =>
    response.format({ json: () => response.json('json'), html: () => response.send('<p>html') }),
  )
  app.get('/instances', (request, response) =>
    response.json([Object.keys(request).includes('res'), response.req === request, response.locals]),
  )
  app.post('/raw', express.raw({ type: () => true, limit: 10 }), (request, response) =>
    response.json({ length: request.body.length }),
  )
  app.get('/throws', () => {
    throw new Error('a fault')
  })
  app.get('/rejects', async () => {
    throw Object.assign(new Error('later'), { status: 418 })
  })
  app.use(((error, _request, response, next) => {
    if (error.message === 'later') next(error)
    else response.status(error.status ?? 500).json({ error: error.message })
  }) as ErrorRequestHandler)
  return app
}

const requests: Record<string, string> = {
  'a text with a status': 'GET /text',
  'JSON with an entity tag and a query': 'GET /json?a=1&a=2',
  'a response that the client has cached': 'GET /json\r\nIf-None-Match: *',
  'a redirect': 'GET /redirect',
  'HEAD of a route for GET': 'HEAD /json',
  'OPTIONS of a route': 'OPTIONS /text',
  'a cookie and no content': 'GET /cookies',
  'a file': 'GET /file',
  'a part of a file': 'GET /file\r\nRange: bytes=2-4',
  'a client behind a proxy':
    'GET /caller\r\nX-Forwarded-For: 203.0.113.7, 127.0.0.2\r\nX-Forwarded-Proto: https',
  'content negotiation': 'GET /negotiated\r\nAccept: text/html',
  'request and response reference each other': 'GET /instances',
  'a route of a router, with a parameter': 'GET /router/tx_1',
  'a sub-application that changes its own response': 'GET /inner/whoami',
  'a request that a sub-application passes on': 'GET /inner/through',
  'an error in a sub-application': 'GET /inner/fails',
  'an error': 'GET /throws',
  'an error that Express handles': 'GET /rejects',
  'an unknown path': 'GET /nowhere',
  'an invalid path': 'GET /%zz',
  'a body': 'POST /raw\r\nContent-Length: 4\r\n\r\nbody',
  'a chunked body': 'POST /raw\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n',
  'a body that is too large': 'POST /raw\r\nContent-Length: 11\r\n\r\nbody longer',
  'a body with Expect: 100-continue': 'POST /raw\r\nExpect: 100-continue\r\nContent-Length: 4\r\n\r\nbody',
}

const folder = mkdtempSync(join(tmpdir(), 'hookproof-'))
const file = join(folder, 'file.txt')
writeFileSync(file, '0123456789')
const servers: Record<string, Server> = {}

beforeAll(async () => {
  for (const name of ['plain', 'fast']) {
    const app = fullApp()
    const server = createServer(name === 'fast' ? { ...expressClasses(app) } : {}, app)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers[name] = server
  }
})

afterAll(() => {
  for (const server of Object.values(servers)) server.close().closeAllConnections()
  rmSync(folder, { recursive: true })
})

/** Everything that a server sends for requests on one connection, without the Date header. */
async function answerOf(name: string, ...requests: string[]): Promise<string> {
  const address = servers[name]?.address() as AddressInfo | undefined
  const socket = connect(address?.port ?? 0, '127.0.0.1')
  const last = requests.length - 1
  for (const [at, request] of requests.entries()) {
    const [line = '', ...rest] = request.split('\r\n')
    const head = [
      `${line} HTTP/1.1`,
      'Host: shop.test',
      `Connection: ${at === last ? 'close' : 'keep-alive'}`,
    ]
    const end = request.includes('\r\n\r\n') ? '' : '\r\n\r\n'
    socket.write([...head, ...rest].join('\r\n') + end)
  }
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  return text.replaceAll(/^Date: .*\r\n/gm, '')
}

describe('a server with the classes of its Express application', () => {
  it.each(Object.entries(requests))('answers the same as a plain server: %s', async (_name, request) => {
    const plain = await answerOf('plain', request)
    expect(plain).toMatch(/^HTTP\/1\.1 \d{3} /)
    expect(await answerOf('fast', request)).toBe(plain)
  })

  it('answers several requests on one connection the same as a plain server', async () => {
    const all = Object.values(requests).filter((request) => request.startsWith('GET /'))
    const plain = await answerOf('plain', ...all)
    expect(plain.match(/HTTP\/1\.1 \d{3} /g)).toHaveLength(all.length)
    expect(await answerOf('fast', ...all)).toBe(plain)
  })

  it('creates requests and responses with their final prototypes', async () => {
    const app = express()
    const { IncomingMessage, ServerResponse } = expressClasses(app)
    const created: boolean[] = []
    const server = createServer({ IncomingMessage, ServerResponse }, (request, response) => {
      created.push(Object.getPrototypeOf(request) === app.request)
      created.push(Object.getPrototypeOf(response) === app.response)
      created.push(request instanceof IncomingMessage, response instanceof ServerResponse)
      response.end()
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1').end('GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    await once(socket.resume(), 'close')
    server.close()
    expect(created).toEqual([true, true, true, true])
  })

  it('sees methods that are added to the application later', async () => {
    const app = express()
    const server = createServer({ ...expressClasses(app) }, app)
    Object.assign(app.response, { added: () => 'added' })
    app.get('/', (_request, response) => response.send(Reflect.get(response, 'added')()))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    servers['own'] = server
    expect(await answerOf('own', 'GET /')).toMatch(/\r\n\r\nadded$/)
  })
})

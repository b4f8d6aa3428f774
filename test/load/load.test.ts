import { createServer, type RequestListener } from 'node:http'
import { createServer as createRawServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { addressOf, responseParser } from '../../load/connection.ts'
import { type LoadOptions, type LoadResult, runLoad } from '../../load/run.ts'
import { readDelivery, type VerifiedDelivery } from '../../receiver/receive.ts'
import { createVerifier } from '../../receiver/verify.ts'
import { startServer } from '../support/start-server.ts'

const SECRET = 'whsec_for_the_tests_of_the_load'

async function loadOn(port: number, options: Partial<LoadOptions> = {}): Promise<LoadResult> {
  const url = new URL(`http://127.0.0.1:${port}/webhooks?a=1`)
  return runLoad({
    url,
    address: await addressOf(url),
    secret: SECRET,
    signatureHeader: 'X-Service-Signature',
    headers: [['X-Own', 'own']],
    connections: 4,
    durationMs: 150,
    duplicates: 0,
    timeoutMs: 5000,
    seed: 'load',
    ...options,
  })
}

const portOf = (origin: string): number => Number(new URL(origin).port)

async function serve(listener: RequestListener): Promise<number> {
  return portOf(await startServer(createServer(listener)))
}

/** A receiver that keeps verified deliveries and their request lines. */
async function keeping() {
  const verify = createVerifier({ secrets: SECRET })
  const kept: VerifiedDelivery[] = []
  const heads = new Set<string>()
  const port = await serve((request, response) => {
    heads.add([request.method, request.url, request.headers['x-own']].join(' '))
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      kept.push(
        readDelivery(verify, {
          signature: [String(request.headers['x-service-signature'])],
          body: Buffer.concat(pieces),
        }),
      )
      response.end('{}')
    })
  })
  return { port, kept, heads }
}

describe('runLoad', () => {
  it('sends valid deliveries, each with a new payment id', async () => {
    const { port, kept, heads } = await keeping()
    const result = await loadOn(port, { durationMs: 400 })
    expect(result.answered).toBeGreaterThan(10)
    expect(result).toMatchObject({ statuses: { 200: result.answered }, errors: {}, repeated: 0 })
    expect(result.perSecond).toBeCloseTo(result.answered / result.seconds)
    expect(kept).toHaveLength(result.answered)
    expect(new Set(kept.map(({ paymentId }) => paymentId)).size).toBe(result.answered)
    for (const { event, paymentId, name } of kept) {
      expect(paymentId).toMatch(/^tx_\w{20}$/)
      expect(event).toMatchObject({ id: paymentId, order_id: paymentId, event: 'payment.completed' })
      expect(name).toBe('payment.completed')
    }
    expect([...heads]).toEqual(['POST /webhooks?a=1 own'])
    expect(new Set(kept.map(({ event }) => event.payment_method)).size).toBeGreaterThan(1)
  })

  it('reports latency percentiles in order, at most the duration of the run', async () => {
    const { port } = await keeping()
    const { latency, seconds } = await loadOn(port)
    expect(latency.p50).toBeGreaterThan(0)
    const percentiles = Object.values(latency)
    expect(percentiles).toEqual(percentiles.toSorted((a, b) => a - b))
    expect(latency.max).toBeLessThanOrEqual(seconds * 1000 + 1)
  })

  it('repeats the requested share of events', async () => {
    const { port, kept } = await keeping()
    const all = await loadOn(port, { duplicates: 1, connections: 2 })
    expect(new Set(kept.map(({ paymentId }) => paymentId)).size).toBe(2)
    expect(all.repeated).toBe(all.answered - 2)
  })

  it('keeps to a rate', async () => {
    const { port } = await keeping()
    const { answered } = await loadOn(port, { rate: 200, durationMs: 250 })
    expect(answered).toBeGreaterThan(25)
    expect(answered).toBeLessThanOrEqual(51)
  })

  it('counts latency from when a delivery was due', async () => {
    const port = await serve((_request, response) => void setTimeout(() => response.end(), 40))
    const { latency } = await loadOn(port, { rate: 100, connections: 1, durationMs: 120 })
    expect(latency.max).toBeGreaterThan(100)
  })

  it('sends what a stalled receiver delayed beyond the end', async () => {
    let stallMs = 150
    const port = await serve((_request, response) => {
      setTimeout(() => response.end(), stallMs)
      stallMs = 0
    })
    const { answered, unsent, latency } = await loadOn(port, { rate: 200, connections: 1, durationMs: 100 })
    expect({ answered, unsent }).toEqual({ answered: 20, unsent: 0 })
    // The last one was due 55 ms before the end of the stall.
    expect(latency.p50).toBeGreaterThan(90)
  })

  it('gives up late deliveries when the receiver stays slow, and counts them', async () => {
    const port = await serve((_request, response) => void setTimeout(() => response.end(), 100))
    const { answered, unsent, errors } = await loadOn(port, {
      rate: 100,
      connections: 1,
      durationMs: 100,
      timeoutMs: 250,
    })
    expect(unsent).toBeGreaterThan(0)
    expect(answered + unsent + (errors['timeout'] ?? 0)).toBe(10)
  })

  it('counts statuses, and reconnects when the receiver closes the connection', async () => {
    let count = 0
    const port = await serve((request, response) => {
      request.resume()
      count += 1
      response.writeHead(count % 2 === 0 ? 503 : 200, { Connection: 'close' }).end('{}')
    })
    const { statuses, errors, answered } = await loadOn(port)
    expect(answered).toBeGreaterThan(4)
    expect(statuses['503']).toBeGreaterThan(0)
    expect(statuses['200']).toBeGreaterThan(0)
    expect(errors).toEqual({})
  })

  it('counts deliveries without a response by reason', async () => {
    const silent = await serve((request) => request.resume())
    expect(await loadOn(silent, { timeoutMs: 60 })).toMatchObject({
      answered: 0,
      errors: { timeout: expect.any(Number) },
    })
    const rude = await serve((request) => request.socket.resetAndDestroy())
    expect(await loadOn(rude)).toMatchObject({ answered: 0, errors: { ECONNRESET: expect.any(Number) } })

    const server = createRawServer((socket) => void socket.on('error', () => {}).write('SSH-2.0-x\r\n\r\n'))
    const strange = await loadOn(portOf(await startServer(server)))
    expect(strange).toMatchObject({ answered: 0, errors: { not_http: expect.any(Number) } })
  })

  it('limits the time until the last byte of a response', async () => {
    const port = await serve((_request, response) => {
      response.writeHead(200)
      const trickle = setInterval(() => response.write('x'), 10)
      response.on('close', () => clearInterval(trickle))
    })
    const { answered, errors } = await loadOn(port, { connections: 1, durationMs: 50, timeoutMs: 100 })
    expect({ answered, errors }).toEqual({ answered: 0, errors: { timeout: 1 } })
  })

  it('ends early when its signal is aborted', async () => {
    const { port } = await keeping()
    const signal = AbortSignal.timeout(50)
    const { seconds, unsent } = await loadOn(port, { durationMs: 15_000, rate: 5, signal })
    expect(seconds).toBeLessThan(10)
    expect(unsent).toBe(0)
  })

  it('counts what was due but not sent when its signal is aborted', async () => {
    const stop = new AbortController()
    const port = await serve((_request, response) => {
      setTimeout(() => stop.abort(), 60)
      setTimeout(() => response.end(), 150)
    })
    const options = { durationMs: 15_000, rate: 1000, connections: 1, signal: stop.signal }
    const { answered, unsent } = await loadOn(port, options)
    expect(answered).toBe(1)
    expect(unsent).toBeGreaterThan(30)
  })

  it('sends nothing when its signal was aborted before', async () => {
    const { port, kept } = await keeping()
    const { answered, unsent } = await loadOn(port, { rate: 100, signal: AbortSignal.abort() })
    expect({ answered, unsent, kept: kept.length }).toEqual({ answered: 0, unsent: 0, kept: 0 })
  })
})

describe('addressOf', () => {
  it.each([
    ['http://127.0.0.1:3000/', true],
    ['http://127.8.9.1/', true],
    ['http://[::1]:3000/', true],
    ['http://localhost:3000/', true],
    ['http://10.0.0.1/', false],
    ['http://0.0.0.0/', false],
    ['http://192.0.2.1/', false],
    ['http://[2001:db8::1]/', false],
  ])('%s is loopback: %s', async (url, loopback) => {
    expect((await addressOf(new URL(url))).loopback).toBe(loopback)
  })
})

describe('responseParser', () => {
  const stream = [
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc',
    'HTTP/1.1 204 No Content\r\n\r\n',
    'HTTP/1.1 401 Unauthorized\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\na;x=y\r\n0123456789\r\n0\r\n\r\n',
    'HTTP/1.1 503 Busy\r\ncontent-length: 0\r\n\r\n',
    'HTTP/1.1 200 OK\r\n\r\nuntil the end',
  ].join('')

  it.each([[1], [2], [7], [1000]])('parses responses in pieces of %i bytes', (size) => {
    const responses: string[] = []
    const parser = responseParser(({ status, closes }) => void responses.push(`${status} ${closes}`), 100)
    for (let at = 0; at < stream.length; at += size) parser.read(Buffer.from(stream.slice(at, at + size)))
    parser.end()
    expect(responses).toEqual(['200 false', '204 false', '401 false', '503 false', '200 true'])
  })

  const chunks = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  it.each([
    ['another protocol', 'SSH-2.0\r\n\r\n'],
    ['an endless head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}`],
    ['a long head', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(70_000)}\r\nContent-Length: 0\r\n\r\n`],
    ['a body that is too long', `HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n${'x'.repeat(101)}`],
    ['a body without an end', `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(101)}`],
    ['endless chunks', chunks + '1\r\nx\r\n'.repeat(100)],
    ['an endless chunk size', chunks + '0'.repeat(200)],
    ['a negative chunk size', `${chunks}-6\r\nabcdef\r\n0\r\n\r\n`],
    ['a chunk size that is no number', `${chunks}zz\r\n`],
  ])('refuses %s', (_, text) => {
    expect(() => responseParser(() => {}, 100).read(Buffer.from(text))).toThrow(RangeError)
  })
})

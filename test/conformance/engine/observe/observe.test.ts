import type { OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { paymentService } from '../../../../conformance/contracts/payment-service/index.ts'
import * as engine from '../../../../conformance/engine/observe/observe.ts'
import { observeUrl as byUrl } from '../../../../conformance/engine/observe/observe-url.ts'
import { createPatience } from '../../../../conformance/engine/wire/patience.ts'
import { inWords } from '../../../../conformance/report/words/failures.ts'
import type { Effect } from '../../../../schemas/types.ts'
import { freePort } from '../../../support/free-port.ts'
import { onWindows } from '../../../support/prerequisites.ts'
import { serve, serveRaw } from '../../servers.ts'

const { observation, shownBy } = paymentService

/** The observations of the payment service, with errors as users read them. */
const worded = ({ effects }: engine.Observer<Effect>) => ({
  effects: (id: string) =>
    effects(id).catch((error: unknown) => {
      throw inWords(error)
    }),
})
const observeUrl = (url: URL, timeoutMs: number, headers: readonly (readonly [string, string])[] = []) =>
  worded(byUrl(url, observation, createPatience(timeoutMs), headers))
const observeCommand = (command: string, timeoutMs: number) =>
  worded(engine.observeCommand(command, observation, createPatience(timeoutMs)))
const observeWith = (read: (id: string) => unknown, timeoutMs: number) =>
  worded(engine.observeWith(async (id) => shownBy(await read(id)), observation, timeoutMs))

const effect = { event: 'payment.completed', effect: 'fulfilled', amount: '25.00', currency: 'USD' }
const failed = { name: 'HarnessError', code: 'observation_failed' }
const unreachable = { ...failed, code: 'unreachable' }

describe('observation over HTTP', () => {
  it('reads the effects of a payment', async () => {
    const { url } = await serve((_, response) => response.end(JSON.stringify({ effects: [effect] })))
    expect(await observeUrl(new URL(url), 1000).effects('tx_1')).toEqual([effect])
  })

  it('adds the payment id to the query of the URL, and sends the headers of the run', async () => {
    const requests: string[] = []
    const { url } = await serve(({ request }, response) => {
      requests.push(`${request.method} ${request.url} ${request.headers['authorization']}`)
      response.end('{"effects":[]}')
    })
    const observer = observeUrl(new URL(`${url}/seen?shop=1`), 1000, [['Authorization', 'Bearer abc']])
    await observer.effects('tx_1&shop=2#')
    expect(requests).toEqual(['GET /seen?shop=1&payment_id=tx_1%26shop%3D2%23 Bearer abc'])
  })

  const odd = (...effects: object[]) => JSON.stringify({ effects })
  it.each<[string, string | Buffer, string, OutgoingHttpHeaders?, number?]>([
    ['another status', '{"effects":[]}', 'it answered 404', {}, 404],
    ['a page', '<!DOCTYPE html><p>Log in</p>', 'not JSON: it is HTML'],
    ['nothing', '', 'not JSON: it is empty'],
    ['a Python dict', "{'effects': []}", 'not JSON: strings need double quotes, as json.dumps writes them'],
    ['a number', odd({ ...effect, amount: 25 }), '/effects/0/amount: expected text, got the number 25'],
    [
      'another word',
      odd(effect, { ...effect, effect: 'paid' }),
      '/effects/1/effect: expected one of "fulfilled", "reversed", got "paid"',
    ],
    [
      'text as long as a secret',
      odd({ ...effect, currency: 'D'.repeat(20) }),
      '/effects/0/currency: expected a currency code such as "USD", got text of 20 characters',
    ],
    [
      'fields of other names',
      odd({ type: 'payment.completed', effect: 'fulfilled', amount: '1', currency: 'USD' }),
      '/effects/0/event: expected a value: this field is required, got only type, effect, amount, currency',
    ],
    ['a list', JSON.stringify([effect]), '(root): expected an object, got a list'],
    ['null', 'null', '(root): expected an object, got null'],
    ['an object', '{"effects":{}}', '/effects: expected a list, got an object'],
    ['an unknown encoding', 'x', 'content encoding "zstd"', { 'Content-Encoding': 'zstd' }],
    ['more than 1 MiB', ' '.repeat(2 ** 20 + 1), 'longer than 1048576 bytes'],
    [
      'more than 1 MiB when decompressed',
      gzipSync(Buffer.alloc(2 ** 24, 32)),
      'longer than 1048576 bytes',
      { 'Content-Encoding': 'gzip' },
    ],
    ['broken compression', '{"effects":[]}', 'could not observe', { 'Content-Encoding': 'gzip' }],
    [
      'too many levels',
      `{"effects":[],"x":${'['.repeat(40)}${']'.repeat(40)}}`,
      'nested more than 32 levels deep',
    ],
  ])('rejects %s as an observation', async (_, body, message, headers = {}, status = 200) => {
    const { url } = await serve((__, response) => response.writeHead(status, headers).end(body))
    await expect(observeUrl(new URL(url), 1000).effects('tx_1')).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining(message),
    })
  })

  it('asks for no compression, and understands it nevertheless', async () => {
    const compress = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
    const asked: unknown[] = []
    const { url } = await serve(({ request }, response) => {
      asked.push(request.headers['accept-encoding'])
      const encoding = request.url?.slice('/?payment_id='.length) as keyof typeof compress
      const body = compress[encoding](JSON.stringify({ effects: [effect] }))
      response.writeHead(200, { 'Content-Encoding': encoding }).end(body)
    })
    const observer = observeUrl(new URL(url), 1000)
    for (const encoding of Object.keys(compress)) expect(await observer.effects(encoding)).toEqual([effect])
    expect(asked).toEqual(['identity', 'identity', 'identity'])
  })

  it('keeps a few connections open', async () => {
    const sockets = new Set<unknown>()
    const { url } = await serve(({ request }, response) => {
      sockets.add(request.socket)
      setTimeout(() => response.end('{"effects":[]}'), 2)
    })
    const observer = observeUrl(new URL(url), 1000)
    await Promise.all(Array.from({ length: 40 }, (_, n) => observer.effects(`tx_${n}`)))
    expect(sockets.size).toBeLessThanOrEqual(8)
  })

  it('asks once more on a new connection when a reused one ends without a byte of an answer', async () => {
    const answered = new Map<Socket, number>()
    const { url } = await serveRaw((socket) => {
      socket.on('data', () => {
        const times = answered.get(socket) ?? 0
        answered.set(socket, times + 1)
        if (times > 0) socket.destroy()
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"effects":[]}')
      })
    })
    const observer = observeUrl(new URL(url), 1000)
    await Promise.all([1, 2, 3].map((n) => observer.effects(`tx_${n}`)))
    expect(await observer.effects('tx_4')).toEqual([])
    expect([...answered.values()].toSorted((a, b) => a - b)).toEqual([1, 1, 1, 2])
  })

  it('does not ask again when a new connection ends, or a byte had arrived', async () => {
    let connections = 0
    const { url } = await serveRaw((socket) => {
      connections += 1
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\n{"effects":[]}')
        socket.once('data', () => socket.end('HTTP/1.1 2'))
      })
    })
    const observer = observeUrl(new URL(url), 1000)
    await observer.effects('tx_1')
    await expect(observer.effects('tx_2')).rejects.toMatchObject(unreachable)
    expect(connections).toBe(1)
  })

  it('fails when nothing listens or nothing answers', async () => {
    const dead = new URL(`http://127.0.0.1:${await freePort()}/`)
    await expect(observeUrl(dead, 1000).effects('tx_1')).rejects.toMatchObject(unreachable)
    const { url } = await serve(() => undefined)
    await expect(observeUrl(new URL(url), 60).effects('tx_1')).rejects.toMatchObject({
      ...unreachable,
      message: expect.stringContaining('within 60 ms'),
    })
  })
})

describe.skipIf(onWindows)('observation by a command', () => {
  const shows = (words: string) =>
    `show() { printf '{"effects":[{"event":"%s","effect":"fulfilled","amount":"1","currency":"USD"}]}' "${words}"; }; show`

  it('passes the payment id as its last argument, whatever characters it contains', async () => {
    const id = `tx_$(echo no) 'a' * ; exit 1`
    const [seen] = await observeCommand(shows('$2'), 5000)
      .effects(id)
      .catch(() => [undefined])
    const [last] = await observeCommand(`${shows('$2')} first`, 5000).effects(id)
    expect(seen?.event).not.toBe(id)
    expect(last?.event).toBe(id)
  })

  it.each([
    ['prints too much', 'yes', 'longer than 1048576 bytes', 30_000],
    ['fails', 'exit 3; :', 'status 3', 30_000],
    ['does not exist', 'no-such-command-anywhere', 'status 127', 30_000],
    ['prints nothing', 'true', 'not JSON', 30_000],
    ['is slow', 'sleep 5; :', 'could not observe', 200],
  ])('fails when the command %s', async (_, command, message, timeoutMs) => {
    await expect(observeCommand(command, timeoutMs).effects('tx_1')).rejects.toMatchObject({
      ...failed,
      message: expect.stringContaining(message),
    })
  })
})

describe('observation by a function', () => {
  it('reads the effects of a payment as a copy', async () => {
    const own = new Map([['tx_1', [{ ...effect, effect: 'fulfilled' as const }]]])
    const observer = observeWith((id) => own.get(id) ?? [], 1000)
    const seen = await observer.effects('tx_1')
    own.get('tx_1')?.push({ ...effect, effect: 'fulfilled' })

    expect(seen).toEqual([effect])
    expect(await observer.effects('tx_2')).toEqual([])
  })

  it.each<[string, () => unknown, string]>([
    ['throws', () => Promise.reject(new Error('no such table\n  at all')), 'it threw: Error: no such table'],
    ['returns no list', () => ({ effects: [] }), '/effects'],
    ['returns an amount as a number', async () => [{ ...effect, amount: 25 }], '/effects/0/amount'],
    ['never returns', () => new Promise(() => undefined), 'it took more than 30 ms'],
  ])('fails when it %s', async (_, read, message) => {
    // As a JavaScript caller may pass it.
    const observer = observeWith(read, 30)

    await expect(observer.effects('tx_1')).rejects.toMatchObject({
      ...failed,
      message: expect.stringMatching(new RegExp(`^[^\\n]*${message}[^\\n]*$`)),
    })
  })
})

it('reads what another service calls its key and its effects', async () => {
  const another: engine.ObservationReader<{ readonly times: number }> = {
    key: 'delivery',
    read: async (shown) => {
      const { handled } = Object(shown) as { handled?: unknown }
      if (typeof handled === 'number') return [{ times: handled }]
      const places = [{ path: '/handled', expected: 'a number', got: { kind: 'nothing' } as const }]
      return { code: 'unreadable', places, more: 0 }
    },
  }
  const { url } = await serve(({ request }, response) =>
    response.end(request.url === '/?delivery=msg_1' ? '{"handled":2}' : '{}'),
  )
  const observer = byUrl(new URL(url), another, createPatience(1000))

  expect(await observer.effects('msg_1')).toEqual([{ times: 2 }])
  await expect(observer.effects('msg_2')).rejects.toMatchObject({
    failure: { code: 'observation_failed', why: { code: 'unreadable', more: 0 } },
  })
})

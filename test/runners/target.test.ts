import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createRawServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { expect, onTestFinished, test } from 'vitest'
import type { ConformanceOptions } from '../../runners/options.ts'
import { open } from '../../runners/target.ts'

const listener: RequestListener = (request, response) => response.end(request.url)
const app = express().use((request, response) => void response.send(request.originalUrl))
const answer = async (url: URL) => (await fetch(url)).text()

test.each<[string, () => ConformanceOptions['target']]>([
  ['an Express app', () => app],
  ['a request listener', () => listener],
  ['a server that does not listen', () => createServer(listener)],
  ['a function that returns an app', () => () => app],
  ['a function that promises a server', () => async () => createServer(listener)],
])('%s is served on a loopback port and closed afterwards', async (_, target) => {
  const { url, close } = await open({ target: target() })

  expect(url.hostname).toBe('127.0.0.1')
  expect(await answer(url)).toBe('/webhooks')
  await close()
  await expect(answer(url)).rejects.toThrow('fetch failed')
})

test('an unanswered request does not prevent closing', async () => {
  let arrived = () => {}
  const arrival = new Promise<void>((resolve) => {
    arrived = resolve
  })
  const { url, close } = await open({ target: (_request, _response) => arrived() })
  const waiting = fetch(url).catch((error: Error) => error.message)
  await arrival
  await close()

  expect(await waiting).toBe('fetch failed')
})

test('a listening server is used unchanged and left open', async () => {
  const server = createServer(listener).listen(0, '0.0.0.0')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { url, close } = await open({ target: server, path: '/hooks?shop=1' })
  await close()

  expect(url.hostname).toBe('127.0.0.1')
  expect(await answer(url)).toBe('/hooks?shop=1')
})

test('a URL is used unchanged unless a path is given', async () => {
  const target = 'http://localhost:3000/hooks/pay?shop=1'

  expect((await open({ target })).url.href).toBe(target)
  expect((await open({ target: () => new URL(target), path: '/other' })).url.href).toBe(
    'http://localhost:3000/other',
  )
})

test.each<[string, unknown, string]>([
  ['nothing', undefined, '"target" is undefined: set it to an app'],
  ['null', null, '"target" is null'],
  ['an object', { listen: true }, '"target" is object'],
  ['a function that returns nothing', () => undefined, '"target" is undefined'],
  ['an invalid URL', 'localhost', '"target" must be an http or https URL'],
])('%s is not a target', async (_, target, message) => {
  // JavaScript can pass anything.
  const options = { target } as Pick<ConformanceOptions, 'target'>

  await expect(open(options)).rejects.toMatchObject({
    name: 'HarnessError',
    code: 'bad_option',
    message: expect.stringContaining(message),
  })
})

test('a server that does not listen on a port is not a target', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-socket-'))
  const server = createRawServer().listen(join(folder, 'socket'))
  onTestFinished(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await once(server, 'listening')

  await expect(open({ target: server })).rejects.toThrow('does not listen on a TCP port')
})

import { EventEmitter, once } from 'node:events'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { limitConnections } from '../../../sandbox/http/server.ts'
import { checkout } from '../checkout/support.ts'
import { callFreely, sharedSandbox } from '../support.ts'

const shared = sharedSandbox()

/** Sends bytes, and reads until the connection is closed or `isEnough`. */
async function exchanged(url: string, bytes: string, isEnough: (text: string) => boolean): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => {
    text += part
    if (isEnough(text)) socket.destroy()
  })
  socket.write(bytes)
  await once(socket, 'close')
  return text
}

const post = (path: string, type: string, ...rest: string[]): string =>
  [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Content-Type: ${type}`, ...rest].join('\r\n')

const FORM = 'application/x-www-form-urlencoded'

/** An answered request; a closed connection has none. */
const isAnswered = (text: string): boolean => text.includes('\r\n\r\n')

test('closes the connection of a body in tiny chunks, in the API, the checkout and the dashboard', async () => {
  const on = shared()
  const { url } = await checkout(on)
  const key = `X-API-Key: ${on.testKey}`
  for (const [path, type, ...headers] of [
    ['/v1/payments', 'application/json', key],
    [new URL(url).pathname, FORM],
    ['/dashboard/tea-house/payments/new', FORM],
  ] as const) {
    const tiny = '1\r\na\r\n'.repeat(400)
    const request = `${post(path, type, ...headers, 'Transfer-Encoding: chunked')}\r\n\r\n${tiny}0\r\n\r\n`
    expect([path, await exchanged(on.url, request, isAnswered)]).toEqual([path, ''])
  }
})

test('answers 404 to an unknown payment before it reads the form', async () => {
  const head = `${post('/test/checkout/tx_none', FORM, 'Content-Length: 1000000')}\r\n\r\n`
  expect(await exchanged(shared().url, head, isAnswered)).toMatch(/^HTTP\/1\.1 404 /)
})

test('limits the form of the checkout to 16 KiB, and that of the dashboard to 1 MB', async () => {
  const on = shared()
  const { url } = await checkout(on)
  const answer = async (path: string, body: string, type = FORM): Promise<[number, string]> => {
    const response = await fetch(path, { method: 'POST', body, headers: { 'Content-Type': type } })
    return [response.status, await response.text()]
  }
  expect(await answer(url, `action=${'a'.repeat(20_000)}`)).toEqual([
    413,
    expect.stringContaining('larger than 16 KB'),
  ])
  const dashboard = `${on.url}/dashboard/tea-house/payments`
  expect((await answer(dashboard, `amount=${'a'.repeat(500_000)}`))[0]).toBe(400)
  expect((await answer(dashboard, `amount=${'a'.repeat(1_100_000)}`))[0]).toBe(413)
  expect(await answer(dashboard, 'a&'.repeat(2_000))).toEqual([
    413,
    expect.stringContaining('too many fields'),
  ])
  expect((await answer(url, 'action=succeed', `${FORM}; charset=utf-16`))[0]).toBe(415)
})

test('closes a connection with more than 64 requests whose responses were not read', async () => {
  const on = shared()
  const healthz = 'GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'
  const responses = (text: string): number => text.split('HTTP/1.1 200').length - 1
  expect(responses(await exchanged(on.url, healthz.repeat(64), (text) => responses(text) === 64))).toBe(64)
  const listen =
    'POST /sandbox/listen HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
  // The stream never ends, so the responses to what follows cannot be sent.
  expect(responses(await exchanged(on.url, listen + healthz.repeat(64), () => false))).toBeLessThan(2)
  expect((await callFreely(on, 'GET', '/payments')).status).toBe(200)
})

test('limits the connections of other machines, but not those of this one', () => {
  const server = Object.assign(new EventEmitter(), { setTimeout: () => undefined })
  limitConnections(server as unknown as Server)
  const open = (remoteAddress: string) => {
    const socket = Object.assign(new EventEmitter(), { remoteAddress, isOpen: true, destroy: () => {} })
    socket.destroy = () => void (socket.isOpen = false)
    server.emit('connection', socket)
    return socket
  }
  const remote = Array.from({ length: 256 }, () => open('192.0.2.7'))
  expect(remote.every(({ isOpen }) => isOpen)).toBe(true)
  expect(open('192.0.2.8').isOpen).toBe(false)
  expect(open('127.0.0.1').isOpen).toBe(true)
  remote[0]?.emit('close')
  expect(open('192.0.2.8').isOpen).toBe(true)
})

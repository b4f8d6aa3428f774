import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import { sendRaw, sendWhileHeld } from '../../../../conformance/engine/wire/sender.ts'
import { freePort } from '../../../support/free-port.ts'
import { until } from '../../../support/until.ts'
import { bodyOf, bytesOf, first, noted, OK, recorder, senderTo, sentAs, targetOf } from './raw-server.ts'

const held = sentAs({ kind: 'truncated', after: 1 })

describe('deliveries that are held', () => {
  it('send their first bytes, and stay open until the others are answered', async () => {
    const open: number[] = []
    const { url, connections } = await recorder(OK, ({ pieces, socket }) => {
      const isEntire = bodyOf({ pieces, socket, closed: false }).equals(noted.body)
      if (isEntire) open.push(connections.filter(({ closed }) => !closed).length)
      return false
    })
    const exchanges = await sendWhileHeld([held, held, noted], targetOf(url), senderTo(url))

    expect(exchanges.map(({ answer, unanswered }) => unanswered ?? answer?.status)).toEqual([true, true, 200])
    expect(open).toEqual([3])
    expect(connections.slice(0, 2).map((connection) => bodyOf(connection).toString())).toEqual(['{', '{'])
    await until(() => connections.slice(0, 2).every(({ closed }) => closed))
  })

  it('report a closed port as an error', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    const exchanges = await sendWhileHeld([held, noted], targetOf(url), senderTo(url))
    expect(exchanges.map(({ error }) => error?.code)).toEqual(['refused', 'refused'])
  })
})

describe('a raw delivery', () => {
  const raw = (about: { unframed?: true; withinMs?: number; isReset?: true }): Delivery => ({
    ...noted,
    transport: { kind: 'raw', version: '1.1', ...about },
  })

  it('ends the connection when its sender has waited long enough, once everything is sent', async () => {
    const { url, connections } = await recorder('', () => true)
    const exchange = await sendRaw(raw({ withinMs: 0 }), targetOf(url))

    expect(exchange).toMatchObject({ unanswered: true, answer: undefined, error: undefined })
    await until(() => connections[0]?.closed === true)
    expect(bodyOf(first(connections))).toEqual(noted.body)
  })

  it('resets the connection if it is to', async () => {
    const errors: string[] = []
    const { url, connections } = await recorder('', ({ socket }) => {
      socket.on('error', (error: NodeJS.ErrnoException) => errors.push(error.code ?? ''))
      return true
    })
    await sendRaw(raw({ withinMs: 20, isReset: true }), targetOf(url))
    await until(() => connections[0]?.closed === true)
    expect(errors).toContain('ECONNRESET')
  })

  it('states no length of its own if it is unframed', async () => {
    const { url, connections } = await recorder('', ({ socket }) => socket.write(OK) || true)
    const delivery = { ...raw({ unframed: true }), headers: [['Transfer-Encoding', 'gzip']] as const }
    expect((await sendRaw(delivery, targetOf(url))).answer?.status).toBe(200)
    expect(bytesOf(first(connections)).toString()).not.toContain('Content-Length')
  })

  it('is answered when the receiver switches protocols', async () => {
    const { url } = await recorder('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n')
    expect((await sendRaw(raw({}), targetOf(url))).answer?.status).toBe(101)
  })

  it('is sent as it stands by every sender', async () => {
    const { url, connections } = await recorder(OK)
    await senderTo(url).send({ ...raw({}), route: () => '//', method: 'GET' })
    expect(bytesOf(first(connections)).toString()).toMatch(/^GET \/\/ HTTP/)
  })
})

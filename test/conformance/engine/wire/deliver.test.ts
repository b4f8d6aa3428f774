import { describe, expect, it, onTestFinished } from 'vitest'
import type { Delivery } from '../../../../conformance/contracts/webhook/delivery.ts'
import type { Target } from '../../../../conformance/contracts/webhook/target.ts'
import { headerLines } from '../../../../conformance/engine/wire/request.ts'
import type { Sender } from '../../../../conformance/engine/wire/sender.ts'
import { serveRaw } from '../../servers.ts'
import {
  bytesOf,
  type Connection,
  first,
  headOf,
  noted,
  OK,
  recorder,
  senderTo,
  targetOf,
} from './raw-server.ts'

describe('the head of a request', () => {
  const headFor = async (delivery: Partial<Delivery>, about: Partial<Target> = {}) => {
    const { url, connections } = await recorder()
    await senderTo(url, about).send({ ...noted, ...delivery })
    return headOf(first(connections))
  }

  it('has method, path with its query, host, and the length in bytes', async () => {
    const [line, ...lines] = await headFor({})
    expect(line).toBe('POST /hooks?shop=1 HTTP/1.1')
    expect(lines.filter((each) => /^host: 127\.0\.0\.1:\d+$/i.test(each))).toHaveLength(1)
    expect(lines).toContain(`Content-Length: ${noted.body.length}`)
    expect(lines).toContain('Content-Type: application/json')
    expect(lines).toContain(`X-Service-Signature: ${noted.signature[0]}`)
    expect(lines.some((each) => /^user-agent: \S/i.test(each))).toBe(true)
  })

  it('has the method of the delivery', async () => {
    expect((await headFor({ method: 'DELETE' }))[0]).toBe('DELETE /hooks?shop=1 HTTP/1.1')
  })

  it.each<[Delivery['nameCase'], string, string]>([
    ['as-is', 'X-Service-Signature', 'X-Service-Signature'],
    ['lower', 'X-Service-Signature', 'x-service-signature'],
    ['upper', 'X-Service-Signature', 'X-SERVICE-SIGNATURE'],
    ['as-is', 'x-Own-NAME', 'x-Own-NAME'],
    ['lower', 'x-Own-NAME', 'x-own-name'],
  ])('writes the name of the signature header %s: %s', async (nameCase, signatureHeader, name) => {
    const lines = await headFor({ nameCase }, { signatureHeader })
    const names = lines.map((line) => line.split(':')[0]).filter((each) => /signature|own/i.test(each ?? ''))
    expect(names).toEqual([name])
  })

  it('writes the bytes of a signature in UTF-8, or in Latin-1', async () => {
    const line = (lines: string[]) => lines.find((each) => each.startsWith('X-Service-Signature'))
    const signature = ['t=1,v1=\u00e9']
    expect(line(await headFor({ signature }))).toBe('X-Service-Signature: t=1,v1=\u00c3\u00a9')
    expect(line(await headFor({ signature, signatureEncoding: 'latin1' }))).toBe(
      'X-Service-Signature: t=1,v1=\u00e9',
    )
  })

  it('has the path of the delivery, if that has its own', async () => {
    const [line] = await headFor({ route: (path) => `${path}&test=1` })
    expect(line).toBe('POST /hooks?shop=1&test=1 HTTP/1.1')
  })

  it('has the host and the user agent of the delivery, if that has its own, once', async () => {
    const lines = await headFor({
      headers: [
        ['Host', 'localhost'],
        ['User-Agent', 'Robot'],
      ],
    })
    expect(lines.filter((each) => /^(?:host|user-agent):/i.test(each))).toEqual([
      'Host: localhost',
      'User-Agent: Robot',
    ])
  })

  it('keeps two signature lines separate and in order', async () => {
    const lines = await headFor({ signature: ['t=1,v1=aa', 't=2,v1=bb'] })
    expect(lines.filter((line) => line.startsWith('X-Service-Signature'))).toEqual([
      'X-Service-Signature: t=1,v1=aa',
      'X-Service-Signature: t=2,v1=bb',
    ])
  })

  it.each<[string, readonly string[], string[]]>([
    ['none', [], []],
    ['an empty one', [''], ['X-Service-Signature: ']],
  ])('sends %s', async (_, signature, wanted) => {
    expect((await headFor({ signature })).filter((line) => /signature/i.test(line))).toEqual(wanted)
  })

  it('encodes text outside ASCII as UTF-8', async () => {
    const lines = await headFor({ signature: ['t=１７,v1=é€'] })
    expect(lines).toContain(`X-Service-Signature: ${Buffer.from('t=１７,v1=é€').toString('latin1')}`)
  })

  it('has all header lines of the target and of the delivery', async () => {
    const headers: Delivery['headers'] = [
      ['Content-Type', 'text/plain'],
      ['X-Twice', 'a'],
      ['X-Twice', 'b'],
    ]
    const lines = await headFor({ headers }, { headers: [['Authorization', 'Bearer abc']] })
    expect(lines).toEqual(expect.arrayContaining(['Authorization: Bearer abc', 'Content-Type: text/plain']))
    expect(lines.filter((line) => line.startsWith('X-Twice'))).toEqual(['X-Twice: a', 'X-Twice: b'])
    expect(lines.filter((line) => /^content-type/i.test(line))).toHaveLength(1)
  })

  it('has no content type if the delivery has none', async () => {
    expect((await headFor({ headers: [] })).filter((line) => /^content-type/i.test(line))).toEqual([])
  })

  it('is what a report shows', async () => {
    const { url, connections } = await recorder()
    const target = targetOf(url, { headers: [['X-Env', 'staging']] })
    await senderTo(url, target).send(noted)
    const wire = headOf(first(connections)).slice(1)
    for (const [name, value] of headerLines(noted, target)) expect(wire).toContain(`${name}: ${value}`)
  })
})

describe('connections', () => {
  const inTurn = async (sender: Sender, count: number) => {
    const exchanges = []
    for (let sent = 0; sent < count; sent += 1) exchanges.push(await sender.send(noted))
    return exchanges.map(({ answer, error }) => answer?.status ?? error?.code)
  }

  it('are kept open and reused', async () => {
    const { url, connections } = await recorder()
    expect(await inTurn(senderTo(url), 3)).toEqual([200, 200, 200])
    expect(connections).toHaveLength(1)
  })

  it('are as many as simultaneous deliveries', async () => {
    const { url, connections } = await recorder()
    const sender = senderTo(url)
    await Promise.all([sender.send(noted), sender.send(noted), sender.send(noted)])
    expect(connections).toHaveLength(3)
  })

  it('are limited to one for a sender on one connection, separate from the others', async () => {
    const { url, connections } = await recorder()
    const sender = senderTo(url)
    await sender.send(noted)
    const own = sender.onOneConnection()
    onTestFinished(() => own.close())
    await Promise.all([own.send(noted), own.send(noted), own.send(noted)])
    expect(connections.map((connection) => bytesOf(connection).toString().split('POST ').length - 1)).toEqual(
      [1, 3],
    )
  })

  it('are not broken by a response that closes them', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
    const { url, connections } = await recorder(closing)
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 200])
    expect(connections).toHaveLength(2)
  })

  it('that close while idle are replaced: the delivery is sent again', async () => {
    const { url, connections } = await recorder(OK, onceThenBreak(0))
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 200])
    expect(connections).toHaveLength(2)
  })

  it('that close immediately are an error, and nothing is sent twice', async () => {
    const { url, connections } = await recorder(OK, ({ socket }) => {
      socket.destroy()
      return true
    })
    expect(await inTurn(senderTo(url), 1)).toEqual(['reset'])
    expect(connections).toHaveLength(1)
  })

  it('that all close while idle are replaced by a new one, not by another idle one', async () => {
    let isIdle = false
    const { url, connections } = await recorder(OK, ({ socket }) => {
      if (isIdle && connections.length <= 3) socket.resetAndDestroy()
      return isIdle && connections.length <= 3
    })
    const sender = senderTo(url)
    await Promise.all([sender.send(noted), sender.send(noted), sender.send(noted)])
    isIdle = true
    expect(await inTurn(sender, 1)).toEqual([200])
    expect(connections).toHaveLength(4)
  })

  it('that close in the middle of a response are an error, and nothing is sent twice', async () => {
    const { url, connections } = await recorder(OK, ({ pieces, socket }) => {
      if (pieces.length < 2) return false
      socket.write('HTTP/1.1 2', () => socket.resetAndDestroy())
      return true
    })
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 'reset'])
    expect(connections).toHaveLength(1)
  })

  it('that close twice are an error: there is only one retry', async () => {
    const { url, connections } = await recorder(OK, (connection, place) => {
      if (place > 0) connection.socket.destroy()
      return place > 0 || onceThenBreak(0)(connection, place)
    })
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 'reset'])
    expect(connections).toHaveLength(2)
  })
})

/** Answers the first request on the connection in this place and breaks it when a second one comes. */
function onceThenBreak(place: number): (connection: Connection, at: number) => boolean {
  return (connection, at) => {
    const again = bytesOf(connection).toString('latin1').split('POST ').length > 2
    if (at === place && again) connection.socket.resetAndDestroy()
    return at === place && again
  }
}

it('survives a receiver that answers and resets the connection while a large body is being sent', async () => {
  const failures: unknown[] = []
  const note = (error: unknown) => failures.push(error)
  process.on('uncaughtException', note)
  onTestFinished(() => void process.off('uncaughtException', note))
  const { url } = await serveRaw((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n')
      setTimeout(() => socket.destroy(), 0)
    })
  })
  const sender = senderTo(url)
  for (let n = 0; n < 5; n += 1) await sender.send({ ...noted, body: Buffer.alloc(4 * 1024 * 1024) })
  sender.close()
  // The errors of the sockets follow their responses.
  await new Promise((resolve) => setTimeout(resolve, 50))

  expect(failures).toEqual([])
})

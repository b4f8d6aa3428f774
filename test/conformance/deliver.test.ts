import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { classify, timedOut } from '../../conformance/deliver/errors.ts'
import { createSender, headerLines, type Sender } from '../../conformance/deliver/http.ts'
import type { Delivery, Transport } from '../../conformance/delivery.ts'
import type { Target } from '../../conformance/target.ts'
import { delivered } from './evidence.ts'
import { bodyOf, bytesOf, type Connection, headOf, OK, recorder } from './raw-server.ts'
import { deadPort, SECRET, serve } from './support.ts'

const targetOf = (url: string, about: Partial<Target> = {}): Target => ({
  url: new URL(`${url}/hooks?shop=1`),
  secret: SECRET,
  signatureHeader: 'X-Service-Signature',
  headers: [],
  timeoutMs: 5_000,
  ...about,
})
const senderTo = (url: string, about: Partial<Target> = {}): Sender => {
  const sender = createSender(targetOf(url, about))
  onTestFinished(() => sender.close())
  return sender
}
const noted = delivered({ body: Buffer.from('{"note":"Zoë paid 5 € 🎁"}') })
const sentAs = (transport: Transport): Delivery => ({ ...noted, transport })
const first = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined) throw new Error('there is none')
  return item
}
const until = async (holds: () => boolean) => {
  while (!holds()) await pause(2)
}

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

  it('takes the method that it is given', async () => {
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

  it('keeps two signature lines apart, in their order', async () => {
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

  it('writes text beyond ASCII as its UTF-8 bytes', async () => {
    const lines = await headFor({ signature: ['t=１７,v1=é€'] })
    expect(lines).toContain(`X-Service-Signature: ${Buffer.from('t=１７,v1=é€').toString('latin1')}`)
  })

  it('has the header lines of the target and of the delivery, all of them', async () => {
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

  it('has no content type where the delivery has none', async () => {
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

describe('the body', () => {
  it('is sent byte for byte, also where it is no text', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0xef, 0xbb, 0xbf, 0x0d, 0x0a, 0x7d])
    const { url, connections } = await recorder()
    await senderTo(url).send({ ...noted, body })
    expect(bodyOf(first(connections))).toEqual(body)
  })

  it('may be empty', async () => {
    const { url, connections } = await recorder()
    const { answer } = await senderTo(url).send({ ...noted, body: Buffer.alloc(0) })
    expect(headOf(first(connections))).toContain('Content-Length: 0')
    expect(answer?.status).toBe(200)
  })

  it('in chunks is cut where the delivery says, also inside a character', async () => {
    const cuts = ['ë', '€', '🎁'].map((character) => noted.body.indexOf(character) + 1)
    const { url, connections } = await recorder()
    const { answer } = await senderTo(url).send(sentAs({ kind: 'chunked', cuts }))

    expect(answer?.status).toBe(200)
    const head = headOf(first(connections))
    expect(head).toContain('Transfer-Encoding: chunked')
    expect(head.some((line) => /^content-length/i.test(line))).toBe(false)
    const chunks = unchunked(bodyOf(first(connections)))
    expect(Buffer.concat(chunks)).toEqual(noted.body)
    expect(chunks).toHaveLength(4)
    // Each chunk ends in the middle of a character, so none but the last is text.
    const texts = chunks.slice(0, -1).map((chunk) => chunk.toString())
    expect(texts.every((text) => text.endsWith('\uFFFD'))).toBe(true)
  })

  it('in chunks of which some would be empty is still whole', async () => {
    const { url, connections } = await recorder()
    await senderTo(url).send(sentAs({ kind: 'chunked', cuts: [0, 1, noted.body.length, 9_999] }))
    expect(Buffer.concat(unchunked(bodyOf(first(connections))))).toEqual(noted.body)
  })

  it('that drips arrives in pieces', async () => {
    const { url, connections } = await recorder()
    const { answer } = await senderTo(url).send(sentAs({ kind: 'drip', pieces: 4, gapMs: 30 }))

    expect(answer?.status).toBe(200)
    expect(first(connections).pieces.length).toBeGreaterThan(2)
    expect(bodyOf(first(connections))).toEqual(noted.body)
    expect(headOf(first(connections))).toContain(`Content-Length: ${noted.body.length}`)
  })

  it('that breaks off ends early, and so does its connection', async () => {
    const { url, connections } = await recorder()
    const exchange = await senderTo(url).send(sentAs({ kind: 'truncated', after: 7 }))

    expect(exchange).toMatchObject({ unanswered: true, answer: undefined, error: undefined })
    const connection = first(connections)
    await until(() => connection.closed)
    expect(headOf(connection)).toContain(`Content-Length: ${noted.body.length}`)
    expect(bodyOf(connection)).toEqual(noted.body.subarray(0, 7))
  })

  it('that can not even begin to break off is a failure, not a plan', async () => {
    const port = await deadPort()
    const exchange = await senderTo(`http://127.0.0.1:${port}`).send(sentAs({ kind: 'truncated', after: 7 }))
    expect(exchange.error?.code).toBe('refused')
    expect(exchange.unanswered).toBeUndefined()
  })
})

describe('Expect: 100-continue', () => {
  it('waits for the answer to its head', async () => {
    const lengths: number[] = []
    const { url, connections } = await recorder(OK, (connection) => {
      lengths.push(bodyOf(connection).length)
      if (lengths.length > 1) return false
      setTimeout(() => {
        lengths.push(bodyOf(connection).length)
        connection.socket.write('HTTP/1.1 100 Continue\r\n\r\n')
      }, 40)
      return true
    })
    const { answer } = await senderTo(url).send(sentAs({ kind: 'expect-continue' }))

    expect(headOf(first(connections))).toContain('Expect: 100-continue')
    expect(lengths.slice(0, 2)).toEqual([0, 0])
    expect(answer?.status).toBe(200)
    expect(bodyOf(first(connections))).toEqual(noted.body)
  })

  it('goes on when nothing is said for a while', async () => {
    const { url, connections } = await recorder()
    const { answer } = await senderTo(url).send(sentAs({ kind: 'expect-continue' }))
    expect(answer?.status).toBe(200)
    expect(bodyOf(first(connections))).toEqual(noted.body)
  })

  it('takes a refusal for the answer', async () => {
    const { url } = await recorder(OK, ({ socket }) => {
      socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n')
      return true
    })
    expect((await senderTo(url).send(sentAs({ kind: 'expect-continue' }))).answer?.status).toBe(417)
  })
})

describe('connections', () => {
  const inTurn = async (sender: Sender, count: number) => {
    const exchanges = []
    for (let sent = 0; sent < count; sent += 1) exchanges.push(await sender.send(noted))
    return exchanges.map(({ answer, error }) => answer?.status ?? error?.code)
  }

  it('are kept open and used again', async () => {
    const { url, connections } = await recorder()
    expect(await inTurn(senderTo(url), 3)).toEqual([200, 200, 200])
    expect(connections).toHaveLength(1)
  })

  it('are as many as deliveries that go out together', async () => {
    const { url, connections } = await recorder()
    const sender = senderTo(url)
    await Promise.all([sender.send(noted), sender.send(noted), sender.send(noted)])
    expect(connections).toHaveLength(3)
  })

  it('are one where only one is wanted, and another than the others', async () => {
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

  it('are not broken by an answer that closes them', async () => {
    const closing = 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
    const { url, connections } = await recorder(closing)
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 200])
    expect(connections).toHaveLength(2)
  })

  it('that close while they are idle cost nothing: the delivery goes out anew', async () => {
    const { url, connections } = await recorder(OK, onceThenBreak(0))
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 200])
    expect(connections).toHaveLength(2)
  })

  it('that close at once are an error, and nothing is sent twice', async () => {
    const { url, connections } = await recorder(OK, ({ socket }) => {
      socket.destroy()
      return true
    })
    expect(await inTurn(senderTo(url), 1)).toEqual(['reset'])
    expect(connections).toHaveLength(1)
  })

  it('that close twice are an error: one more attempt is all', async () => {
    const { url, connections } = await recorder(OK, (connection, place) => {
      if (place > 0) connection.socket.destroy()
      return place > 0 || onceThenBreak(0)(connection, place)
    })
    expect(await inTurn(senderTo(url), 2)).toEqual([200, 'reset'])
    expect(connections).toHaveLength(2)
  })
})

describe('the answer', () => {
  const answerTo = async (answer: string | Buffer) => {
    const { url } = await recorder(answer)
    return senderTo(url, { timeoutMs: 300 }).send(noted)
  }

  it('keeps its header lines as they came, twice where they came twice', async () => {
    const { answer } = await answerTo(
      'HTTP/1.1 401 No\r\nSet-Cookie: a\r\nset-cookie: b\r\nContent-Length: 0\r\n\r\n',
    )
    expect(answer?.status).toBe(401)
    expect(answer?.headers).toEqual([
      ['Set-Cookie', 'a'],
      ['set-cookie', 'b'],
      ['Content-Length', '0'],
    ])
  })

  it.each<[number, number, boolean]>([
    [0, 0, false],
    [64 * 1024, 64 * 1024, false],
    [64 * 1024 + 1, 64 * 1024, true],
    [200_000, 64 * 1024, true],
  ])('of %i bytes keeps %i', async (length, kept, truncated) => {
    const { url } = await serve((_, response) => response.end(Buffer.alloc(length, 'é')))
    const { answer } = await senderTo(url).send(noted)
    expect(answer?.body.length).toBe(kept)
    expect(answer?.truncated).toBe(truncated)
    expect(answer?.body.equals(Buffer.alloc(kept, 'é'))).toBe(true)
  })

  it.each<[string, string, string]>([
    ['garbled', 'no HTTP', '220 mail.example ESMTP\r\n'],
    ['garbled', 'a length that is none', 'HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n'],
    ['timeout', 'a head that does not end', 'HTTP/1.1 200 OK\r\nContent-Le'],
    ['timeout', 'a body that does not end', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!'],
    ['timeout', 'no final answer', 'HTTP/1.1 103 Early Hints\r\n\r\n'],
  ])('is %s: %s', async (code, _, bytes) => {
    const { answer, error } = await answerTo(bytes)
    expect(answer).toBeUndefined()
    expect(error?.code).toBe(code)
  })

  it('that breaks in the middle is none', async () => {
    const { url } = await recorder(OK, ({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!')
      return true
    })
    const { answer, error } = await senderTo(url).send(noted)
    expect(answer).toBeUndefined()
    expect(error?.code).toBe('reset')
  })

  it('may come after early hints', async () => {
    const { answer } = await answerTo(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`)
    expect(answer?.status).toBe(200)
  })

  it('may come before the body was read', async () => {
    const large = { ...noted, body: Buffer.alloc(3_000_000, 'x') }
    const { url } = await recorder(OK, ({ socket, pieces }) => {
      if (pieces.length === 1)
        socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
      return true
    })
    expect((await senderTo(url).send(large)).answer?.status).toBe(413)
  })
})

describe('classify', () => {
  const withCode = (code: string) => Object.assign(new Error('told by the system'), { code })

  it.each([
    ['ECONNREFUSED', 'refused'],
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['ECONNABORTED', 'reset'],
    ['ETIMEDOUT', 'timeout'],
    ['ENOTFOUND', 'dns'],
    ['EAI_AGAIN', 'dns'],
    ['EHOSTUNREACH', 'unreachable'],
    ['ENETUNREACH', 'unreachable'],
    ['EADDRNOTAVAIL', 'local'],
    ['EMFILE', 'local'],
    ['ENFILE', 'local'],
    ['HPE_INVALID_CONSTANT', 'garbled'],
    ['HPE_HEADER_OVERFLOW', 'garbled'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['EPROTO', 'tls'],
    ['ESOMETHING', 'reset'],
  ])('%s is %s', (code, kind) => {
    const found = classify(withCode(code))
    expect(found.code).toBe(kind)
    expect(found.message).toMatch(/^[a-zA-Z].{10,}$/)
    if (kind !== 'timeout') expect(found.message).toContain(`(${code})`)
  })

  it.each<[string, unknown, string]>([
    [
      'a host with several addresses',
      new AggregateError([withCode('ECONNREFUSED'), withCode('ETIMEDOUT')]),
      'refused',
    ],
    ['an error without a code', new Error('socket hang up'), 'reset'],
    ['what is no error', 'ECONNREFUSED', 'reset'],
    ['nothing', undefined, 'reset'],
  ])('%s', (_, error, kind) => {
    expect(classify(error).code).toBe(kind)
  })

  it('says how long was waited', () => {
    expect(timedOut(150)).toEqual({ code: 'timeout', message: 'no answer came within 150 ms' })
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

/** The chunks of a chunked body. */
function unchunked(body: Buffer): Buffer[] {
  const chunks: Buffer[] = []
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at)
    const length = Number.parseInt(body.subarray(at, line).toString('latin1'), 16)
    if (line === -1 || length === 0) return chunks
    chunks.push(body.subarray(line + 2, line + 2 + length))
    at = line + 2 + length + 2
  }
}

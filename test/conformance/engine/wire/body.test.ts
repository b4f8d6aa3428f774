import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { freePort } from '../../../support/free-port.ts'
import { bodyOf, first, headOf, noted, OK, recorder, senderTo, sentAs } from './raw-server.ts'

const until = async (holds: () => boolean) => {
  while (!holds()) await pause(2)
}

describe('the body', () => {
  it('is sent byte for byte, even if it is not text', async () => {
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

  it('in chunks is cut where the delivery specifies, even inside a character', async () => {
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

  it('in chunks is complete even if some chunks would be empty', async () => {
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

  it('that breaks off ends early and closes its connection', async () => {
    const { url, connections } = await recorder()
    const exchange = await senderTo(url).send(sentAs({ kind: 'truncated', after: 7 }))

    expect(exchange).toMatchObject({ unanswered: true, answer: undefined, error: undefined })
    const connection = first(connections)
    await until(() => connection.closed)
    expect(headOf(connection)).toContain(`Content-Length: ${noted.body.length}`)
    expect(bodyOf(connection)).toEqual(noted.body.subarray(0, 7))
  })

  it('that cannot be started is an error, not a planned abort', async () => {
    const port = await freePort()
    const exchange = await senderTo(`http://127.0.0.1:${port}`).send(sentAs({ kind: 'truncated', after: 7 }))
    expect(exchange.error?.code).toBe('refused')
    expect(exchange.unanswered).toBeUndefined()
  })
})

describe('Expect: 100-continue', () => {
  it('waits for the interim response', async () => {
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

  it('continues when no interim response arrives', async () => {
    const { url, connections } = await recorder()
    const { answer } = await senderTo(url).send(sentAs({ kind: 'expect-continue' }))
    expect(answer?.status).toBe(200)
    expect(bodyOf(first(connections))).toEqual(noted.body)
  })

  it('accepts a refusal as the response', async () => {
    const { url } = await recorder(OK, ({ socket }) => {
      socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n')
      return true
    })
    expect((await senderTo(url).send(sentAs({ kind: 'expect-continue' }))).answer?.status).toBe(417)
  })
})

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

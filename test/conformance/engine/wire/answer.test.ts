import { describe, expect, it } from 'vitest'
import { classify, timedOut } from '../../../../conformance/engine/wire/errors.ts'
import { wireText } from '../../../../conformance/report/words/failures.ts'
import { serve } from '../../servers.ts'
import { noted, OK, recorder, senderTo } from './raw-server.ts'

describe('the response', () => {
  const answerTo = async (answer: string | Buffer, timeoutMs = 30_000) => {
    const { url } = await recorder(answer)
    return senderTo(url, { timeoutMs }).send(noted)
  }

  it('keeps its header lines in order, including repeated ones', async () => {
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
    const { answer, error } = await answerTo(bytes, code === 'timeout' ? 300 : undefined)
    expect(answer).toBeUndefined()
    expect(error?.code).toBe(code)
  })

  it('that breaks off in the middle is an error', async () => {
    const { url } = await recorder(OK, ({ socket }) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfive!')
      return true
    })
    const { answer, error } = await senderTo(url).send(noted)
    expect(answer).toBeUndefined()
    expect(error?.code).toBe('reset')
  })

  it('may follow early hints', async () => {
    const { answer } = await answerTo(`HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}`)
    expect(answer?.status).toBe(200)
  })

  it('may arrive before the body was read', async () => {
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
  const withCode = (code: string) => Object.assign(new Error('system error'), { code })

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
    expect(found.nodeCode).toBe(code)
    expect(wireText(found)).toMatch(/^[a-zA-Z].{10,}$/)
    if (kind !== 'timeout') expect(wireText(found)).toContain(`(${code})`)
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

  it('states the timeout', () => {
    expect(timedOut(150)).toEqual({ code: 'timeout', afterMs: 150 })
    expect(wireText(timedOut(150))).toBe('no response arrived within 150 ms')
  })
})

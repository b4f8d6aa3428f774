import { gzipSync } from 'node:zlib'
import { attackWith, type Effort, type Target } from './target.ts'

/** Without the secret, an attacker can only guess a signature. */
const GUESS = '0'.repeat(64)

/** The head of a delivery with a forged signature, without the blank line that ends it. */
const forgedHead = (...headers: readonly string[]): string =>
  [
    'POST /webhooks HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `X-Service-Signature: t=${Math.floor(Date.now() / 1000)},v1=${GUESS}`,
    ...headers,
    '',
  ].join('\r\n')

/** The head of a forged delivery whose body has a length. */
const forgedHeadOf = (length: number, ...headers: readonly string[]): string =>
  `${forgedHead(`Content-Length: ${length}`, ...headers)}\r\n`

const CHUNKED = 'Transfer-Encoding: chunked'
const MIB = 1024 * 1024

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

const heldBodies = (target: Target): Promise<void> => holdBodies(target, 1)

/** The same from a hundred addresses. */
const heldBodiesFromEverywhere = (target: Target): Promise<void> => holdBodies(target, 100)

/** No valid delivery is as small, in bytes. */
const LEAST_HELD = 256

/** Bodies of a million chunks of one byte. */
const oneByteChunks =
  (count: number, reopenMs: number) =>
  (target: Target): Promise<void> => {
    const chunks = Buffer.from('1\r\n \r\n'.repeat(10_000))
    return attackWith(target, {
      count,
      reopenMs,
      async use(client) {
        if (!(await client.request(`${forgedHead(CHUNKED)}\r\n`))) return
        for (let sent = 0; sent < 104; sent += 1) if (!(await client.send(chunks))) return
        if (await client.send('0\r\n\r\n')) await client.answer()
      },
    })
  }

/** Bodies of large chunks that never end. */
const endlessChunks = (target: Target): Promise<void> => {
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
const forgedMegabytes = (target: Target): Promise<void> => {
  const request = Buffer.concat([Buffer.from(forgedHeadOf(MIB)), largest])
  return repeat(target, request)
}

/** Bodies of 1 MiB that would decompress to more than 1 GiB. */
const gzipBombs = (target: Target): Promise<void> => {
  const member = gzipSync(Buffer.alloc(16 * MIB))
  const bomb = Buffer.concat(Array.from({ length: Math.floor(MIB / member.length) }, () => member))
  return repeat(
    target,
    Buffer.concat([Buffer.from(forgedHeadOf(bomb.length, 'Content-Encoding: gzip')), bomb]),
  )
}

/** Uploads that stop halfway; half of the connections are closed, half are reset. */
const abortedUploads = (target: Target): Promise<void> =>
  attackWith(target, {
    count: 64,
    reopenMs: 25,
    async use(client) {
      await client.request(Buffer.concat([Buffer.from(forgedHeadOf(MIB)), largest.subarray(0, MIB / 2)]))
      if (target.random() < 0.5) client.close()
    },
  })

/** How many clients open connections as fast as a core can, with one request each. */
const CHURNING = 10

/** Uploads that end after 60 of 100 KB, each over a connection of its own. @param closed in order, where it would be reset */
const churnedUploads =
  (reopenMs: number, closed: boolean) =>
  (target: Target): Promise<void> => {
    const request = Buffer.concat([Buffer.from(forgedHeadOf(100_000)), largest.subarray(0, 60_000)])
    return attackWith(target, {
      count: CHURNING,
      reopenMs,
      async use(client) {
        await client.request(request)
        if (closed) client.close()
      },
    })
  }

/** Complete bodies of 1 KB, each over a connection of its own. */
const churnedBodies = (target: Target): Promise<void> => {
  const request = Buffer.concat([Buffer.from(forgedHeadOf(1_000)), largest.subarray(0, 1_000)])
  return attackWith(target, {
    count: CHURNING,
    reopenMs: 0,
    async use(client) {
      if (await client.request(request)) await client.answer()
    },
  })
}

/** Sends a request over each of 16 connections as often as it is answered. */
function repeat(target: Target, request: Buffer): Promise<void> {
  return attackWith(target, {
    count: 16,
    reopenMs: 25,
    async use(client) {
      while ((await client.request(request)) && (await client.answer())) if (target.end.isOver) return
    },
  })
}

const FLOOD = 5000
const SLOW_CLIENTS = 1000
const SLOW_MS = 1000

/** Connections over which nothing is ever sent. */
const idleFlood = (target: Target): Promise<void> =>
  attackWith(target, { count: FLOOD, reopenMs: 1000, use: (client) => client.closed() })

/** Connections over which one complete request is sent every five seconds. */
const keepAliveFlood = (target: Target): Promise<void> =>
  attackWith(target, {
    count: FLOOD,
    reopenMs: 1000,
    async use(client) {
      do {
        if (!(await client.request('GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'))) return
      } while (await client.pause(5000))
    },
  })

/** Requests whose head never ends: one header line a second. */
const slowHeaders = (target: Target): Promise<void> =>
  attackWith(target, {
    count: SLOW_CLIENTS,
    reopenMs: 500,
    async use(client) {
      if (!(await client.request(forgedHead()))) return
      for (let line = 0; await client.pause(SLOW_MS); line += 1) {
        if (!(await client.send(`X-Line-${line}: 1\r\n`))) return
      }
    },
  })

/** Deliveries whose body arrives at one byte a second. */
const slowBodies = (target: Target): Promise<void> =>
  attackWith(target, {
    count: SLOW_CLIENTS,
    reopenMs: 500,
    async use(client) {
      if (!(await client.request(forgedHeadOf(100_000)))) return
      while (await client.pause(SLOW_MS)) if (!(await client.send('{'))) return
    },
  })

/** As many requests as fit over connections whose answers are never read. */
const pipelining = (target: Target): Promise<void> => {
  const requests = Buffer.from(`${forgedHeadOf(2)}{}`.repeat(100))
  return attackWith(target, {
    count: 40,
    reopenMs: 1000,
    deaf: true,
    async use(client) {
      while (await client.send(requests)) target.effort.requests += 100
    },
  })
}

/** Thousands of headers, with every second client within the size that Node.js reads, with the others far beyond it. */
const manyHeaders = (target: Target): Promise<void> => {
  const within = `${forgedHead('Content-Length: 0', ...numbered(1900))}\r\n`
  const beyond = `${forgedHead('Content-Length: 0', ...numbered(100_000))}\r\n`
  return attackWith(target, {
    count: 16,
    reopenMs: 25,
    async use(client, index) {
      const request = index % 2 === 0 ? within : beyond
      while ((await client.request(request)) && (await client.answer())) if (target.end.isOver) return
    },
  })
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index.toString(36)}:1`)

/** Announces bodies that are too large, and goes away when they are refused. */
const announcedGigabytes = (target: Target): Promise<void> =>
  attackWith(target, {
    count: 64,
    reopenMs: 5,
    async use(client) {
      if (await client.request(forgedHeadOf(2 ** 30))) await client.answer()
    },
  })

/** An attack by clients that do not have the secret. */
export interface Attack {
  /** Attacks until `target.end`. */
  readonly run: (target: Target) => Promise<void>
  /** What must have been done, or the attack proves nothing. */
  readonly least: Partial<Effort>
  /** The shortest time that it lasts, also in a short run, in milliseconds. */
  readonly leastMs?: number
  /** How long a valid delivery may take, in milliseconds; a second by default. */
  readonly mayTakeMs?: number
  /** The share of valid deliveries that may be lost; 0 by default. */
  readonly mayLose?: number
  /** How much the memory of the receiver may grow, in MiB; without it only the bound of all attacks applies. */
  readonly mayGrowMiB?: number
}

/** The default of MAX_HELD_BYTES plus 64 MiB. */
const HELD_PLUS_64_MIB = 128

/** First the attack whose growth is bounded, so that it meets a receiver that has not grown yet. */
export const ATTACKS = {
  'one-byte chunks': {
    run: oneByteChunks(64, 1000),
    least: { opened: 64, bytes: 4 * MIB },
    mayGrowMiB: HELD_PLUS_64_MIB,
  },
  'one-byte chunks, 400 clients': {
    run: oneByteChunks(400, 100),
    least: { opened: 400, bytes: 24 * MIB },
    // Half of the deliveries must be as quick as ever, but not the one that arrives when all 400 have just sent: SECURITY.md.
    mayTakeMs: 3000,
    // All begin at the same time. In a run of two seconds that moment decides about half of the deliveries.
    leastMs: 6000,
  },
  'held bodies': { run: heldBodies, least: { opened: 100, bytes: 64 * MIB }, mayLose: 0.01 },
  'held bodies, 100 addresses': {
    run: heldBodiesFromEverywhere,
    least: { opened: 100, bytes: 64 * MIB },
    mayLose: 0.01,
  },
  'endless chunks': { run: endlessChunks, least: { opened: 64, bytes: 64 * MIB } },
  'forged megabytes': { run: forgedMegabytes, least: { requests: 100, bytes: 100 * MIB } },
  'gzip bombs': { run: gzipBombs, least: { requests: 100, bytes: 50 * MIB } },
  'aborted uploads': { run: abortedUploads, least: { opened: 200, bytes: 50 * MIB } },
  'churned uploads': { run: churnedUploads(0, false), least: { opened: 500, bytes: 25 * MIB } },
  // Not as fast as they can: before its data nothing shows that a client has closed such a connection.
  'churned uploads, closed': { run: churnedUploads(20, true), least: { opened: 500, bytes: 25 * MIB } },
  'churned bodies': { run: churnedBodies, least: { opened: 500, answers: 500 } },
  'announced gigabytes': { run: announcedGigabytes, least: { requests: 500, answers: 500 } },
  pipelining: { run: pipelining, least: { opened: 40, requests: 4000 } },
  'thousands of headers': { run: manyHeaders, least: { requests: 200, answers: 100 } },
  'slow headers': { run: slowHeaders, least: { opened: 1000, requests: 1000 } },
  'slow bodies': { run: slowBodies, least: { opened: 1000, requests: 1000 } },
  'idle flood': { run: idleFlood, least: { opened: 5000 } },
  'keep-alive flood': { run: keepAliveFlood, least: { opened: 5000, requests: 5000 } },
} as const satisfies Readonly<Record<string, Attack>>

export type AttackName = keyof typeof ATTACKS

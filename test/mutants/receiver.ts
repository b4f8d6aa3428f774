import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { type Behaviour, CORRECT, type Effect, type Event, idOf, Problem } from './behaviour.ts'

/** How a receiver departs from the usual. */
export interface Setting {
  readonly behaviour?: Partial<Behaviour>
  /** Its clock minus this machine's, in seconds. */
  readonly aheadSeconds?: number
  /** The same for its Date header, where that is another clock's. */
  readonly dateAheadSeconds?: number
  /** How long after the acknowledgement the effect shows, in milliseconds. */
  readonly effectAfterMs?: number
}

export interface Running {
  readonly url: string
  /** Where its effects show. */
  readonly observe: string
  /** Closes it and breaks its connections, as a crash would. */
  readonly stop: () => void
}

/** Starts a receiver of its own making: it shares no line with the reference receiver, nor with the signer. */
export async function startReceiver(secret: string, setting: Setting = {}): Promise<Running> {
  const { aheadSeconds = 0, dateAheadSeconds = aheadSeconds, effectAfterMs = 0 } = setting
  const is: Behaviour = { ...CORRECT, ...setting.behaviour }
  const now = () => Math.floor(Date.now() / 1000) + aheadSeconds
  const seen = new Set<string>()
  const shown = new Map<string, Effect[]>()

  const expectedFor = (t: string, body: Buffer) =>
    is.keys(secret).flatMap((key) =>
      is.messages(t, body).flatMap((message) =>
        is.hashes.map((hash) =>
          // A hash named `plain-` is one without a key.
          hash.startsWith('plain-')
            ? createHash(hash.slice('plain-'.length)).update(message).digest('hex')
            : createHmac(hash, key).update(message).digest('hex'),
        ),
      ),
    )
  function verify(header: string, body: Buffer): void {
    const { times, signatures } = is.entries(header)
    const t = is.clockTime(times)
    if (t === undefined || signatures.length === 0) throw new Problem(400, 't or v1 is missing')
    const signedAt = is.seconds(t)
    if (signedAt === undefined) throw new Problem(400, 't is no time')
    const inTime = is.inWindow(now() - signedAt, t)
    if (!inTime && !is.signatureFirst) throw new Problem(400, 't is outside the window')
    const expected = is.signedTimes(times).flatMap((time) => expectedFor(time, body))
    if (!signatures.some((given) => expected.some((one) => is.same(one, given)))) {
      throw new Problem(401, 'wrong signature')
    }
    if (!inTime) throw new Problem(400, 't is outside the window')
  }
  function eventIn(body: Buffer): Event {
    let event: unknown
    try {
      event = is.parse(body)
    } catch (error) {
      throw error instanceof SyntaxError ? new Problem(400, 'no JSON') : error
    }
    if (!is.isEvent(event)) throw new Problem(400, 'no event')
    return event
  }
  async function claim(event: Event, body: Buffer, header: string): Promise<boolean> {
    const key = is.keyOf(event, body, header)
    if (seen.has(key)) return false
    if (is.gapMs > 0) await pause(is.gapMs)
    seen.add(key)
    for (const oldest of seen) {
      if (seen.size <= is.remembers) break
      seen.delete(oldest)
    }
    return true
  }
  function show(event: Event): void {
    const before = shown.get(idOf(event)) ?? []
    const one = is.effectOf(event, before)
    if (one !== undefined) shown.set(idOf(event), [...before, one])
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = is.headerOf(request)
    const pieces = await read(request, is.bodyWithinMs)
    if (pieces.brokenOff) return is.brokenOff(Buffer.concat(pieces.chunks), seen)
    let body: Buffer = Buffer.alloc(0)
    try {
      if (pieces.late) throw new Problem(408, 'the body took too long')
      body = is.join(pieces.chunks, request)
      const barred = is.gate(request, body)
      if (barred !== undefined) throw new Problem(barred, 'barred')
      is.peek(body, show)
      const claimed = is.claimsFirst ? await claim(eventIn(body), body, header) : undefined
      if (!is.trusts(header)) verify(header, body)
      const event = eventIn(body)
      const disliked = is.dislike(event)
      if (disliked !== undefined) throw new Problem(disliked, 'not this one')
      const kept = is.keeps(event)
      await is.acknowledge(event, response)
      if (effectAfterMs > 0) await pause(effectAfterMs)
      if (kept && (claimed ?? (await claim(event, body, header)))) show(event)
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(500, 'broken')
      const t = /t=(\d+)/.exec(header)?.[1] ?? ''
      const status = is.status(problem)
      if (status < 0) return
      if (status === 0) response.destroy()
      else response.writeHead(status).end(is.explain(problem, { secret, expected: expectedFor(t, body)[0] }))
    }
  }

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (dateAheadSeconds !== 0)
      response.setHeader('Date', new Date(Date.now() + dateAheadSeconds * 1000).toUTCString())
    if (pathname === '/observe') {
      const effects = shown.get(searchParams.get('payment_id') ?? '') ?? []
      response.end(JSON.stringify({ effects }))
    } else receive(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: `${base}/webhooks`, observe: `${base}/observe`, stop }
}

/** Collects a body piece by piece, as it comes off the wire. */
function read(request: IncomingMessage, withinMs: number) {
  const chunks: Buffer[] = []
  return new Promise<{ chunks: Buffer[]; brokenOff: boolean; late: boolean }>((resolve) => {
    const done = (how: { brokenOff?: true; late?: true }) => {
      clearTimeout(timer)
      resolve({ chunks, brokenOff: false, late: false, ...how })
    }
    const timer = setTimeout(() => done({ late: true }), withinMs)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => done({}))
    request.on('error', () => done({ brokenOff: true }))
  })
}

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createSemaphore } from '../../conformance/engine/pace/semaphore.ts'
import { type Behavior, CORRECT, type Effect, type Event, idOf, Problem } from './behavior.ts'

/** How a receiver differs from a correct one. */
export interface Setting {
  readonly behavior?: Partial<Behavior>
  /** Its clock minus this machine's, in seconds. */
  readonly aheadSeconds?: number
  /** The same for its Date header, if that comes from another clock. */
  readonly dateAheadSeconds?: number
  /** How long after the acknowledgment the effect appears, in milliseconds; a function is called for each event. */
  readonly effectAfterMs?: number | ((event: Event) => number)
  /** How many events are processed at the same time; the others wait in a queue. */
  readonly workers?: number
  /** How the effects are shown over HTTP, if not by a plain response. */
  readonly observing?: { readonly gzip?: true; readonly idleMs?: number }
  /** Effects appear only at multiples of this many milliseconds, as if work ran in batches. */
  readonly batchMs?: number
  /** Options of its HTTP server. */
  readonly server?: ServerOptions
  /** The status of a refusal of `Expect: 100-continue`, which is accepted by default. */
  readonly expectStatus?: number
  /** How long a connection may be idle before it is closed without an announcement, in milliseconds. */
  readonly idleMs?: number
  /** Sees each request first, also one for an upgrade if `upgrades` is set; true when nothing further is to happen. */
  readonly first?: (request: IncomingMessage, stop: () => void) => boolean
  /** Whether it also serves WebSocket, so that requests for an upgrade do not reach the handler. */
  readonly upgrades?: true
  /** How many connections with a request that has not ended are handled at the same time; the others wait. */
  readonly threads?: number
  /** How long the first delivery waits for the receiver to start, in milliseconds; Date is the time of arrival. */
  readonly coldStartMs?: number
}

export interface Running {
  readonly url: string
  /** The URL that shows its effects. */
  readonly observe: string
  /** The effects of a payment, read within this process. */
  readonly effects: (paymentId: string) => readonly Effect[]
  /** Loses all effects, but not what was deduplicated. */
  readonly forgetEffects: () => void
  /** Closes the server and its connections abruptly, as a crash would. */
  readonly stop: () => void
}

/** Starts a receiver that shares no code with the reference receiver, nor with the signer. */
export async function startReceiver(secret: string, setting: Setting = {}): Promise<Running> {
  const { aheadSeconds = 0, dateAheadSeconds = aheadSeconds, effectAfterMs = 0, idleMs, observing } = setting
  let { coldStartMs = 0 } = setting
  const does: Behavior = { ...CORRECT, ...setting.behavior }
  const now = () => Math.floor(Date.now() / 1000) + aheadSeconds
  const workers = createSemaphore(setting.workers ?? Number.POSITIVE_INFINITY)
  const seen = new Set<string>()
  const shown = new Map<string, Effect[]>()
  /** The effects of each mode, by mode and payment. */
  const ofMode = new Map<string, Effect[]>()
  let batch: Promise<void> | undefined

  const effects = (paymentId: string): readonly Effect[] => shown.get(paymentId) ?? []

  const expectedFor = (t: string, body: Buffer) =>
    does.keys(secret).flatMap((key) =>
      does.messages(t, body).flatMap((message) =>
        does.hashes.map((hash) =>
          // A hash named `plain-` has no key.
          hash.startsWith('plain-')
            ? createHash(hash.slice('plain-'.length)).update(message).digest('hex')
            : createHmac(hash, key).update(message).digest('hex'),
        ),
      ),
    )
  function verify(header: string, body: Buffer): void {
    const { times, signatures } = does.entries(header)
    const t = does.clockTime(times)
    if (t === undefined || signatures.length === 0) throw new Problem(400, 't or v1 is missing')
    const signedAt = does.seconds(t)
    if (signedAt === undefined) throw new Problem(400, 't is not a time')
    const inTime = does.inWindow(now() - signedAt, t)
    if (!inTime && !does.signatureFirst) throw new Problem(400, 't is outside the window')
    const expected = does.signedTimes(times).flatMap((time) => expectedFor(time, body))
    if (!signatures.some((given) => expected.some((signature) => does.same(signature, given)))) {
      throw new Problem(401, 'wrong signature')
    }
    if (!inTime) throw new Problem(400, 't is outside the window')
  }
  function eventIn(body: Buffer): Event {
    let event: unknown
    try {
      event = does.parse(body)
    } catch (error) {
      throw error instanceof SyntaxError ? new Problem(400, 'not JSON') : error
    }
    if (!does.isEvent(event)) throw new Problem(400, 'not an event')
    return event
  }
  async function claim(event: Event, body: Buffer, header: string, worker: string): Promise<boolean> {
    const key = `${worker}${does.modeOf(event)}${does.keyOf(event, body, header)}`
    if (seen.has(key)) return false
    if (does.gapMs > 0) await pause(does.gapMs)
    seen.add(key)
    if (does.remembersMs < Number.POSITIVE_INFINITY)
      setTimeout(() => seen.delete(key), does.remembersMs).unref()
    for (const oldest of seen) {
      if (seen.size <= does.remembers) break
      seen.delete(oldest)
    }
    return true
  }
  // All that arrive before a batch await the same promise, so they are handled in the order of their arrival.
  async function nextBatch(everyMs: number): Promise<void> {
    batch ??= pause(everyMs - (Date.now() % everyMs))
    const own = batch
    await own
    if (batch === own) batch = undefined
  }
  function show(event: Event): void {
    const payment = `${does.modeOf(event)} ${idOf(event)}`
    const before = ofMode.get(payment) ?? []
    const added = does.effectOf(event, before)
    if (added === undefined) return
    ofMode.set(payment, [...before, added])
    shown.set(idOf(event), [...effects(idOf(event)), added])
  }

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const header = does.headerOf(request)
    const early = does.beforeBody(request)
    if (early !== undefined) {
      response.writeHead(early, { Connection: 'close' }).end()
      return
    }
    const worker = does.workerOf(request)
    const pieces = await read(request, does.bodyWithinMs)
    if (pieces.aborted) return does.onAbort(Buffer.concat(pieces.chunks), seen)
    let body: Buffer = Buffer.alloc(0)
    try {
      if (pieces.late) throw new Problem(408, 'the body took too long')
      body = does.join(pieces.chunks, request)
      const rejected = does.gate(request, body)
      if (rejected !== undefined) throw new Problem(rejected, 'rejected')
      does.peek(body, show, request)
      const claimed = does.claimsFirst ? await claim(eventIn(body), body, header, worker) : undefined
      if (!does.trusts(header, request, body)) verify(header, body)
      const event = eventIn(body)
      const rejection = does.rejects(event)
      if (rejection !== undefined) throw new Problem(rejection, 'rejected')
      const kept = does.keeps(event)
      await does.acknowledge(event, response)
      await workers.take()
      const workMs = typeof effectAfterMs === 'number' ? effectAfterMs : effectAfterMs(event)
      if (workMs > 0) await pause(workMs)
      workers.give()
      if (setting.batchMs !== undefined) await nextBatch(setting.batchMs)
      if (!kept || !(claimed ?? (await claim(event, body, header, worker)))) return
      does.schedule(() => show(event))
      if (does.againAfterMs < Number.POSITIVE_INFINITY)
        setTimeout(() => show(event), does.againAfterMs).unref()
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem(500, 'internal error')
      const t = /t=(\d+)/.exec(header)?.[1] ?? ''
      const status = does.status(problem)
      if (status < 0) return
      if (status === 0) response.destroy()
      else
        response
          .writeHead(status, does.refusalHeaders)
          .end(does.explain(problem, { secret, expected: expectedFor(t, body)[0] }))
    }
  }

  function stop(): void {
    server.close()
    server.closeAllConnections()
  }
  const threads = createSemaphore(setting.threads ?? Number.POSITIVE_INFINITY)
  const server = createServer(setting.server ?? {}, (request, response) => {
    if (setting.first?.(request, stop) === true) return
    if (setting.threads === undefined) serve(request, response)
    else void inThread(request, response)
  })
  async function inThread(request: IncomingMessage, response: ServerResponse): Promise<void> {
    await threads.take()
    // The sender may have gone while the request waited.
    if (response.closed) return threads.give()
    response.once('close', threads.give)
    serve(request, response)
  }
  function serve(request: IncomingMessage, response: ServerResponse): void {
    const [, pathname = '', query] = /^([^?]*)(?:\?(.*))?$/s.exec(request.url ?? '') ?? []
    const searchParams = new URLSearchParams(query)
    if (dateAheadSeconds !== 0)
      response.setHeader('Date', new Date(Date.now() + dateAheadSeconds * 1000).toUTCString())
    if (pathname === '/observe') {
      const observation = JSON.stringify({ effects: effects(searchParams.get('payment_id') ?? '') })
      if (observing?.idleMs !== undefined) closeWhenIdle(request, response, observing.idleMs)
      if (observing?.gzip !== true) response.end(observation)
      else response.setHeader('Content-Encoding', 'gzip').end(gzipSync(observation))
      return
    }
    if (idleMs !== undefined) closeWhenIdle(request, response, idleMs)
    const handled =
      coldStartMs === 0
        ? receive(request, response)
        : pause(coldStartMs).then(() => receive(request, response))
    if (coldStartMs > 0) response.setHeader('Date', new Date().toUTCString())
    coldStartMs = 0
    handled.catch(() => response.destroy())
  }
  const { expectStatus } = setting
  if (expectStatus !== undefined)
    server.on('checkContinue', (_, response) => response.writeHead(expectStatus).end())
  if (setting.upgrades === true)
    server.on('upgrade', (request, socket) => {
      socket.on('error', () => undefined)
      if (setting.first?.(request, stop) === true) socket.destroy()
    })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${base}/webhooks`,
    observe: `${base}/observe`,
    effects,
    forgetEffects() {
      shown.clear()
      ofMode.clear()
    },
    stop,
  }
}

const closings = new WeakMap<Socket, NodeJS.Timeout>()

function closeWhenIdle({ socket }: IncomingMessage, response: ServerResponse, idleMs: number): void {
  clearTimeout(closings.get(socket))
  response.once('finish', () =>
    closings.set(
      socket,
      setTimeout(() => socket.destroy(), idleMs),
    ),
  )
}

/** Collects the pieces of a body as they arrive. */
function read(request: IncomingMessage, withinMs: number) {
  const chunks: Buffer[] = []
  return new Promise<{ chunks: Buffer[]; aborted: boolean; late: boolean }>((resolve) => {
    const done = (how: { aborted?: true; late?: true }) => {
      clearTimeout(timer)
      resolve({ chunks, aborted: false, late: false, ...how })
    }
    const timer = setTimeout(() => done({ late: true }), withinMs)
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => done({}))
    request.on('error', () => done({ aborted: true }))
  })
}

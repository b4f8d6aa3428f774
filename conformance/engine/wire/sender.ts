import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import tls from 'node:tls'
import type { Delivery } from '../delivery.ts'
import type { Answer, Exchange, WireError } from '../exchange.ts'
import { renewed } from '../renewal.ts'
import type { Target } from '../target.ts'
import { afterAwake, stopwatch } from '../time/awake.ts'
import { classify } from './errors.ts'
import { patienceWith } from './patience.ts'
import { destination, headerLines, writeBody } from './request.ts'
import { createResponseReader, readResponse } from './responses.ts'
import { tlsOptions } from './trust.ts'

const SETTLE_MS = 30

/** Sends deliveries to one target. */
export interface Sender {
  /** Sends one delivery and waits for its response; a connection error is a result, not an exception. */
  readonly send: (delivery: Delivery) => Promise<Exchange>
  /**
   * A sender that uses one connection as long as the receiver keeps it open.
   * @param from an IPv4 address of this machine. Default: the one that leads there
   */
  readonly onOneConnection: (from?: string) => Sender
  /** Sends several deliveries at the same time, by the sender that it passes to `send`. */
  readonly group: <T>(count: number, send: (sender: Sender) => Promise<T>) => Promise<T>
  /** Closes the idle connections. */
  readonly close: () => void
}

/**
 * Makes a sender on node:http: a client library would take longer to load than a run takes, and would normalize headers.
 */
export function createSender(target: Target, connections = Number.POSITIVE_INFINITY, from?: string): Sender {
  const isSecure = target.url.protocol === 'https:'
  const client = isSecure ? https : http
  const settings = isSecure ? tlsOptions(target.trust) : {}
  const agent = new client.Agent({ ...settings, keepAlive: true, maxSockets: connections })
  // Keeps none of its connections, so that each one is new.
  const fresh = new client.Agent({ ...settings, keepAlive: true })
  fresh.maxFreeSockets = 0
  const options = {
    ...destination(target.url),
    ...(from !== undefined && { localAddress: from, family: 4 as const }),
  }

  async function send(delivery: Delivery): Promise<Exchange> {
    if (delivery.transport?.kind === 'raw') return sendRaw(delivery, target)
    const { exchange, stale } = await attempt(delivery, agent)
    // The receiver notices a broken connection only after a moment.
    if (exchange.unanswered === true) await pause(SETTLE_MS)
    // A receiver may close an idle connection just as it is reused. Another idle one may end in the same way.
    if (!stale) return exchange
    const again = (await attempt(delivery, fresh)).exchange
    // Nobody is there any more: the delivery itself may have been the reason.
    return again.error?.code === 'refused' ? exchange : again
  }

  function attempt(delivery: Delivery, by: http.Agent): Promise<{ exchange: Exchange; stale: boolean }> {
    return new Promise((resolve) => {
      const taken = stopwatch()
      const headers = headerLines(delivery, target).flat()
      const path = delivery.route?.(options.path) ?? options.path
      const request = client.request({ ...options, path, agent: by, method: delivery.method, headers })
      let bytesBefore = 0
      request.on('socket', (socket) => {
        bytesBefore = socket.bytesRead
        // A receiver may answer and reset while the body is still being sent: that error can follow the response, when
        // node:http no longer listens, and would end this process.
        if (!socket.listeners('error').includes(ignore)) socket.on('error', ignore)
      })
      const settle = (result: Partial<Exchange>, stale = false): void => {
        stopWaiting(result.answer && 'answered')
        if (result.answer === undefined) request.destroy()
        // Only the first call counts; a promise ignores the others.
        resolve({ exchange: { delivery, answer: undefined, error: undefined, ...result }, stale })
      }
      const stopWaiting = patienceWith(target).wait((error) => settle({ error }))
      readResponse(
        request,
        (answer) => settle({ answer }),
        (failure) => {
          const error = classify(failure)
          const isSilent = (request.socket?.bytesRead ?? 0) === bytesBefore
          settle({ error }, request.reusedSocket && isSilent && error.code === 'reset')
        },
        taken,
      )
      writeBody(request, delivery).then(
        (complete) => (complete ? undefined : settle({ unanswered: true })),
        (failure: unknown) => settle({ error: classify(failure) }),
      )
    })
  }

  const sender: Sender = {
    send,
    group: (_, together) => together(sender),
    onOneConnection: (own) => createSender(target, 1, own),
    close() {
      agent.destroy()
      fresh.destroy()
    },
  }
  return sender
}

const ignore = (): void => undefined

/** Opens a connection that is used for nothing else. */
function connect({ url, trust }: Target): net.Socket {
  const { host, port } = destination(url)
  if (url.protocol !== 'https:') return net.connect({ host, port })
  // An IP address is not a server name.
  return tls.connect({
    host,
    port,
    ...tlsOptions(trust),
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
  })
}

/** The head and the body of a delivery, as they are written to the connection. */
function requestBytes(delivery: Delivery, target: Target): [head: Buffer, body: Buffer] {
  const { path } = destination(target.url)
  const version = delivery.transport?.kind === 'raw' ? delivery.transport.version : '1.1'
  const lines = headerLines(delivery, target).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${delivery.method} ${delivery.route?.(path) ?? path} HTTP/${version}\r\n${lines.join('')}\r\n`
  return [Buffer.from(head, 'latin1'), delivery.body]
}

/** What was received. Fewer responses than deliveries and no error means that the receiver closed the connection cleanly. */
interface Conversation {
  readonly answers: readonly Answer[]
  readonly error: WireError | undefined
  /** Set when the sender closed the connection, because no response arrived in the time that it wanted to wait. */
  readonly hungUp?: true
}

/**
 * Sends deliveries in one write on a separate connection, and reads their responses.
 *
 * @param withinMs how long to wait for responses once everything is sent, in milliseconds; default: the timeout of the run
 * @param isReset whether the connection is then reset, not closed
 */
function converse(
  deliveries: readonly Delivery[],
  target: Target,
  { withinMs = Number.POSITIVE_INFINITY, isReset }: { withinMs?: number; isReset?: true } = {},
): Promise<Conversation> {
  return new Promise((resolve) => {
    const answers: Answer[] = []
    const socket = connect(target)
    let hangUp: (() => void) | undefined
    const finish = (error?: WireError, hungUp?: true): void => {
      stopWaiting(answers.length > 0 ? 'answered' : undefined)
      hangUp?.()
      // One with TLS can only be closed.
      if (hungUp === true && isReset === true && target.url.protocol !== 'https:') socket.resetAndDestroy()
      else socket.destroy()
      resolve({ answers, error, ...(hungUp && { hungUp }) })
    }
    const stopWaiting = patienceWith(target).wait(finish)
    const reader = createResponseReader(
      deliveries.map(({ method }) => method),
      (answer, isLast) => {
        answers.push(answer)
        if (isLast || answers.length === deliveries.length) finish()
      },
      (failure) => {
        const error = classify(failure)
        // After a response, a receiver may close the connection.
        finish(answers.length > 0 && error.code === 'reset' ? undefined : error)
      },
    )
    socket.on('error', (error) => finish(classify(error)))
    socket.on('data', reader.read)
    socket.on('end', reader.end)
    socket.on('close', reader.end)
    socket.write(Buffer.concat(deliveries.flatMap((delivery) => requestBytes(delivery, target))), () => {
      if (withinMs < target.timeoutMs) hangUp = afterAwake(withinMs, () => finish(undefined, true))
    })
  })
}

/** Sends one delivery as it stands on a separate connection, even where node:http would refuse to. */
export async function sendRaw(delivery: Delivery, target: Target): Promise<Exchange> {
  const { answers, error, hungUp } = await converse(
    [delivery],
    target,
    delivery.transport?.kind === 'raw' ? delivery.transport : {},
  )
  const [answer] = answers
  if (answer !== undefined) return { delivery, answer, error: undefined }
  return { delivery, answer: undefined, error, ...(hungUp && { unanswered: true }) }
}

/**
 * Sends all deliveries in one write on a separate connection, before any response, which node:http cannot do. A receiver
 * may close the connection after a response; the unanswered deliveries are then sent again, as HTTP/1.1 requires.
 */
export async function sendPipelined(
  planned: readonly Delivery[],
  target: Target,
  sender: Sender,
): Promise<Exchange[]> {
  const deliveries = planned.map(renewed)
  const { answers, error } = await converse(deliveries, target)
  return Promise.all(
    deliveries.map(async (delivery, index): Promise<Exchange> => {
      const answer = answers[index]
      if (answer !== undefined) return { delivery, answer, error: undefined }
      return error === undefined ? sender.send(delivery) : { delivery, answer: undefined, error }
    }),
  )
}

/**
 * Sends the first bytes of each truncated delivery, and keeps those connections open while it sends the others in turn,
 * each on a new connection: that is what a receiver sees of senders that are slow or have disappeared.
 */
export async function sendWhileHeld(
  deliveries: readonly Delivery[],
  target: Target,
  sender: Sender,
): Promise<Exchange[]> {
  const sockets: net.Socket[] = []
  const others: Sender[] = []
  try {
    const held = await Promise.all(
      deliveries.filter(isHeld).map((delivery) => hold(renewed(delivery), target, sockets)),
    )
    const exchanges: Exchange[] = []
    for (const delivery of deliveries) {
      if (isHeld(delivery)) continue
      const other = sender.onOneConnection()
      others.push(other)
      exchanges.push(await other.send(delivery))
    }
    return [...held, ...exchanges]
  } finally {
    for (const socket of sockets) socket.destroy()
    for (const other of others) other.close()
  }
}

function isHeld({ transport }: Delivery): boolean {
  return transport?.kind === 'truncated'
}

function hold(delivery: Delivery, target: Target, sockets: net.Socket[]): Promise<Exchange> {
  const after = delivery.transport?.kind === 'truncated' ? delivery.transport.after : 0
  return new Promise((resolve) => {
    const settle = (result: Partial<Exchange>): void => {
      resolve({ delivery, answer: undefined, error: undefined, ...result })
    }
    const stopWaiting = patienceWith(target).wait((error) => settle({ error }))
    const socket = connect(target)
    sockets.push(socket)
    // A receiver may close the connection at any time. What it sends is read, so that it never waits for that.
    socket.on('error', (error) => settle({ error: classify(error) }))
    socket.on('data', () => stopWaiting('answered'))
    socket.on('close', () => stopWaiting())
    const [head, body] = requestBytes(delivery, target)
    socket.write(Buffer.concat([head, body.subarray(0, after)]), (error) => {
      if (!error) settle({ unanswered: true })
    })
  })
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { WebhookContract } from '../../../conformance/contracts/webhook/contract.ts'
import { dissect } from '../../../conformance/diagnosis/mismatch/dissect.ts'
import type { Delivery, HeaderLine } from '../../../conformance/engine/delivery.ts'
import type { Exchange } from '../../../conformance/engine/exchange.ts'
import { createSender } from '../../../conformance/engine/wire/sender.ts'
import { contractOf, requireKey } from '../../../conformance/options.ts'
import { shownUrl } from '../../../conformance/report/redact.ts'
import { printableJson } from '../../../conformance/report/text.ts'
import { shellQuoted } from '../../../fixtures/shell.ts'
import { forwardedHeaders, openCaptures } from '../../shared/capture.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, stopRequest } from '../../shared/io.ts'
import { optionalSecret } from '../../shared/secret.ts'
import { namedService } from '../../shared/service.ts'
import { readTrust } from '../../shared/trust.ts'
import { hmac, stampedBy } from '../verify/headers.ts'
import { type ListenCommandOptions, targetsOf } from './listen.ts'
import { hintAt } from './listen-output.ts'
import { type RelayEvent, relayLine } from './relay-output.ts'

/** What anyone who knows the address of the tunnel can make this command hold. Times in milliseconds. */
const LIMITS = {
  /** The largest body that GitHub sends. */
  bodyBytes: 25 * 1024 * 1024,
  heldBytes: 64 * 1024 * 1024,
  requests: 64,
  connections: 256,
  answerMs: 30_000,
} as const

/** How long requests may take to arrive, in milliseconds. */
const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 1_000 } as const

/** Without progress for this long, a connection is closed, in milliseconds. */
const STUCK_MS = 60_000

/**
 * `hookproof listen --port`: receives deliveries of any service, for example through a tunnel, and forwards each to all
 * receivers. The sender gets the response of the first one; without a receiver it gets 200.
 */
export async function relay(
  options: ListenCommandOptions & { readonly port: number },
  io: Io,
): Promise<ExitCode> {
  const { port, header: own = [], format } = options
  const targets = targetsOf(options).map((target) => new URL(target))
  const service = await namedService(options, io)
  const contract = await contractOf(service)
  const secret = await optionalSecret(options, io)
  if (secret !== undefined) requireKey(secret, contract)
  const trust = await readTrust(options, io)
  const save = options.capture === undefined ? undefined : await openCaptures(options.capture, io)
  const receivers = targets.map((url) => {
    const linesOf = ({ headers }: Delivery): readonly HeaderLine[] => [...own, ...headers]
    return { url, sender: createSender({ url, linesOf, timeoutMs: LIMITS.answerMs, trust }) }
  })
  const print = (event: RelayEvent): Promise<void> => {
    const line =
      format === 'json' ? printableJson(JSON.stringify(event)) : relayLine(event, io, contract.scheme)
    // Waits for a reader that is slow, so that what it has not read does not pile up.
    return new Promise((resolve) => io.stdout.write(`${line}\n`, () => resolve()))
  }

  // By receiver, so that a refusal is explained once until another status follows it.
  const hinted = new Map<string, number | null>()
  async function hint(to: string, status: number | null): Promise<void> {
    const check = shellQuoted(['npx', 'hookproof', 'check', to, ...(service ? ['--service', service] : [])])
    const text = hinted.get(to) === status || format === 'json' ? undefined : hintAt(status, check)
    hinted.set(to, status)
    if (text !== undefined)
      await new Promise<void>((resolve) => io.stdout.write(`${text}\n`, () => resolve()))
  }

  async function handle(request: IncomingMessage, response: ServerResponse, body: Buffer): Promise<void> {
    const at = new Date().toISOString()
    const { method = '', url: path = '' } = request
    const headers = pairsOf(request.rawHeaders)
    const reason =
      secret === undefined
        ? undefined
        : await refusalOf(contract, { headers, body, secret }, options.signatureHeader)
    const capture = { at, ...(service && { service }), method, path, headers, body: body.toString('base64') }
    await print({
      type: 'request',
      method,
      path: shownPath(path),
      bytes: body.length,
      ...(secret !== undefined && { signature: reason ?? 'valid' }),
      ...(save !== undefined && { capture: (await save(capture)) ?? null }),
    })
    const delivery = deliveryOf(method, forwardedHeaders(headers, own), body)
    if (receivers.length === 0) response.end()
    await Promise.all(
      receivers.map(async ({ url, sender }, index) => {
        const exchange = await sender.send(delivery)
        if (index === 0) respond(response, exchange)
        const { answer, error } = exchange
        const ms = Math.round(answer?.ms ?? 0)
        await print({
          type: 'response',
          forward_to: shownUrl(url),
          status: answer?.status ?? null,
          error: error ?? null,
          ms,
        })
        // Of a delivery that a receiver has to refuse, the line about the signature says why.
        if (reason === undefined) await hint(shownUrl(url), answer?.status ?? null)
      }),
    )
  }

  const server = limitedServer(handle)
  const stopping = AbortSignal.any([stopRequest(io), io.outputFailed, io.readerGone])
  const listened = await started(server, port)
  await print({ type: 'ready', url: `http://127.0.0.1:${listened}`, forward_to: targets.map(shownUrl) })
  if (!stopping.aborted) await once(stopping, 'abort')
  server.close()
  server.closeAllConnections()
  for (const { sender } of receivers) sender.close()
  return EXIT.ok
}

/** Why a receiver refuses a delivery; undefined for a valid one. */
async function refusalOf(
  contract: WebhookContract,
  { headers, ...delivery }: { headers: readonly HeaderLine[]; body: Buffer; secret: string },
  signatureHeader: string | undefined,
) {
  const { refusal } = await dissect(
    { ...stampedBy('', headers, contract, signatureHeader), ...delivery },
    { hmac, nowSeconds: Math.floor(Date.now() / 1000), toleranceSeconds: contract.windowSeconds },
  )
  return refusal?.reason
}

/** The target of a request without the values of its query that may be secrets. */
function shownPath(path: string): string {
  const whole = `http://localhost${path.startsWith('/') ? '' : '/'}${path}`
  return URL.canParse(whole) ? shownUrl(new URL(whole)).slice('http://localhost'.length) : ''
}

/** Listens on this machine only. @returns the port @throws UsageError */
async function started(server: Server, port: number): Promise<number> {
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch (error) {
    const reason =
      (error as NodeJS.ErrnoException).code === 'EADDRINUSE' ? 'is already in use' : 'cannot be used'
    throw new UsageError(`--port ${port} ${reason}: use another one, or 0 for any free port`, {
      cause: error,
    })
  }
  return (server.address() as AddressInfo).port
}

/** A server that passes on requests whose body has arrived, as many at the same time as the limits allow. */
function limitedServer(
  handle: (request: IncomingMessage, response: ServerResponse, body: Buffer) => Promise<void>,
): Server {
  let requests = 0
  let held = 0

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        chunks.push(chunk)
        size += chunk.length
        held += chunk.length
        if (size > LIMITS.bodyBytes) return await refuse(response, 413)
        // A chunk of a few bytes takes far more memory than it has.
        if (held > LIMITS.heldBytes || chunks.length > 256 + size / 64) return await refuse(response, 503)
      }
      await handle(request, response, Buffer.concat(chunks))
    } finally {
      held -= size
    }
  }

  const server = createServer(TIMES, (request, response) => {
    response.on('error', () => undefined)
    if (requests >= LIMITS.requests) return void refuse(response, 503)
    requests += 1
    serve(request, response)
      // The sender has left, or cannot be answered any more.
      .catch(() => response.destroy())
      .finally(() => (requests -= 1))
  })
  server.maxConnections = LIMITS.connections
  server.setTimeout(STUCK_MS)
  return server
}

/** Answers a request that is not read to its end, and closes the connection. */
function refuse(response: ServerResponse, status: 413 | 503): Promise<void> {
  return new Promise((resolve) => {
    response.on('close', resolve)
    response.writeHead(status, { Connection: 'close' }).end(resolve)
  })
}

/** Answers the sender as the receiver did, or with 502 or 504 if that did not: services then send the delivery again. */
function respond(response: ServerResponse, { answer, error }: Pick<Exchange, 'answer' | 'error'>): void {
  if (answer === undefined || answer.status < 200 || answer.status > 599)
    return void response.writeHead(error?.code === 'timeout' ? 504 : 502).end()
  const { status, body } = answer
  const length: HeaderLine[] =
    status === 204 || status === 304 ? [] : [['Content-Length', String(body.length)]]
  response.writeHead(status, [...forwardedHeaders(answer.headers), ...length].flat()).end(body)
}

/** The request as the engine sends it. */
const deliveryOf = (method: string, headers: readonly HeaderLine[], body: Buffer): Delivery => ({
  role: 'context',
  key: undefined,
  isEffective: false,
  change: undefined,
  method,
  headers,
  body,
  transport: undefined,
})

/** The header lines of a request, in order and as they were written. */
function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? '']] : [],
  )
}

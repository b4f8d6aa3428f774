import { once } from 'node:events'
import { existsSync, realpathSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { type Logger, pino } from 'pino'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { inOneLine } from './errors.ts'
import type { Inbox } from './inbox.ts'
import { logAttempt, logDelivery } from './log.ts'
import { createOrders, type Ledger } from './orders.ts'
import { startProcessing } from './processing.ts'
import { createVerifier } from './verify.ts'

/** A receiver that takes deliveries. */
export interface RunningReceiver {
  /** Its base address, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Takes no new connection, answers the requests under way, handles what was acknowledged, closes the store. */
  stop(): Promise<void>
}

/** The address can not be listened on; the message says why and how to mend that. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

export interface StartOptions {
  log?: Logger
  /** Now, in milliseconds. */
  clock?: () => number
  /** How long requests under way, and then the processing, may each take when stopping, in milliseconds. */
  stopWithinMs?: number
  /** How often to look for entries that are due again, in milliseconds. */
  pollMs?: number
}

/**
 * Starts the reference receiver: its store, its processing and its HTTP server.
 * @throws InboxError if the store can not be used, ListenError if the address can not.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningReceiver> {
  const { log = pino({ level: config.logLevel }), clock = Date.now } = options
  const { stopWithinMs = 10_000, pollMs = 500 } = options
  const { secrets, toleranceSeconds } = config
  const verify = createVerifier({ secrets, toleranceSeconds, clock })
  const { inbox, ledger } = await openStore(config.inbox)
  const orders = createOrders({ ledger })

  const app = createApp({
    verify,
    inbox,
    limitBytes: config.bodyLimitBytes,
    ...(config.observe ? { orders } : {}),
    onOutcome(told) {
      logDelivery(log, told)
      // Started below, before the first request can come in.
      if (told.outcome === 'stored') processing.wake()
    },
    onFailure: (error) => log.error({ cause: inOneLine(error) }, 'request failed'),
  })
  // Longer than the idle time of common load balancers, which else send into a connection that is just closing.
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, keepAliveTimeout: 65_000 },
    app,
  )
  try {
    await listen(server, config)
  } catch (error) {
    await inbox.close()
    throw error
  }
  const processing = startProcessing({
    inbox,
    handle: (event, entry) => orders.handle(event, entry),
    stopWithinMs,
    pollMs,
    clock,
    onOutcome: (told) => logAttempt(log, told),
  })

  const { port } = server.address() as AddressInfo
  const url = `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`
  announce(log, url)

  async function stopAll(): Promise<void> {
    await closeServer(server, stopWithinMs)
    await processing.stop()
    await inbox.close()
    log.info('stopped')
  }
  let stopped: Promise<void> | undefined
  return { url, port, stop: () => (stopped ??= stopAll()) }
}

/** Loaded here and not at the top: the SQLite driver costs time that the memory inbox need not spend. */
async function openStore(path: string): Promise<{ inbox: Inbox; ledger: Ledger }> {
  if (path === 'memory') {
    const [{ memoryInbox }, { memoryLedger }] = await Promise.all([
      import('./inbox/memory.ts'),
      import('./ledger/memory.ts'),
    ])
    return { inbox: memoryInbox(), ledger: memoryLedger() }
  }
  const { sqliteInbox, sqliteLedger } = await import('./inbox/sqlite.ts')
  const inbox = await sqliteInbox({ path })
  return { inbox, ledger: sqliteLedger(inbox.database) }
}

/** Programs wait for this line to learn the address, so it comes at every level but silent. */
function announce(log: Logger, url: string): void {
  if (log.level !== 'silent') log.child({}, { level: 'info' }).info({ url }, 'listening')
}

async function listen(server: Server, { host, port }: Config): Promise<void> {
  try {
    server.listen(port, host)
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = LISTEN_PROBLEMS.get(code) ?? `${message}. Check HOST and PORT.`
    throw new ListenError(`can not listen on ${host} port ${port}: ${reason}`, { cause: error })
  }
}

const LISTEN_PROBLEMS = new Map<string | undefined, string>([
  ['EADDRINUSE', 'the port is taken. Stop the other program, or set PORT to another (0 takes a free one).'],
  ['EACCES', 'ports below 1024 need a privilege. Set PORT to a higher one.'],
  ['EADDRNOTAVAIL', 'this machine does not have that address. Set HOST to one of its own.'],
  ['ENOTFOUND', 'there is no such host. Set HOST to an address of this machine.'],
])

/** Lets requests under way end; a connection kept alive by its client must not keep the server. */
async function closeServer(server: Server, withinMs: number): Promise<void> {
  const closed = once(server, 'close')
  server.prependListener('request', (_request, response) => response.setHeader('Connection', 'close'))
  server.close()
  const sweep = setInterval(() => server.closeIdleConnections(), 20)
  const cut = setTimeout(() => server.closeAllConnections(), withinMs)
  await closed
  clearInterval(sweep)
  clearTimeout(cut)
}

/**
 * The program: reads the environment, starts, and stops on SIGTERM or SIGINT. What keeps it from starting is told in
 * one line on standard error, with exit code 2.
 */
export async function run(env: Readonly<Record<string, string | undefined>> = process.env): Promise<void> {
  try {
    const receiver = await start(readConfig(env))
    const stop = (): void => {
      receiver.stop().catch((error: unknown) => fail(error, 1))
    }
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, stop)
  } catch (error) {
    fail(error, 2)
  }
}

function fail(error: unknown, exitCode: number): void {
  process.stderr.write(`hookproof receiver: ${inOneLine(error)}\n`)
  process.exitCode = exitCode
}

const [, program = ''] = process.argv
const isMain = existsSync(program) && realpathSync(program) === fileURLToPath(import.meta.url)
if (isMain) await run()

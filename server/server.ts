import { existsSync, realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  createOverload,
  createReadiness,
  createVerifier,
  inOneLine,
  type ProcessingState,
  startRetention,
} from '@hookproof/receiver'
import type { DestinationStream, Logger } from 'pino'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { createHttpServer } from './http/http-server.ts'
import { baseUrl, listen, type SetBy } from './http/listen.ts'
import { stoppable } from './http/stopping.ts'
import { createConnectionLog } from './log/connection-log.ts'
import { createDeliveryLog } from './log/delivery-log.ts'
import { logAttempt, logExposedFile, logReload } from './log/log.ts'
import { createProgramLog, type ProgramLog } from './log/program-log.ts'
import type { MetricsOptions } from './metrics/metrics.ts'
import type { RunningMetrics } from './metrics/metrics-server.ts'
import { type ReloadingVerifier, reloadingVerifier } from './secrets/secrets.ts'
import { StopError, startStopTime } from './stop-time.ts'
import { createOutage } from './store/outage.ts'
import { openStore } from './store/store.ts'

/** A running receiver. */
export interface RunningReceiver {
  /** The base URL, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** The URL of the metrics, if they are served. */
  readonly metricsUrl: string | undefined
  /**
   * Stops the receiver: it reports not ready, waits the drain time, closes the port, answers open requests, handles
   * acknowledged events and closes the store.
   * @throws StopError if the store does not close in time.
   */
  stop(): Promise<void>
  /** Reads the secret file immediately. Without this call it is read within a second of a change. */
  reloadSecrets(): void
}

export interface StartOptions {
  /** Default: standard output. */
  log?: Logger
  /** How many lines the log could not write, for the metrics. */
  droppedLogLines?: () => number
  /** The current Unix time in milliseconds. */
  clock?: () => number
  /** How long stopping may take in total, after the drain time, in milliseconds. */
  stopTimeoutMs?: number
  /** How often to check for entries that are due again, in milliseconds. */
  pollMs?: number
  /** How long a request head may take to arrive, in milliseconds. */
  headTimeoutMs?: number
  /** Called with the base URL when everything has started, just before the log announces it. */
  onListening?: (url: string) => void
  /** What sets the host and the port, for messages; default: HOST and PORT. */
  setBy?: SetBy | undefined
}

/**
 * Starts the reference receiver: its store, its processing and its HTTP server.
 * @throws ConfigError if the secret file is not valid; InboxError if the store cannot be used; ListenError if the server
 * cannot listen on the address.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningReceiver> {
  const { log, droppedLogLines = () => 0 } =
    options.log === undefined ? createProgramLog(config.logLevel) : { ...options, log: options.log }
  const { clock = Date.now } = options
  const { stopTimeoutMs = config.stopSeconds * 1000, pollMs = 500, headTimeoutMs = 10_000 } = options
  const secrets = readVerifier(config, log, clock)
  const { maxAttempts } = config
  const store = await openStore(config.inbox, { clock, retries: { maxAttempts } })
  const { inbox, orders } = store
  for (const file of store.exposedFiles) logExposedFile(log, file)
  // The processing starts after the server.
  let processingState = (): ProcessingState | undefined => undefined

  const { maxWaiting, maxHeldBytes } = config
  const overload = createOverload({ maxWaiting, maxHeldBytes, maxStoreMs: config.maxStoreSeconds * 1000 })
  const outage = createOutage(() => log.info('store recovered'))
  const readiness = createReadiness({
    inbox,
    onFailure(error) {
      outage.failed()
      log.error({ cause: inOneLine(error) }, 'readiness')
    },
    onSuccess: () => outage.succeeded(),
  })
  const logDelivery = createDeliveryLog(log)
  const logClosed = createConnectionLog(log)
  const bodyTimeoutMs = config.bodyTimeoutSeconds * 1000
  const app = createApp({
    verify: secrets.verify,
    inbox,
    limitBytes: config.bodyLimitBytes,
    bodyTimeoutMs,
    overload,
    readiness,
    processing: () => processingState() ?? 'active',
    ...(config.observe ? { orders } : {}),
    onOutcome(result) {
      logDelivery(result)
      metrics?.delivery(result)
      if (result.outcome !== 'refused') outage.succeeded()
      else if (result.error.code === 'store_unavailable') outage.failed()
      // Processing is started below, before the first request can arrive.
      if (result.outcome === 'stored') processing.wake()
    },
    onError: (error) => log.error({ cause: inOneLine(error) }, 'request failed'),
  })
  const { server, connections: open } = createHttpServer(app, {
    bodyTimeoutMs,
    headTimeoutMs,
    maxConnections: config.maxConnections,
    onClosed(reason) {
      logClosed(reason)
      metrics?.connectionClosed(reason)
    },
  })
  const connections = stoppable(server)
  let metrics: RunningMetrics | undefined
  try {
    const measured = {
      inbox,
      overload,
      connections: open,
      processing: () => processingState(),
      clock,
      droppedLogLines,
    }
    metrics = await openMetrics(config, measured, log)
    metrics?.measure(server)
    await listen(server, { ...config, setBy: options.setBy })
  } catch (error) {
    metrics?.stop()
    await inbox.close()
    throw error
  }
  const processing = store.process({
    stopTimeoutMs,
    pollMs,
    clock,
    onOutcome(result) {
      logAttempt(log, result)
      metrics?.attempt(result)
      if ('entry' in result) outage.succeeded()
    },
  })
  processingState = () => processing.state
  const retention = startRetention({
    inbox,
    days: config.retentionDays,
    clock,
    onPurged: (purged) => log.info({ purged }, 'retention'),
    onFailure: (error) => log.error({ cause: inOneLine(error) }, 'retention'),
  })
  secrets.watch()

  const { port } = server.address() as AddressInfo
  const url = baseUrl(config.host, port)
  options.onListening?.(url)
  announce(log, url)
  if (secrets.isPublic) {
    log.warn('every user of this machine can read WEBHOOK_SECRET_FILE: remove that permission with chmod o-r')
  }

  async function stopAll(): Promise<void> {
    readiness.drain()
    connections.drain()
    log.info({ seconds: config.drainSeconds }, 'draining')
    if (config.drainSeconds > 0) await pause(config.drainSeconds * 1000)
    secrets.close()
    retention.stop()
    const time = startStopTime(stopTimeoutMs)
    await connections.stop(time.share())
    await processing.stop(time.share())
    // Just before the store, so that the stop can be monitored.
    metrics?.stop()
    try {
      await time.last(
        inbox.close(),
        (seconds) =>
          `inbox ${store.name}: did not close within ${seconds} s. Check that it responds; acknowledged events stay in it.`,
      )
    } catch (error) {
      if (error instanceof StopError) store.disconnect()
      throw error
    }
    log.info('stopped')
  }
  let stopped: Promise<void> | undefined
  return {
    url,
    port,
    metricsUrl: metrics?.url,
    stop: () => (stopped ??= stopAll()),
    reloadSecrets: () => secrets.reload(),
  }
}

/** Starts the metrics server if it is configured. Its modules are loaded only then, because loading takes time. */
async function openMetrics(
  { metrics: address }: Config,
  options: MetricsOptions,
  log: Logger,
): Promise<RunningMetrics | undefined> {
  if (address === undefined) return undefined
  const { startMetrics } = await import('./metrics/metrics-server.ts')
  const onFailure = (error: unknown) => log.error({ cause: inOneLine(error) }, 'metrics')
  const metrics = await startMetrics({ ...address, ...options, onFailure })
  log.info({ url: metrics.url }, 'metrics')
  return metrics
}

function readVerifier(config: Config, log: Logger, clock: () => number): ReloadingVerifier {
  const { secrets, toleranceSeconds } = config
  const verifierFor = (given: readonly string[]) =>
    createVerifier({ secrets: given, toleranceSeconds, clock })
  if ('file' in secrets) {
    return reloadingVerifier({ ...secrets, verifierFor, onReload: (result) => logReload(log, result) })
  }
  const reload = () => log.warn({ outcome: 'ignored', cause: 'WEBHOOK_SECRET_FILE is not set' }, 'secrets')
  return { verify: verifierFor(secrets), isPublic: false, reload, watch() {}, close() {} }
}

/** Programs read the address from this line, so it is logged at every level except silent. */
function announce(log: Logger, url: string): void {
  if (log.level !== 'silent') log.child({}, { level: 'info' }).info({ url }, 'listening')
}

/** What the program uses of its process. */
export interface Host {
  readonly stderr: { write: (text: string) => unknown }
  readonly signals: Signals
  /** Where the log goes; default: standard output, written synchronously. */
  readonly logTo?: DestinationStream
  /** Called with the base URL just before the log announces the receiver. */
  readonly onListening?: (url: string) => void
  /** What sets the host and the port, for messages; default: HOST and PORT. */
  readonly setBy?: SetBy
}

interface Signals {
  on: (signal: ProgramSignal, listener: () => void) => unknown
  off: (signal: ProgramSignal, listener: () => void) => unknown
  /** Absent in tests, which share their process with others. */
  kill?: (pid: number, signal: 'SIGKILL') => unknown
}

type ProgramSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/**
 * The program: reads the environment, starts, stops on SIGTERM or SIGINT, and reloads the secret file on SIGHUP. What
 * keeps it from starting or stopping is reported in one line on standard error.
 * @returns the exit code, once the receiver has stopped: 0, 1 if it could not stop properly, 2 if it could not start
 */
export async function run(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { stderr, signals, logTo, onListening: listening, setBy }: Host = {
    stderr: process.stderr,
    signals: process,
  },
): Promise<0 | 1 | 2> {
  const fail = (error: unknown) => void stderr.write(`hookproof receiver: ${inOneLine(error)}\n`)
  let output: ProgramLog
  let receiver: RunningReceiver | undefined
  let stopped = Promise.resolve()
  const reload = (): void => receiver?.reloadSecrets()
  // Before the log announces the receiver: a program that reads that line may send a signal at once.
  const onListening = (url: string): void => {
    listening?.(url)
    stopped = stopSignal(signals)
    // Without a listener it would end the process.
    signals.on('SIGHUP', reload)
  }
  try {
    const config = readConfig(env)
    output = createProgramLog(config.logLevel, logTo)
    const { log, droppedLogLines } = output
    receiver = await start(config, { log, droppedLogLines, onListening, setBy })
  } catch (error) {
    fail(error)
    return 2
  }
  await stopped
  try {
    await receiver.stop()
    return 0
  } catch (error) {
    fail(error)
    // Does nothing unless something keeps the process running, such as a disk that does not answer.
    setTimeout(() => signals.kill?.(process.pid, 'SIGKILL'), KILL_AFTER_MS).unref()
    return 1
  } finally {
    await output.drain(LOG_DRAIN_MS)
    signals.off('SIGHUP', reload)
  }
}

/** How long a slow reader of the log may delay the end of the program, in milliseconds. */
const LOG_DRAIN_MS = 500

/** How long the process may take to end after a stop that failed, in milliseconds. */
const KILL_AFTER_MS = 1000

/** Resolves on the first SIGTERM or SIGINT. Without a listener, a second signal ends the process at once. */
function stopSignal(signals: Signals): Promise<void> {
  const names = ['SIGTERM', 'SIGINT'] as const
  return new Promise((resolve) => {
    const stop = (): void => {
      for (const name of names) signals.off(name, stop)
      resolve()
    }
    for (const name of names) signals.on(name, stop)
  })
}

const [, program = ''] = process.argv
const isMain = existsSync(program) && realpathSync(program) === fileURLToPath(import.meta.url)
if (isMain) {
  // An unhandled error of standard error would end the process.
  process.stderr.on('error', () => {})
  process.exitCode = await run()
}

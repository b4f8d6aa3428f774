import { existsSync, realpathSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type DestinationStream, type Logger, pino } from 'pino'
import { inOneLine } from '../receiver/errors.ts'
import { createOverload } from '../receiver/overload.ts'
import { createReadiness } from '../receiver/readiness.ts'
import { startRetention } from '../receiver/retention.ts'
import { createVerifier } from '../receiver/verify.ts'
import { createApp } from './app.ts'
import { type Config, readConfig } from './config.ts'
import { createDeliveryLog } from './delivery-log.ts'
import { createHttpServer } from './http-server.ts'
import { addressText, listen } from './listen.ts'
import { logAttempt, logReload } from './log.ts'
import type { MetricsOptions } from './metrics.ts'
import type { RunningMetrics } from './metrics-server.ts'
import { createOutage } from './outage.ts'
import { type ReloadingVerifier, reloadingVerifier } from './secrets.ts'
import { stoppable } from './stopping.ts'
import { openStore } from './store.ts'

/** A receiver that takes deliveries. */
export interface RunningReceiver {
  /** Its base address, without a slash at the end. */
  readonly url: string
  readonly port: number
  /** Where the metrics are served, if they are. */
  readonly metricsUrl: string | undefined
  /**
   * Is not ready from now on; after the time for draining takes no new connection, answers the requests under way,
   * handles what was acknowledged, closes the store.
   */
  stop(): Promise<void>
  /** Reads the secret file at once, if there is one; it is read by itself within a second of a change. */
  reloadSecrets(): void
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
 * @throws ConfigError if the secret file can not be used, InboxError if the store can not, ListenError if the address
 * can not.
 */
export async function start(config: Config, options: StartOptions = {}): Promise<RunningReceiver> {
  const { log = pino({ level: config.logLevel }), clock = Date.now } = options
  const { stopWithinMs = config.stopSeconds * 1000, pollMs = 500 } = options
  const secrets = readVerifier(config, log, clock)
  const { maxAttempts } = config
  const store = await openStore(config.inbox, { clock, retries: { maxAttempts } })
  const { inbox, orders } = store

  const { maxWaiting, maxHeldBytes } = config
  const overload = createOverload({ maxWaiting, maxHeldBytes, maxStoreMs: config.maxStoreSeconds * 1000 })
  const outage = createOutage(() => log.info('the store works again'))
  const readiness = createReadiness({
    inbox,
    onFailure(error) {
      outage.failed()
      log.error({ cause: inOneLine(error) }, 'readiness')
    },
    onSuccess: () => outage.worked(),
  })
  const logDelivery = createDeliveryLog(log)
  const bodyWithinMs = config.bodyTimeoutSeconds * 1000
  const app = createApp({
    verify: secrets.verify,
    inbox,
    limitBytes: config.bodyLimitBytes,
    bodyWithinMs,
    overload,
    readiness,
    ...(config.observe ? { orders } : {}),
    onOutcome(told) {
      logDelivery(told)
      metrics?.delivery(told)
      if (told.outcome !== 'refused') outage.worked()
      else if (told.error.code === 'store_unavailable') outage.failed()
      // Started below, before the first request can come in.
      if (told.outcome === 'stored') processing.wake()
    },
    onFailure: (error) => log.error({ cause: inOneLine(error) }, 'request failed'),
  })
  const server = createHttpServer(app, { bodyWithinMs })
  const connections = stoppable(server)
  let metrics: RunningMetrics | undefined
  try {
    metrics = await openMetrics(config, { inbox, overload, clock }, log)
    metrics?.measure(server)
    await listen(server, config)
  } catch (error) {
    metrics?.stop()
    await inbox.close()
    throw error
  }
  const processing = store.process({
    stopWithinMs,
    pollMs,
    clock,
    onOutcome(told) {
      logAttempt(log, told)
      metrics?.attempt(told)
      if (told.outcome !== 'store_failed') outage.worked()
    },
  })
  const retention = startRetention({
    inbox,
    days: config.retentionDays,
    clock,
    onPurged: (purged) => log.info({ purged }, 'retention'),
    onFailure: (error) => log.error({ cause: inOneLine(error) }, 'retention'),
  })
  secrets.watch()

  const { port } = server.address() as AddressInfo
  const url = addressText(config.host, port)
  announce(log, url)

  async function stopAll(): Promise<void> {
    readiness.drain()
    connections.drain()
    log.info({ seconds: config.drainSeconds }, 'draining')
    if (config.drainSeconds > 0) await pause(config.drainSeconds * 1000)
    secrets.close()
    retention.stop()
    await connections.stop(stopWithinMs)
    await processing.stop()
    // Last but for the store, so that the stop can be watched.
    metrics?.stop()
    await inbox.close()
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

/** Loaded only where it is wanted: it costs time that others need not spend. */
async function openMetrics(
  { metrics: address }: Config,
  options: MetricsOptions,
  log: Logger,
): Promise<RunningMetrics | undefined> {
  if (address === undefined) return undefined
  const { startMetrics } = await import('./metrics-server.ts')
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
    return reloadingVerifier({ ...secrets, verifierFor, onReload: (told) => logReload(log, told) })
  }
  return { verify: verifierFor(secrets), reload() {}, watch() {}, close() {} }
}

/** Programs wait for this line to learn the address, so it comes at every level but silent. */
function announce(log: Logger, url: string): void {
  if (log.level !== 'silent') log.child({}, { level: 'info' }).info({ url }, 'listening')
}

/** What the program uses of its process. */
export interface Host {
  readonly stderr: { write: (text: string) => unknown }
  readonly signals: Signals
  /** Where the log goes; default: standard output, written synchronously. */
  readonly logTo?: DestinationStream
}

interface Signals {
  on: (signal: ProgramSignal, listener: () => void) => unknown
  off: (signal: ProgramSignal, listener: () => void) => unknown
}

type ProgramSignal = 'SIGTERM' | 'SIGINT' | 'SIGHUP'

/**
 * The program: reads the environment, starts, stops on SIGTERM or SIGINT, and reloads the secret file on SIGHUP. What
 * keeps it from starting or stopping is reported in one line on standard error.
 * @returns the exit code, once the receiver has stopped: 0, 1 if it could not stop properly, 2 if it could not start
 */
export async function run(
  env: Readonly<Record<string, string | undefined>> = process.env,
  { stderr, signals, logTo }: Host = { stderr: process.stderr, signals: process },
): Promise<0 | 1 | 2> {
  const fail = (error: unknown) => void stderr.write(`hookproof receiver: ${inOneLine(error)}\n`)
  let receiver: RunningReceiver
  const reload = (): void => receiver.reloadSecrets()
  try {
    const config = readConfig(env)
    receiver = await start(config, {
      ...(logTo && { log: pino({ level: config.logLevel }, logTo) }),
    })
    if ('file' in config.secrets) signals.on('SIGHUP', reload)
  } catch (error) {
    fail(error)
    return 2
  }
  await stopSignal(signals)
  try {
    await receiver.stop()
    return 0
  } catch (error) {
    fail(error)
    return 1
  } finally {
    signals.off('SIGHUP', reload)
  }
}

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
if (isMain) process.exitCode = await run()

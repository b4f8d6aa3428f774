import { randomBytes } from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import express from 'express'
import { isLoopbackName } from '../../../sandbox/http/guard.ts'
import { listen } from '../../../sandbox/http/server.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts'
import { deleteAll, isDamage, isMarked } from '../../../sandbox/store/database.ts'
import { openStore } from '../../../sandbox/store/store.ts'
import { parseChaos } from '../../shared/chaos.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { type Io, pathOf, stopRequest } from '../../shared/io.ts'
import { inProject } from '../../shared/runner.ts'
import { oneLine } from '../../shared/text.ts'
import { bannerText, jsonText } from './sandbox-banner.ts'

/** The options of `hookproof sandbox`. */
export interface SandboxCommandOptions {
  readonly port?: number
  readonly host?: string
  readonly exposed?: true
  readonly dashboardPassword?: string
  readonly file?: string
  readonly memory?: true
  readonly reset?: true
  readonly seed?: string
  readonly route?: readonly string[]
  readonly schedule?: 'fast' | 'realistic'
  readonly ack?: '2xx' | 'strict'
  readonly botProtection?: true
  readonly clock?: string
  readonly chaos?: readonly string[]
  readonly json?: true
}

/** Where `hookproof listen`, `trigger` and `events` expect the sandbox. */
const PORT = 4100
const FILE = './sandbox.sqlite'

/** `hookproof sandbox`: runs the payment service on this machine until it is stopped. */
export async function sandbox(options: SandboxCommandOptions, io: Io): Promise<ExitCode> {
  const { port = PORT, host, seed, route: routes = [], schedule, ack, clock, json } = options
  const at = clock === undefined ? undefined : timeOf(clock)
  const chaos = parseChaos(options.chaos)
  if (seed === '') throw new UsageError('--seed must not be empty: pass some text, or leave it out')
  await requireLoopback(options)
  const password = passwordOf(options, io)
  const file = fileOf(options)
  const path = file === undefined ? undefined : pathOf(io, file)
  const sandboxOptions: SandboxOptions = {
    port,
    routes,
    ...(path && { file: path }),
    ...(host && { host }),
    ...(seed !== undefined && { seed }),
    ...(schedule && { schedule }),
    ...(ack && { ack }),
    ...(options.botProtection && { botProtection: true }),
    ...(chaos && { chaos }),
    ...(password !== undefined && { dashboardPassword: password }),
    onNotice: (text) => io.stderr.write(`hookproof sandbox: ${text}\n`),
    onFailure: (error) => io.stderr.write(`hookproof sandbox: ${messageOf(error)}\n`),
  }
  const stopping = AbortSignal.any([stopRequest(io), io.outputFailed])
  const running = await orUsageError(async () => {
    if (options.reset && path !== undefined) {
      // Before deleting, so that a taken port does not cost the file.
      const trial = await listen(express(), { host: host ?? '127.0.0.1', port })
      await trial.close()
      await deleteFile(path)
    }
    return createSandbox(sandboxOptions)
  })
  try {
    if (at !== undefined) await orUsageError(async () => moveClock(running, at))
    const settings = {
      file,
      routes,
      seed,
      password,
      botProtection: options.botProtection === true,
    }
    io.stdout.write(json ? jsonText(running, settings) : inProject(bannerText(running, settings), io))
    if (!stopping.aborted) await once(stopping, 'abort')
  } finally {
    await running.close()
  }
  if (!json) io.stdout.write(file === undefined ? 'Stopped.\n' : `Stopped. All data is stored in ${file}.\n`)
  return EXIT.ok
}

function fileOf({ file, memory, reset }: SandboxCommandOptions): string | undefined {
  if (file === '') throw new UsageError('--file must not be empty: pass a path, or leave it out')
  if (!memory && file !== ':memory:') return file ?? FILE
  if (file !== undefined && file !== ':memory:')
    throw new UsageError('--memory and --file cannot be combined: leave one out')
  if (reset) throw new UsageError('--memory stores nothing that --reset could delete: leave one out')
  return undefined
}

async function requireLoopback({ host, exposed }: SandboxCommandOptions): Promise<void> {
  if (host === undefined || isLoopback(host) || exposed) return
  await lookup(host).catch(() => {
    throw new UsageError(`--host ${oneLine(host)}: no such address; use an address of this machine`)
  })
  throw new UsageError(
    `--host ${oneLine(host)} is reachable from other machines, which can then use the API and the checkout: leave it out, or add --exposed to allow that`,
  )
}

const isLoopback = (host: string | undefined): boolean =>
  host === undefined || isLoopbackName(host.toLowerCase())

/** The password for other machines; a random one if they can reach the sandbox. */
function passwordOf({ host, dashboardPassword }: SandboxCommandOptions, { env }: Io): string | undefined {
  const given = dashboardPassword ?? env['HOOKPROOF_DASHBOARD_PASSWORD']
  if (given !== undefined || isLoopback(host)) return given
  return randomBytes(15).toString('base64url')
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

function timeOf(text: string): number {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(`--clock ${oneLine(text)} is not a time: use one like 2030-01-31T12:00:00Z`)
}

function moveClock(running: Sandbox, time: number): void {
  const now = running.now()
  if (time < now) {
    throw new UsageError(
      `--clock ${new Date(time).toISOString()}: the sandbox clock is at ${new Date(now).toISOString()} and never goes back; use a later time, or start with --reset`,
    )
  }
  running.advance(time - now)
}

/**
 * Deletes the file of a sandbox, even a damaged one whose header still says that it is one: for `--reset`.
 * @throws StoreError when the file is not a sandbox's or is in use; then nothing was changed
 */
export async function deleteFile(path: string): Promise<void> {
  try {
    const store = await openStore(path)
    store.close()
  } catch (error) {
    if (!isDamage(error) || !(await isMarked(path))) throw error
  }
  await deleteAll(path)
}

/** Turns the sandbox's own errors, which say how to fix them, into usage errors. */
async function orUsageError<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const { code, names = [] } = error as { code?: unknown; names?: readonly string[] }
    const known = ['SandboxError', 'StoreError', 'RouteError', 'ChaosError'].includes((error as Error).name)
    if (!known || typeof code !== 'string') throw error
    throw new UsageError(messageOf(error).replace(/\.$/, ''), { names, cause: error })
  }
}

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')

import { lookup } from 'node:dns/promises'
import express from 'express'
import { listen } from '../../../sandbox/http/listen.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../sandbox/index.ts'
import { chaosOf } from '../../shared/chaos.ts'
import { EXIT, type ExitCode, UsageError } from '../../shared/exit.ts'
import { oneLine } from '../../shared/options.ts'
import { outputFailed } from '../../shared/output.ts'
import { forget } from './file.ts'
import { asJson, shown } from './sandbox-banner.ts'

/** The options of `hookproof sandbox`. */
export interface SandboxCommandOptions {
  readonly port?: number
  readonly host?: string
  readonly exposed?: true
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

/** Where `hookproof listen`, `trigger` and `events` look for it. */
const PORT = 4100
const FILE = './sandbox.sqlite'

/** `hookproof sandbox`: the payment service on this machine, until it is told to stop. */
export async function sandbox(options: SandboxCommandOptions): Promise<ExitCode> {
  const { port = PORT, host, seed, route: routes = [], schedule, ack, clock, json } = options
  const at = clock === undefined ? undefined : timeOf(clock)
  const chaos = chaosOf(options.chaos)
  if (seed === '') throw new UsageError('the seed is empty: give --seed some text, or leave it out')
  await requireLoopback(options)
  const file = fileOf(options)
  const chosen: SandboxOptions = {
    port,
    routes,
    ...(file && { file }),
    ...(host && { host }),
    ...(seed !== undefined && { seed }),
    ...(schedule && { schedule }),
    ...(ack && { ack }),
    ...(options.botProtection && { botProtection: true }),
    ...(chaos && { chaos }),
    onFailure: (error) => process.stderr.write(`hookproof sandbox: ${lineOf(error)}\n`),
  }
  const told = untilTold()
  const running = await started(async () => {
    if (options.reset && file !== undefined) {
      // First, so that a port that is taken does not cost the file.
      const trial = await listen(express(), { host: host ?? '127.0.0.1', port })
      await trial.close()
      await forget(file)
    }
    return createSandbox(chosen)
  })
  try {
    if (at !== undefined) await moveClock(running, at)
    const { offset_ms: aheadMs } = await clockOf(running)
    const kept = {
      file,
      routes,
      seed,
      chaos,
      aheadMs,
      schedule: schedule ?? 'fast',
      ack: ack ?? '2xx',
      botProtection: options.botProtection === true,
    }
    process.stdout.write(json ? asJson(running, kept) : shown(running, kept))
    await told
  } finally {
    await running.close()
  }
  if (!json) process.stdout.write(file === undefined ? 'Stopped.\n' : `Stopped; ${file} keeps everything.\n`)
  return EXIT.ok
}

function fileOf({ file, memory, reset }: SandboxCommandOptions): string | undefined {
  if (!memory) return file ?? FILE
  if (file !== undefined) throw new UsageError('--memory and --file are both given: leave one out')
  if (reset) throw new UsageError('--memory keeps nothing that --reset could forget: leave one out')
  return undefined
}

async function requireLoopback({ host, exposed }: SandboxCommandOptions): Promise<void> {
  if (host === undefined || /^(localhost|127(\.\d+){3}|::1)$/i.test(host) || exposed) return
  await lookup(host).catch(() => {
    throw new UsageError(`--host ${oneLine(host)}: there is no such address; give one of this machine`)
  })
  throw new UsageError(
    `--host ${oneLine(host)} lets others in, and the sandbox has no passwords: leave it out, or add --exposed if that is what you want`,
  )
}

const ISO = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

function timeOf(text: string): number {
  const time = ISO.test(text) ? Date.parse(text) : Number.NaN
  if (!Number.isNaN(time)) return time
  throw new UsageError(`--clock ${oneLine(text)} is no time: give one such as 2030-01-31T12:00:00Z`)
}

async function moveClock(running: Sandbox, time: number): Promise<void> {
  const { now } = await clockOf(running)
  const ahead = time - Date.parse(now)
  if (ahead < 0) {
    throw new UsageError(
      `--clock ${new Date(time).toISOString()}: the sandbox's clock is at ${now} and never goes back; give a later time, or start with --reset`,
    )
  }
  await started(async () => running.advance(ahead))
}

async function clockOf({ url }: Sandbox): Promise<{ now: string; offset_ms: number }> {
  return (await (await fetch(`${url}/sandbox/clock`)).json()) as { now: string; offset_ms: number }
}

/** Whatever keeps a sandbox from starting says so in a line of its own. */
async function started<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start()
  } catch (error) {
    const { code } = error as { code?: unknown }
    const known = ['SandboxError', 'StoreError', 'RouteError', 'ChaosError'].includes((error as Error).name)
    if (!known || typeof code !== 'string') throw error
    throw new UsageError(lineOf(error).replace(/\.$/, ''), { cause: error })
  }
}

/** Once for each signal: a second Ctrl-C ends it at once. */
function untilTold(): Promise<void> {
  return new Promise((resolve) => {
    outputFailed.addEventListener('abort', () => resolve(), { once: true })
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}

const lineOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ')

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Finished } from './temporary.ts'
import { until } from './until.ts'

const SERVER = fileURLToPath(new URL('../../dist/server/server.js', import.meta.url))

/** The reference receiver in a separate process. */
export interface Program {
  readonly child: ChildProcess
  /** The lines of its log, parsed. */
  readonly lines: readonly Record<string, unknown>[]
  readonly stderr: () => string
}

export interface LaunchOptions {
  finished?: Finished
  headTimeoutMs?: number
  /** The limit of open files. */
  openFiles?: number
}

/**
 * Starts the built receiver in a separate process, with only this environment, on a free port unless PORT is set.
 * @param options `finished` registers the cleanup: concurrent tests pass their own `onTestFinished`. With
 * `headTimeoutMs` the receiver is started through its function `start`, with that option.
 */
export function launch(
  env: Readonly<Record<string, string>>,
  { finished = onTestFinished, headTimeoutMs, openFiles }: LaunchOptions = {},
): Program {
  if (!existsSync(SERVER)) throw new Error('dist/server/server.js is missing: run `npm run build` first')
  const args = headTimeoutMs === undefined ? [SERVER] : startWith({ headTimeoutMs })
  const limited = ['-c', `ulimit -n ${openFiles}; exec "$0" "$@"`, process.execPath, ...args]
  const [command, commandArgs] = openFiles === undefined ? [process.execPath, args] : ['sh', limited]
  const child = spawn(command, commandArgs, {
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  finished(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk)
  })
  const lines: Record<string, unknown>[] = []
  createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)))
  return { child, lines, stderr: () => stderr }
}

function startWith(options: { headTimeoutMs: number }): string[] {
  const [server, config] = [SERVER, SERVER.replace(/server\.js$/, 'config.js')].map(
    (path) => pathToFileURL(path).href,
  )
  const code = `
    import { start } from '${server}'
    import { readConfig } from '${config}'
    await start(readConfig(process.env), ${JSON.stringify(options)})`
  return ['--input-type=module', '--eval', code]
}

/** Waits until the program listens. @returns its base URL @throws Error with its standard error if it ends first */
export async function addressOf(program: Program): Promise<string> {
  const find = () => program.lines.find((line) => line['msg'] === 'listening')
  await until(() => find() !== undefined || program.child.exitCode !== null)
  const line = find()
  if (line === undefined) throw new Error(`the receiver exited: ${program.stderr()}`)
  return String(line['url'])
}

/** Waits until a process ends and its output is complete. @returns its exit code, or the signal that ended it */
export async function exitOf(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
  return child.signalCode ?? child.exitCode
}

/** Posts a delivery. @returns the status and the header `connection`, or the code of the error */
export function post(
  url: string,
  { body, header }: { body: Buffer; header: string },
  agent = new Agent(),
): Promise<{ status: number; connection: string | undefined } | { error: string }> {
  return new Promise((resolve) => {
    const headers = { 'X-Service-Signature': header }
    const sending = httpRequest(`${url}/webhooks`, { method: 'POST', agent, headers })
    sending.on('response', (response) => {
      const { statusCode: status = 0 } = response
      response.resume().on('end', () => resolve({ status, connection: response.headers.connection }))
    })
    sending.on('error', (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message }))
    sending.end(body)
  })
}

export const nowInSeconds = (): number => Math.floor(Date.now() / 1000)

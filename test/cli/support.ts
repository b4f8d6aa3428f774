import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { start } from '../../server/server.ts'

/** The command as users run it. */
const MAIN = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
export const SECRET = 'whsec_for_the_tests_of_the_command'

/** What a finished command left. */
export interface Result {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** Added to an environment that has PATH, HOME and a signing secret. `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string | Buffer
  readonly cwd?: string
}

/** A command under way. */
export interface Running {
  readonly child: ChildProcess
  readonly stdout: () => string
  readonly stderr: () => string
  readonly done: Promise<Result>
}

/** Starts the built command. It is killed when the test ends, should it still run. */
export function launch(args: readonly string[], { env, input, cwd }: RunOptions = {}): Running {
  const child = spawn(process.execPath, [built(), ...args], { cwd, env: environment(env) })
  onTestFinished(() => void child.kill('SIGKILL'))
  // A command that is over before it has read its input is no failure of the test.
  child.stdin.on('error', () => undefined).end(input)
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (piece: Buffer) => stdout.push(piece))
  child.stderr.on('data', (piece: Buffer) => stderr.push(piece))
  const text = (pieces: Buffer[]) => Buffer.concat(pieces).toString()
  const done = once(child, 'close').then(([code, signal]) => ({
    code,
    signal,
    stdout: text(stdout),
    stderr: text(stderr),
  }))
  return { child, stdout: () => text(stdout), stderr: () => text(stderr), done }
}

/** Runs the built command to its end. */
export function hookproof(args: readonly string[], options?: RunOptions): Promise<Result> {
  return launch(args, options).done
}

/** The path of the built command. @throws when it is not there, with what to do about it. */
export function built(): string {
  if (!existsSync(MAIN)) throw new Error('dist/cli/main.js is missing: run `npm run build` first')
  return MAIN
}

/** The environment that commands get: nothing of the tester's own can change what they do. */
export function environment(added: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, HOOKPROOF_SECRET: SECRET, ...added }
}

/** A folder of this test's own. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hookproof-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A request as a recorder saw it. */
interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that keeps what it gets, and answers in the way that is asked for: 200 to everything by default. */
export interface Recorder {
  /** Its base address, without a slash at the end. */
  readonly url: string
  readonly seen: readonly Seen[]
}

type Answer = (seen: Seen, response: ServerResponse) => void

export async function recorder(
  answer: Answer = (_, response) => response.end(),
  server: Server = createServer(),
): Promise<Recorder> {
  const seen: Seen[] = []
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(one)
      answer(one, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** The reference receiver in this process, with effects to be observed. */
export async function referenceReceiver(): Promise<{ webhooks: string; observe: string }> {
  const config = readConfig({
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
    INBOX: 'memory',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  })
  const receiver = await start(config)
  onTestFinished(() => receiver.stop())
  return { webhooks: `${receiver.url}/webhooks`, observe: `${receiver.url}/observe` }
}

/** A port at which nothing listens. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Whether something listens at a port of this machine. */
export async function listensAt(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

/** Waits until a condition holds; the test's own time-out is the bound. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** Whether a program can be run here. Where CI lacks one, that is an error: the test would prove nothing. */
export function available(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' })
    return true
  } catch {
    if (process.env['CI'] === 'true') throw new Error(`${program} is missing, and CI must have it`)
    process.stderr.write(`${program} is missing: what needs it was not tested\n`)
    return false
  }
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { main } from '../../cli/program.ts'
import type { Io, StopSignal } from '../../cli/shared/io.ts'
import { readConfig } from '../../server/config.ts'
import { start as startReceiver } from '../../server/server.ts'
import type { Finished } from '../support/temporary.ts'

export { freePort, listensOn } from '../support/free-port.ts'
export { temporaryFolder } from '../support/temporary.ts'
export { until } from '../support/until.ts'

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
  /** Added to an environment that has PATH, HOME and a signing secret. `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string | Buffer
  readonly cwd?: string
}

/** A command that runs, in this process or in its own. */
export interface Running {
  readonly stdout: () => string
  readonly stderr: () => string
  readonly done: Promise<Result>
  readonly hasEnded: () => boolean
  readonly kill: (signal: StopSignal) => void
}

/** A command that runs in its own process. */
export interface Launched extends Running {
  readonly child: ChildProcess
}

/** A stream that keeps what is written to it. */
class Captured extends Writable {
  readonly #pieces: Buffer[] = []

  override _write(piece: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#pieces.push(piece)
    done()
  }

  readonly text = (): string => Buffer.concat(this.#pieces).toString()
}

/** The io of a command in this process, with what it has written so far. */
export function testIo({ env, input, cwd = process.cwd() }: RunOptions = {}): {
  io: Io & { readonly signals: EventEmitter }
  stdout: () => string
  stderr: () => string
} {
  const [stdout, stderr] = [new Captured(), new Captured()]
  const never = new AbortController().signal
  const io = {
    env: environment(env),
    cwd,
    stdin: Readable.from(input === undefined ? [] : [Buffer.from(input)]),
    stdout,
    stderr,
    signals: new EventEmitter(),
    outputFailed: never,
    readerGone: never,
  }
  return { io, stdout: stdout.text, stderr: stderr.text }
}

/** Starts a command in this process. It gets SIGTERM when the test ends, should it still run. */
export function start(
  args: readonly string[],
  options: RunOptions = {},
  finished: Finished = onTestFinished,
): Running {
  const { io, stdout, stderr } = testIo(options)
  let ended = false
  const done = main(args, io).then((end): Result => {
    ended = true
    const [code, signal] = typeof end === 'string' ? [null, end] : [end, null]
    return { code, signal, stdout: stdout(), stderr: stderr() }
  })
  const kill = (signal: StopSignal): void => void io.signals.emit(signal, signal)
  finished(async () => {
    if (ended) return
    kill('SIGTERM')
    await done
  })
  return { stdout, stderr, done, hasEnded: () => ended, kill }
}

/** Runs a command in this process to its end. */
export async function hookproof(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { io, stdout, stderr } = testIo(options)
  const end = await main(args, io)
  const [code, signal] = typeof end === 'string' ? [null, end] : [end, null]
  return { code, signal, stdout: stdout(), stderr: stderr() }
}

/** Starts the built command in its own process. It is killed when the test ends, should it still run. */
export function launch(
  args: readonly string[],
  { env, input, cwd }: RunOptions = {},
  finished: Finished = onTestFinished,
): Launched {
  const child = spawn(process.execPath, [built(), ...args], { cwd, env: environment(env) })
  finished(() => void child.kill('SIGKILL'))
  // A command may end before it has read its input.
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
  return {
    child,
    stdout: () => text(stdout),
    stderr: () => text(stderr),
    done,
    hasEnded: () => child.exitCode !== null,
    kill: (signal) => void child.kill(signal),
  }
}

/** Runs the built command in its own process to its end: for tests of the process itself. */
export function runBuilt(
  args: readonly string[],
  options?: RunOptions,
  finished?: Finished,
): Promise<Result> {
  return launch(args, options, finished).done
}

/** The path of the built command. @throws when it is missing, with how to build it */
export function built(): string {
  if (!existsSync(MAIN)) throw new Error('dist/cli/main.js is missing: run `npm run build` first')
  return MAIN
}

/** The environment of commands: nothing of the tester's own can change what they do. */
export function environment(added: RunOptions['env'] = {}): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return { PATH, HOME, HOOKPROOF_SECRET: SECRET, ...added }
}

/** A request as a recorder received it. */
interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A server that keeps the requests it receives, and by default answers 200. */
export interface Recorder {
  /** Its base address, without a trailing slash. */
  readonly url: string
  readonly seen: readonly RecordedRequest[]
}

type Answer = (request: RecordedRequest, response: ServerResponse) => void

export async function recorder(
  answer: Answer = (_, response) => response.end(),
  server: Server = createServer(),
  finished: Finished = onTestFinished,
): Promise<Recorder> {
  const seen: RecordedRequest[] = []
  server.on('request', (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('error', () => undefined)
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const recorded = { method, url, headers, body: Buffer.concat(chunks).toString() }
      seen.push(recorded)
      answer(recorded, response)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  finished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

/** The reference receiver in this process, with observable effects. */
export async function referenceReceiver(
  finished: Finished = onTestFinished,
): Promise<{ webhooks: string; observe: string }> {
  const config = readConfig({
    WEBHOOK_SECRET: SECRET,
    PORT: '0',
    INBOX: 'memory',
    OBSERVE: '1',
    LOG_LEVEL: 'silent',
  })
  const receiver = await startReceiver(config)
  finished(() => receiver.stop())
  return { webhooks: `${receiver.url}/webhooks`, observe: `${receiver.url}/observe` }
}

export function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

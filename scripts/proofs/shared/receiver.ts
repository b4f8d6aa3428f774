import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export const SECRET = 'whsec_b1cE7RkqZ0uYw5mXo2TfHs'

export interface Launch {
  /** The folder of the built receiver. */
  readonly dist: string
  /** INBOX and whatever else is not the default. */
  readonly env: Readonly<Record<string, string>>
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Loads inside.mjs into it, for its clock and its heap. */
  readonly inside?: boolean
  /** Flags of node. */
  readonly flags?: readonly string[]
}

/** What `inside.mjs` tells: the receiver's clock in milliseconds, and its heap in bytes. */
interface Told {
  readonly now: number
  readonly heap: number
}

/** A receiver in a process of its own, as an operator would start it. */
export interface Receiver {
  readonly child: ChildProcess
  /** Resolves to the port, or to undefined if the process ended before it listened. */
  readonly listening: Promise<number | undefined>
  /** Resolves when the process has ended: to its exit code, or null after a signal. */
  readonly ended: Promise<number | null>
  stderr(): string
  /** Of the process, in MiB. */
  residentMiB(): number
  /** Sends a word to inside.mjs and waits for its answer. */
  tell(word: { offset?: number; memory?: true }): Promise<Told>
  kill(): Promise<void>
  /** As an operator would, by SIGTERM; resolves to the exit code. */
  stop(): Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Ends what a proof that failed half-way has left running. */
export function endAll(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', endAll)

export function launch({ dist, env, port = 0, inside = false, flags = [] }: Launch): Receiver {
  const hook = inside ? ['--import', fileURLToPath(new URL('inside.mjs', import.meta.url))] : []
  const child = spawn(process.execPath, [...flags, ...hook, `${dist}/server/server.js`], {
    env: {
      PATH: process.env['PATH'],
      WEBHOOK_SECRET: SECRET,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      OBSERVE: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const ended = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  const kill = async (signal: NodeJS.Signals): Promise<number | null> => {
    child.kill(signal)
    return ended
  }
  return {
    child,
    listening: Promise.race([portOf(child), ended.then(() => undefined)]),
    ended,
    stderr: () => stderr,
    residentMiB: () => residentMiB(child),
    async tell(word) {
      const answer = once(child, 'message')
      child.send(word)
      const [told] = await answer
      return told as Told
    },
    kill: async () => void (await kill('SIGKILL')),
    stop: () => kill('SIGTERM'),
  }
}

/** Starts a receiver that has no reason not to start. @throws Error with what it says instead. */
export async function start(options: Launch): Promise<Receiver & { readonly port: number }> {
  const receiver = launch(options)
  const port = await receiver.listening
  if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
  return { ...receiver, port }
}

function portOf({ stdout }: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    if (stdout === null) return
    createInterface({ input: stdout }).on('line', (line) => {
      const url = /"url":"([^"]+)"/.exec(line)?.[1]
      if (url !== undefined) resolve(Number(new URL(url).port))
    })
  })
}

/** From Linux's own account. */
function residentMiB({ pid }: ChildProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024
}

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { processInfo } from '../../shared/process-info.ts'
import { startProgram } from '../../shared/program.ts'

export const SECRET = 'whsec_b1cE7RkqZ0uYw5mXo2TfHs'

export interface ReceiverOptions {
  /** The folder of the built receiver. */
  readonly dist: string
  /** INBOX, and every other setting that differs from the default. */
  readonly env: Readonly<Record<string, string>>
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Loads receiver-hook.mjs, for control over the clock and a reading of the heap. */
  readonly hook?: boolean
  /** Flags of Node.js. */
  readonly flags?: readonly string[]
  /** The program and its arguments; the built receiver by default. */
  readonly program?: readonly string[]
  /** A command that runs the program, which stays the child of this process. */
  readonly under?: readonly string[]
}

/** What receiver-hook.mjs replies: the receiver's clock in milliseconds, and its heap in bytes. */
interface HookReply {
  readonly now: number
  readonly heap: number
}

/** A receiver in a separate process, started as an operator would start it. */
export type Receiver = ReturnType<typeof launch>

/** Launches a receiver without waiting for it: it may be killed while it starts, or refuse to start. */
export function launch({
  dist,
  env,
  port = 0,
  hook = false,
  flags = [],
  program = [`${dist}/server/server.js`],
  under = [],
}: ReceiverOptions) {
  const imports = hook ? ['--import', fileURLToPath(new URL('receiver-hook.mjs', import.meta.url))] : []
  const [command, ...args] = [...under, process.execPath, ...flags, ...imports, ...program] as const
  const started = startProgram(command ?? '', args, {
    env: {
      PATH: process.env['PATH'],
      WEBHOOK_SECRET: SECRET,
      PORT: String(port),
      LOG_LEVEL: 'fatal',
      OBSERVE: '1',
      ...env,
    },
    ipc: true,
    addressIn: (line) => /"url":"([^"]+)"/.exec(line)?.[1],
  })
  const { child, listening, end } = started
  return {
    ...started,
    /** Resolves to the port, or to undefined if the process exits before it listens. */
    listening: listening.then((url) => (url === undefined ? undefined : Number(new URL(url).port))),
    /** Undefined if the process could not be started. */
    pid: child.pid,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    /** The resident memory of the process, in MiB. */
    residentMiB: () => processInfo(child.pid).residentMiB,
    /** Sends a request to receiver-hook.mjs and waits for its reply. @param request the clock's offset in milliseconds */
    async callHook(request: { offset?: number; collectGarbage?: true }) {
      const reply = once(child, 'message')
      child.send(request)
      const [received] = await reply
      return received as HookReply
    },
    kill: async () => void (await end('SIGKILL')),
    /** Stops the receiver with SIGTERM, as an operator would; resolves to the exit code. */
    stop: () => end('SIGTERM'),
  }
}

/** Starts a receiver that is expected to start. @throws Error with its standard error if it does not */
export async function start(options: ReceiverOptions): Promise<Receiver & { readonly port: number }> {
  const receiver = launch(options)
  const port = await receiver.listening
  if (port === undefined) throw new Error(`the receiver did not start: ${receiver.stderr().trim()}`)
  return { ...receiver, port }
}

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

export interface ProgramOptions {
  /** The whole environment; that of this process by default. */
  readonly env?: NodeJS.ProcessEnv
  /** The working directory; that of this process by default. */
  readonly cwd?: string
  /** Reads the address from a line of standard output; returns undefined for every other line. */
  readonly addressIn: (line: string) => string | undefined
  /** Opens a message channel to the program, which must be Node.js. */
  readonly ipc?: boolean
}

/** A server in a separate process. */
export interface Program {
  readonly child: ChildProcess
  /** Resolves to the address that the program prints, or to undefined if it exits before. */
  readonly listening: Promise<string | undefined>
  /** Resolves to the exit code, or to null after a signal. */
  readonly exited: Promise<number | null>
  readonly stderr: () => string
  /** Sends a signal and waits until the program has exited; resolves like `exited`. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

const running = new Set<ChildProcess>()

/** Kills every program that is still running, after a script that failed halfway. */
export function killAllPrograms(): void {
  for (const child of running) child.kill('SIGKILL')
}
process.once('exit', killAllPrograms)

export function startProgram(
  command: string,
  args: readonly string[],
  { env = process.env, cwd = process.cwd(), addressIn, ipc = false }: ProgramOptions,
): Program {
  const child = spawn(command, args, {
    env,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', ...(ipc ? (['ipc'] as const) : [])],
  })
  running.add(child)
  let stderr = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString()
  })
  const exited = once(child, 'close').then(([code]) => {
    running.delete(child)
    return code as number | null
  })
  return {
    child,
    listening: Promise.race([addressOf(child, addressIn), exited.then(() => undefined)]),
    exited,
    stderr: () => stderr,
    end(signal) {
      child.kill(signal)
      return exited
    },
  }
}

function addressOf({ stdout }: ChildProcess, addressIn: ProgramOptions['addressIn']): Promise<string> {
  return new Promise((resolve) => {
    if (stdout === null) return
    createInterface({ input: stdout }).on('line', (line) => {
      const address = addressIn(line)
      if (address !== undefined) resolve(address)
    })
  })
}

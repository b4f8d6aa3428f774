import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const START_TIMEOUT_MS = 30_000

/** A receiver that accepts connections. */
export interface Receiver {
  /** Kills it and the processes that it started. */
  readonly kill: () => Promise<void>
}

/** Runs a shell command. @returns undefined if it succeeds, and otherwise the end of its output */
export function failureOf(
  command: string,
  folder: string,
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const { status, stdout, stderr } = spawnSync(command, { cwd: folder, env, shell: true, encoding: 'utf8' })
  return status === 0 ? undefined : lastLines(`${stdout}${stderr}`) || `exit code ${status}`
}

/**
 * Starts a receiver in a shell and waits until it listens.
 * @throws Error with the end of its output if it ends before, or does not listen within 30 seconds
 */
export async function start(
  command: string,
  folder: string,
  { env, port }: { env: NodeJS.ProcessEnv; port: number },
): Promise<Receiver> {
  // In a process group of its own, because a shell, npm or a server may start more processes.
  const child = spawn(command, {
    cwd: folder,
    env,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit')
  let output = ''
  const keep = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-4096)
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const killNow = () => killTree(child)
  process.once('exit', killNow)
  const kill = async () => {
    process.off('exit', killNow)
    killNow()
    if (hasNotExited(child)) await exited
    // The shell may end before the processes that it started.
    while (await listensOn(port)) await pause(10)
  }
  const deadline = performance.now() + START_TIMEOUT_MS
  while (!(await listensOn(port))) {
    if (hasNotExited(child) && performance.now() < deadline) await pause(50)
    else {
      await kill()
      throw new Error(`"${command}" does not listen on PORT: ${lastLines(output)}`)
    }
  }
  return { kill }
}

const hasNotExited = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null

/** Kills a process and its descendants, some of which may have left its process group, as php-fpm does. */
function killTree({ pid }: ChildProcess): void {
  const { stdout } = spawnSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
  const tree = new Set([pid])
  // A descendant can be listed before its parent, so visit each one that is found.
  for (const parent of tree) {
    for (const [id, parentId] of processes) if (parentId === parent) tree.add(id)
  }
  for (const id of tree) {
    try {
      if (id !== undefined) process.kill(id, 'SIGKILL')
    } catch {
      // It has ended.
    }
  }
}

function listensOn(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (listens: boolean) => {
      socket.destroy()
      resolve(listens)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
  })
}

const lastLines = (output: string): string => output.trim().split('\n').slice(-5).join('\n')

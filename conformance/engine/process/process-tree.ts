import { type ChildProcess, spawn } from 'node:child_process'

/** What stopping a process and its children needs of the operating system; tests pass their own. */
export interface Platform {
  readonly name: NodeJS.Platform
  /** Sends a signal to a process, or to a process group when the id is negative. */
  readonly kill: (id: number, signal: NodeJS.Signals) => void
  /** Runs a program and ignores its output. */
  readonly run: (program: string, args: readonly string[]) => void
}

const THIS: Platform = {
  name: process.platform,
  kill: (id, signal) => void process.kill(id, signal),
  run: (program, args) => {
    spawn(program, args, { stdio: 'ignore', windowsHide: true }).on('error', () => undefined)
  },
}

/** Options of `spawn` for a process that is to be stopped with all its children. */
export function treeOptions({ name }: Pick<Platform, 'name'> = THIS): {
  detached: boolean
  windowsHide: boolean
} {
  // A group of its own. On Windows that would open a window, and taskkill finds the children without it.
  return { detached: name !== 'win32', windowsHide: true }
}

/** Returns how to ask a process and all its children to end, and how to kill them. */
export function treeOf(
  { pid }: Pick<ChildProcess, 'pid'>,
  { name, kill, run }: Platform = THIS,
): { ask: () => void; kill: () => void } {
  if (pid === undefined) return { ask: () => undefined, kill: () => undefined }
  if (name === 'win32') {
    // A program without a window cannot be asked there.
    const end = (): void => run('taskkill', ['/pid', String(pid), '/t', '/f'])
    return { ask: end, kill: end }
  }
  const signal = (which: NodeJS.Signals) => (): void => {
    try {
      kill(-pid, which)
    } catch {
      // The process group has ended already.
    }
  }
  return { ask: signal('SIGTERM'), kill: signal('SIGKILL') }
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'

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

/** A process as the operating system lists it. */
export interface Listed {
  readonly pid: number
  readonly parent: number
  readonly group: number
  /** On Linux one letter, such as `Z` for a zombie. */
  readonly state?: string
}

/**
 * The process groups that descendants of a process have made for themselves, as php-fpm and other daemons do: a signal to
 * the group of the process does not reach them.
 */
export function groupsBelow(pid: number, all: readonly Listed[] = listProcesses()): number[] {
  const family = new Set([pid])
  // A descendant can be listed before its parent, so visit each one that is found.
  for (const parent of family) for (const one of all) if (one.parent === parent) family.add(one.pid)
  const groups = all.filter((one) => family.has(one.pid)).map(({ group }) => group)
  return [...new Set(groups)].filter((group) => group !== pid && family.has(group))
}

/** Lists all processes; none on Windows, which has no process groups. */
export function listProcesses(platform: NodeJS.Platform = process.platform): Listed[] {
  if (platform === 'win32') return []
  return platform === 'linux' ? fromProc() : fromPs()
}

// Minimal containers have no ps.
function fromProc(): Listed[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => {
      try {
        return [parseStat(readFileSync(`/proc/${id}/stat`, 'utf8'))]
      } catch {
        // It has ended.
        return []
      }
    })
}

/** Reads the text of `/proc/<pid>/stat`. */
export function parseStat(text: string): Listed {
  // After the name, which may contain anything.
  const [state = 'X', parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { pid: Number.parseInt(text, 10), parent: Number(parent), group: Number(group), state }
}

function fromPs(): Listed[] {
  // Each with an -o of its own: BSD reads everything after an equals sign as a heading.
  const columns = ['-o', 'pid=', '-o', 'ppid=', '-o', 'pgid=']
  const { stdout } = spawnSync('ps', ['-A', ...columns], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [pid = 0, parent = 0, group = 0] = line.trim().split(/\s+/).map(Number)
    return pid > 0 ? [{ pid, parent, group }] : []
  })
}

/** Whether a process of these groups still runs. A zombie does not, even if nobody ever waits for it. */
export function anyLives(groups: readonly number[]): boolean {
  if (process.platform === 'win32') return false
  const signaled = new Set(groups.filter(takesSignals))
  if (signaled.size === 0 || process.platform !== 'linux') return signaled.size > 0
  return listProcesses().some(({ group, state = '' }) => signaled.has(group) && !'ZX'.includes(state))
}

function takesSignals(group: number): boolean {
  try {
    process.kill(-group, 0)
    return true
  } catch {
    return false
  }
}

/** A shell reports a process that a signal ended by this much plus the number of the signal. */
const SIGNALED = 128

/**
 * How a process ended: `exit status 1`, `SIGSEGV`, or `exit status 137 (SIGKILL)` where a shell ran it.
 *
 * @param exitCode its status; null if a signal ended it
 */
export function howEnded(exitCode: number | null, signal: NodeJS.Signals | null): string {
  if (signal !== null) return signal
  const [name] = Object.entries(constants.signals).find(([, number]) => number + SIGNALED === exitCode) ?? []
  return `exit status ${exitCode}${name === undefined ? '' : ` (${name})`}`
}

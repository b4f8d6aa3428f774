import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process as the operating system lists it. */
export interface Listed {
  readonly pid: number
  readonly parent: number
  readonly group: number
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
      const found = statOf(id)
      return found === undefined ? [] : [{ pid: Number(id), ...found }]
    })
}

function statOf(id: string): Stat | undefined {
  try {
    return parseStat(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    // It has ended.
    return undefined
  }
}

interface Stat {
  /** One letter, such as `Z` for a zombie. */
  readonly state: string
  readonly parent: number
  readonly group: number
}

/** Reads the text of `/proc/<pid>/stat`. */
export function parseStat(text: string): Stat {
  // After the name, which may contain anything.
  const [state = 'X', parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { state, parent: Number(parent), group: Number(group) }
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

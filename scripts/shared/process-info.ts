import { readFileSync } from 'node:fs'

/** What Linux reports for a process. All values are NaN if it has ended. */
export interface ProcessInfo {
  /** The CPU time in user and kernel mode, in seconds. Linux counts it in ticks of 10 ms. */
  readonly cpuSeconds: number
  /** The resident memory, in MiB. */
  readonly residentMiB: number
}

export function processInfo(pid: number | undefined): ProcessInfo {
  const stat = readIfThere(`/proc/${pid}/stat`)
  // The name of the program, in parentheses, may contain spaces.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [userTicks = Number.NaN, systemTicks = Number.NaN] = fields.slice(11, 13)
  const resident = /VmRSS:\s+(\d+) kB/.exec(readIfThere(`/proc/${pid}/status`))?.[1]
  return { cpuSeconds: (userTicks + systemTicks) / 100, residentMiB: Number(resident) / 1024 }
}

/** The text of a file of /proc; empty if it does not exist. */
export function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

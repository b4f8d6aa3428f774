import { readFileSync } from 'node:fs'

const HEARTBEAT_MS = 20
/** The unit of /proc/stat, in milliseconds. */
const TICK_MS = 10

/**
 * Watches whether the machine holds up the measurement: because this process, which sends the valid deliveries, did not
 * get the CPU, because the hypervisor took the CPU away, or because the disk did not answer.
 * @returns ends the watch; the longest of these times, in milliseconds
 */
export function watchMachine(): () => number {
  const before = { stolen: stolenMs(), disk: diskMs() }
  let last = performance.now()
  let longest = 0
  const beat = (): void => {
    const now = performance.now()
    longest = Math.max(longest, now - last - HEARTBEAT_MS)
    last = now
  }
  const heartbeat = setInterval(beat, HEARTBEAT_MS)
  return () => {
    beat()
    clearInterval(heartbeat)
    return Math.max(longest, stolenMs() - before.stolen, diskMs() - before.disk)
  }
}

/** How long the hypervisor has run something else while this machine had work to do. */
function stolenMs(): number {
  const [line = ''] = read('/proc/stat').split('\n')
  return Number(line.trim().split(/\s+/)[8] ?? 0) * TICK_MS
}

/** How long some process has waited for a disk. */
const diskMs = (): number => Number(/^some .*total=(\d+)/m.exec(read('/proc/pressure/io'))?.[1] ?? 0) / 1000

/** Not every kernel has these files. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

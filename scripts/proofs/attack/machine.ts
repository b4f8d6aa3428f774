import { availableParallelism } from 'node:os'
import { processInfo, readIfThere } from '../../shared/process-info.ts'

const HEARTBEAT_MS = 20
/** The unit of /proc/stat, in milliseconds. */
const TICK_MS = 10

/**
 * Watches whether the machine holds up the measurement: because this process, which sends the valid deliveries, did not
 * run, because other programs or the hypervisor took the CPU, or because the disk did not answer.
 * @param own the processes of the proof
 * @returns ends the watch; the longest of these times, in milliseconds
 */
export function watchMachine(own: readonly (number | undefined)[]): () => number {
  const readings = (): number[] => [foreignMs(own), stolenMs(), diskMs()]
  const before = readings()
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
    return Math.max(longest, ...readings().map((reading, index) => reading - (before[index] ?? 0)))
  }
}

/** For how long other programs have used the CPU, on average over the cores. */
function foreignMs(own: readonly (number | undefined)[]): number {
  const [, user = 0, lowPriority = 0, system = 0] = cpuLine()
  const ours = own.reduce<number>((sum, pid) => sum + (processInfo(pid).cpuSeconds || 0) * 1000, 0)
  return ((user + lowPriority + system) * TICK_MS - ours) / availableParallelism()
}

/** How long the hypervisor has run something else while this machine had work to do. */
const stolenMs = (): number => (cpuLine()[8] ?? 0) * TICK_MS

/** The times of all cores together; the first field is the name. */
const cpuLine = (): number[] => (readIfThere('/proc/stat').split('\n')[0] ?? '').split(/\s+/).map(Number)

/** How long some process has waited for a disk. */
const diskMs = (): number =>
  Number(/^some .*total=(\d+)/m.exec(readIfThere('/proc/pressure/io'))?.[1] ?? 0) / 1000

import { readFileSync } from 'node:fs'

/** This thread, as the machine schedules it. */
export const thread = {
  /**
   * How long this thread has been ready to run without getting a CPU, in milliseconds since it started. 0 where the system
   * does not say: only Linux does.
   *
   * @param file has the times in which this thread ran and waited for a CPU, in nanoseconds
   */
  runDelayMs(file = '/proc/thread-self/schedstat'): number {
    try {
      const [, delayNs] = readFileSync(file, 'utf8').split(' ')
      return Number(delayNs) / 1e6
    } catch {
      return 0
    }
  },
}

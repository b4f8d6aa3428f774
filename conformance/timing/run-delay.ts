import { readFileSync } from 'node:fs'

/**
 * How long this thread has been ready to run without getting a CPU, in milliseconds since it started. 0 where the system
 * does not say: only Linux does.
 */
export function runDelayMs(): number {
  try {
    const [, delayNs] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')
    return Number(delayNs) / 1e6
  } catch {
    return 0
  }
}

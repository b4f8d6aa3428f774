import { constants } from 'node:os'

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

import type { ClosedConnection } from '@hookproof/receiver'
import type { Logger } from 'pino'

/** How often the log mentions closed connections, in milliseconds: anyone can cause them. */
const INTERVAL_MS = 60_000

/**
 * Logs closed connections: the first one, then one line a minute with how many there were since the last line. The metrics
 * count them by reason.
 * @param now a monotonic clock, in milliseconds
 */
export function createConnectionLog(
  log: Logger,
  now = () => performance.now(),
): (reason: ClosedConnection) => void {
  let last = Number.NEGATIVE_INFINITY
  let closed = 0
  return (reason) => {
    closed += 1
    const at = now()
    if (at - last < INTERVAL_MS) return
    log.warn({ reason, closed }, 'connections closed because of a limit')
    last = at
    closed = 0
  }
}

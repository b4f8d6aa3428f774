import type { DeliveryOutcome } from '@hookproof/receiver'
import type { Logger } from 'pino'
import { logDelivery } from './log.ts'

export interface DeliveryLogOptions {
  /** How many refusals with the same code are logged per second. */
  maxPerSecond?: number
  /** A monotonic clock, in milliseconds. */
  now?: () => number
}

/**
 * Logs each delivery in one line, but limits refusals, which anyone can cause without a secret. The next line with the
 * same code has the number of suppressed lines as `unlogged`. The metrics count all of them.
 */
export function createDeliveryLog(
  log: Logger,
  options: DeliveryLogOptions = {},
): (result: DeliveryOutcome) => void {
  const { maxPerSecond = 20, now = () => performance.now() } = options
  const refused = new Map<string, { since: number; lines: number; unlogged: number }>()

  return (result) => {
    if (result.outcome !== 'refused') return logDelivery(log, result)
    const { code } = result.error
    const at = now()
    const before = refused.get(code) ?? { since: at, lines: 0, unlogged: 0 }
    const current = at - before.since < 1000 ? before : { ...before, since: at, lines: 0 }
    refused.set(code, current)
    if (current.lines >= maxPerSecond) {
      current.unlogged += 1
      return
    }
    logDelivery(current.unlogged > 0 ? log.child({ unlogged: current.unlogged }) : log, result)
    current.lines += 1
    current.unlogged = 0
  }
}

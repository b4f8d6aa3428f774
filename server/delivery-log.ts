import type { Logger } from 'pino'
import type { DeliveryOutcome } from '../receiver/handler.ts'
import { logDelivery } from './log.ts'

export interface DeliveryLogOptions {
  /** Of one code: how many refusals of a second get a line. */
  mostPerSecond?: number
  /** A clock that only goes forward, in milliseconds. */
  now?: () => number
}

/**
 * A line for each delivery, but not for each of a flood of refusals, which anybody can send without a secret: the next
 * line with the same code tells as `unlogged` how many had none. The metrics count them all.
 */
export function createDeliveryLog(
  log: Logger,
  options: DeliveryLogOptions = {},
): (told: DeliveryOutcome) => void {
  const { mostPerSecond = 20, now = () => performance.now() } = options
  const refused = new Map<string, { since: number; lines: number; unlogged: number }>()

  return (told) => {
    if (told.outcome !== 'refused') return logDelivery(log, told)
    const { code } = told.error
    const at = now()
    const before = refused.get(code) ?? { since: at, lines: 0, unlogged: 0 }
    const current = at - before.since < 1000 ? before : { ...before, since: at, lines: 0 }
    refused.set(code, current)
    if (current.lines >= mostPerSecond) {
      current.unlogged += 1
      return
    }
    logDelivery(current.unlogged > 0 ? log.child({ unlogged: current.unlogged }) : log, told)
    current.lines += 1
    current.unlogged = 0
  }
}

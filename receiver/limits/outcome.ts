import type { DeliveryOutcome } from '../receive.ts'
import { inOneLine } from '../shared/errors.ts'

/** Called with the outcome of each delivery. What it throws is logged and does not change the answer. */
export type OnOutcome = (outcome: DeliveryOutcome) => void

/**
 * Makes `onOutcome` safe to call: when it fails, the delivery may already be stored, so the sender must still get its
 * answer.
 * @param log writes a line for people, after the name hookproof
 */
export function guardOutcome(
  onOutcome: OnOutcome = () => {},
  log: (line: string) => void,
): (outcome: DeliveryOutcome) => void {
  const call = async (outcome: DeliveryOutcome) => {
    try {
      // It may be an async function.
      await (onOutcome(outcome) as unknown)
    } catch (error) {
      log(`onOutcome: ${inOneLine(error)}`)
    }
  }
  return (outcome) => void call(outcome)
}

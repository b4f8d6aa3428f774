/** The receiver did not stop in time; the message names what did not stop, and the fix. */
export class StopError extends Error {
  override readonly name = 'StopError'
}

/** The time that a stop may still take. */
export interface StopTime {
  /** Most of the remaining time, in milliseconds: the steps after this one need some too. */
  share(): number
  /**
   * Waits for the last step.
   * @throws StopError, made from the time in seconds, if the step has not ended by then; what the step threw
   */
  last(step: Promise<void>, message: (seconds: number) => string): Promise<void>
}

const SHARE = 3 / 4

/** Starts the countdown of a stop that may take `ms` milliseconds. @param now a monotonic clock, in milliseconds */
export function startStopTime(ms: number, now = () => performance.now()): StopTime {
  const end = now() + ms
  const remaining = (): number => Math.max(0, end - now())
  return {
    share: () => Math.ceil(remaining() * SHARE),
    async last(step, message) {
      let timer: NodeJS.Timeout | undefined
      const timeUp = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new StopError(message(ms / 1000))), remaining())
      })
      // If the time is up first, nobody else awaits the step.
      step.catch(() => {})
      await Promise.race([step, timeUp]).finally(() => clearTimeout(timer))
    },
  }
}

import { inOneLine } from './errors.ts'
import { logLine } from './log-line.ts'

/**
 * Makes a callback of the user safe to call: what it throws, or rejects with, is logged in one line and ends nothing. It is
 * not awaited.
 * @param name of the option, for the log
 * @param log writes a line for people, after the name hookproof
 */
export function guarded<Values extends unknown[]>(
  name: string,
  callback: (...values: Values) => unknown,
  log: (line: string) => void = logLine,
): (...values: Values) => void {
  const call = async (...values: Values) => {
    try {
      await callback(...values)
    } catch (error) {
      log(`${name}: ${inOneLine(error)}`)
    }
  }
  return (...values) => void call(...values)
}

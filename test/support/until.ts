import { setTimeout as pause } from 'node:timers/promises'

/** Waits until a condition holds; the test's own timeout is the limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(5)
}

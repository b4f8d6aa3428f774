import { onTestFinished } from 'vitest'
import { type Setting as Departure, type Running, startReceiver } from '../mutants/receiver.ts'
import { type Finished, SECRET } from './support.ts'

export { CORRECT, nameOf } from '../mutants/behaviour.ts'

/** How a small receiver departs from the usual, and when it is stopped: else at the end of the running test. */
export interface Setting extends Departure {
  readonly finished?: Finished
}

/** The receiver of the mutants, for a test. */
export async function smallReceiver({
  finished = onTestFinished,
  ...setting
}: Setting = {}): Promise<Running> {
  const receiver = await startReceiver(SECRET, setting)
  finished(receiver.stop)
  return receiver
}

import { onTestFinished } from 'vitest'
import { type Setting as ReceiverSetting, type Running, startReceiver } from '../mutants/receiver.ts'
import type { Finished } from '../support/temporary.ts'
import { SECRET } from './support.ts'

export { CORRECT, nameOf } from '../mutants/behaviour.ts'

/** How a small receiver differs from a correct one. `finished` stops it; by default the running test does. */
export interface Setting extends ReceiverSetting {
  readonly finished?: Finished
}

/** Starts the receiver of the mutants for a test. */
export async function smallReceiver({
  finished = onTestFinished,
  ...setting
}: Setting = {}): Promise<Running> {
  const receiver = await startReceiver(SECRET, setting)
  finished(receiver.stop)
  return receiver
}

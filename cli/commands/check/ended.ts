import { setTimeout as pause } from 'node:timers/promises'
import { HarnessError } from '../../../conformance/harness-error.ts'
import { UsageError } from '../../shared/exit.ts'
import type { Io } from '../../shared/io.ts'
import type { Ended, StartedReceiver } from '../../shared/process/child.ts'
import { oneLine } from '../../shared/text.ts'

/** How long to wait for the news that a receiver has ended, in milliseconds. */
const NEWS_WITHIN_MS = 500

/** Prints how a receiver ended during the run, with its last output. */
export function printEnd({ how, output }: Ended, { stderr }: Io): void {
  const last = output.length === 0 ? 'it printed nothing' : 'its last output:'
  const lines = output.map((line) => `  ${line}\n`).join('')
  stderr.write(`hookproof: the receiver ended during the run: ${how}; ${last}\n${lines}`)
}

/**
 * Explains why the first delivery got no response: a receiver that ended is not unreachable. Its last output is printed.
 *
 * @throws UsageError `receiver_ended`, or the error itself when the receiver has not ended
 */
export async function orEnd(failure: unknown, { ended }: StartedReceiver, { stderr }: Io): Promise<never> {
  if (!(failure instanceof HarnessError) || failure.code !== 'unreachable' || ended === undefined)
    throw failure
  const end = await Promise.race([ended, pause(NEWS_WITHIN_MS)])
  if (end === undefined) throw failure
  if (end.output.length > 1) {
    const lines = end.output.map((line) => `  ${line}\n`).join('')
    stderr.write(`hookproof: the last output of the receiver:\n${lines}`)
  }
  // Node.js ends with its version, below the error.
  const last = end.output.findLast((line) => /error|exception|panic/i.test(line)) ?? end.output.at(-1)
  const output = last === undefined ? 'it printed nothing' : `last output: ${oneLine(last)}`
  throw new UsageError(`the receiver ended at the first delivery: ${end.how}; ${output}`, {
    code: 'receiver_ended',
  })
}

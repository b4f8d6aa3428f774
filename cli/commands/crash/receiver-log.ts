import { closeSync, openSync, writeSync } from 'node:fs'
import { UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { reasonOf } from '../../shared/text.ts'

/** The most that a receiver's log may take, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024

/**
 * Opens the file of `--receiver-log`, which gets what a receiver prints. A line that cannot be written ends it, and
 * nothing else.
 * @throws UsageError when it cannot be written
 */
export function openReceiverLog(file: string | undefined, io: Io) {
  if (file === undefined) return { write: () => undefined, close: () => true }
  let descriptor: number
  try {
    descriptor = openSync(pathOf(io, file), 'w')
  } catch (error) {
    throw new UsageError(
      `cannot write the receiver's log ${file}: ${reasonOf(error)}; pass another path as --receiver-log`,
    )
  }
  let left = MOST_BYTES
  let isOpen = true
  let isComplete = true

  function tryTo(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (isComplete)
        io.stderr.write(`hookproof: the receiver's log ${file} is incomplete: ${reasonOf(error)}\n`)
      isComplete = false
    }
  }

  return {
    write: (line: string): void => {
      if (left <= 0 || !isOpen || !isComplete) return
      const text = `${line}\n`
      left -= Buffer.byteLength(text)
      const end = `[the log ends here, at ${MOST_BYTES / 1024 / 1024} MiB]\n`
      tryTo(() => writeSync(descriptor, left > 0 ? text : end))
    },
    /** @returns false when a line could not be written; standard error then says why */
    close: (): boolean => {
      if (isOpen) tryTo(() => closeSync(descriptor))
      isOpen = false
      return isComplete
    },
  }
}

import { closeSync, openSync, writeSync } from 'node:fs'
import { UsageError } from '../../shared/exit.ts'
import { type Io, pathOf } from '../../shared/io.ts'
import { reasonOf } from '../../shared/text.ts'

/** The most that a receiver's log may take, in bytes. */
const MOST_BYTES = 10 * 1024 * 1024

/** A file that gets what a receiver prints. */
export interface ReceiverLog {
  readonly write: (line: string) => void
  readonly close: () => void
}

/** Opens the file of `--receiver-log`. @throws UsageError when it cannot be written */
export function openReceiverLog(file: string | undefined, io: Io): ReceiverLog {
  if (file === undefined) return { write: () => undefined, close: () => undefined }
  let descriptor: number
  try {
    descriptor = openSync(pathOf(io, file), 'w')
  } catch (error) {
    throw new UsageError(
      `cannot write the receiver's log ${file}: ${reasonOf(error)}; pass another path as --receiver-log`,
    )
  }
  let left = MOST_BYTES
  return {
    write(line) {
      if (left <= 0) return
      const text = `${line}\n`
      left -= Buffer.byteLength(text)
      writeSync(descriptor, left > 0 ? text : `[the log ends here, at ${MOST_BYTES / 1024 / 1024} MiB]\n`)
    },
    close: () => closeSync(descriptor),
  }
}

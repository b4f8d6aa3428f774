import { buffer } from 'node:stream/consumers'
import { UsageError } from './exit.ts'
import { type Io, pathOf } from './io.ts'
import { readBounded } from './read-file.ts'
import { reasonOf } from './text.ts'

/** The exact bytes of a file, or of standard input for `-`. @throws UsageError when the file cannot be read */
export async function readBytes(file: string, io: Io): Promise<Buffer> {
  if (file === '-') return buffer(io.stdin)
  try {
    return await readBounded(pathOf(io, file))
  } catch (error) {
    throw new UsageError(
      `cannot read ${file}: ${reasonOf(error)}; pass the file that holds the body, or - for standard input`,
    )
  }
}

/** Parses `--at`, a Unix time in seconds; default: now. @throws UsageError */
export function unixTime(text: string | undefined): number {
  if (text === undefined) return Math.floor(Date.now() / 1000)
  if (!/^\d{1,12}$/.test(text)) {
    throw new UsageError(`--at ${text} is not a Unix time: pass whole seconds, for example 1750000000`)
  }
  return Number(text)
}

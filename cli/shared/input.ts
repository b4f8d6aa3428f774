import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { UsageError } from './exit.ts'
import { reasonOf } from './options.ts'

/** The exact bytes of a file, or of standard input for `-`. @throws UsageError when the file can not be read. */
export async function readBytes(file: string): Promise<Buffer> {
  if (file === '-') return buffer(process.stdin)
  try {
    return await readFile(file)
  } catch (error) {
    throw new UsageError(
      `can not read ${file}: ${reasonOf(error)}; give the file that holds the body, or - for standard input`,
    )
  }
}

/** Parses a Unix time in seconds; without one, now. @throws UsageError */
export function unixTime(text: string | undefined): number {
  if (text === undefined) return Math.floor(Date.now() / 1000)
  if (!/^\d{1,12}$/.test(text))
    throw new UsageError(`--at ${text} is not a Unix time: give whole seconds, such as 1750000000`)
  return Number(text)
}

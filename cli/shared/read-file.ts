import { constants, type FileHandle, open } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { UsageError } from './exit.ts'
import { type Io, pathOf } from './io.ts'
import { reasonOf } from './text.ts'

/** A file that is not read to its end, for a reason that the message states. */
export class UnreadableFile extends Error {}

interface ReadOptions {
  readonly maxBytes?: number
  /** How long nothing may arrive from a pipe, in milliseconds. */
  readonly waitMs?: number
}

/**
 * Reads a file that a user names, which may be a pipe such as that of `<(command)`. It ends also with a file that has no
 * end, and with a pipe to which nobody writes.
 * @throws UnreadableFile if the file is too large or nothing arrives; Error of the file system
 */
export async function readBounded(
  path: string,
  { maxBytes = 104_857_600, waitMs = 10_000 }: ReadOptions = {},
): Promise<Buffer> {
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const isPipe = (await file.stat()).isFIFO()
    const pieces: Buffer[] = []
    let length = 0
    let waitUntil = performance.now() + waitMs
    for (;;) {
      const piece = await readPiece(file)
      // A pipe that nobody has opened for writing yet looks like one that has ended.
      const isWaiting = piece === undefined || (piece.length === 0 && length === 0 && isPipe)
      if (isWaiting) {
        if (performance.now() > waitUntil) throw new UnreadableFile('nobody writes to this pipe')
        await pause(10)
        continue
      }
      if (piece.length === 0) return Buffer.concat(pieces)
      pieces.push(piece)
      length += piece.length
      if (length > maxBytes) throw new UnreadableFile(`it is larger than ${maxBytes} bytes`)
      waitUntil = performance.now() + waitMs
    }
  } finally {
    await file.close()
  }
}

/**
 * Reads a text file that a user names, without a byte order mark: Windows PowerShell 5 writes one, and UTF-16 by `>`.
 * @throws what `readBounded` throws
 */
export async function readText(path: string, options?: ReadOptions): Promise<string> {
  const bytes = await readBounded(path, options)
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}

/** @returns the next bytes, none at the end, or undefined if a pipe has none yet */
async function readPiece(file: FileHandle): Promise<Buffer | undefined> {
  try {
    const piece = Buffer.allocUnsafe(65_536)
    // With Yarn's Plug'n'Play, which has a `read` of its own, a length that is left out is 0.
    const { bytesRead } = await file.read(piece, 0, piece.length, null)
    return piece.subarray(0, bytesRead)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return undefined
    throw error
  }
}

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

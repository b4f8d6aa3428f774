import { setTimeout as pause } from 'node:timers/promises'
import type { DestinationStream } from 'pino'

/** Log lines that could not be written. */
export interface DroppedLines {
  readonly lines: number
  /** The code of the error, for example ENOSPC. */
  readonly cause: string
}

export interface LogDestinationOptions {
  /** Writes synchronously. @returns the number of bytes that were written @throws Error of the file system */
  write: (data: string | Buffer) => number
  /** The line that reports dropped lines once the log can be written again, with its line break. */
  report: (dropped: DroppedLines) => string
  /** How many bytes of lines may wait for a reader that is slower than the log. */
  maxHeldBytes?: number
}

/** Where the log goes. It never throws, blocks or grows without limit, whatever happens to its file or its reader. */
export interface LogDestination extends DestinationStream {
  /** How many lines could not be written. */
  readonly dropped: number
  /** Waits until the lines that are held for a slow reader are written, for up to `timeoutMs` milliseconds. */
  drain(timeoutMs: number): Promise<void>
}

/** A full pipe: its reader is slow, or has stopped. */
const SLOW = 'EAGAIN'

const SLOW_RETRY_MS = 10

const FAILED_RETRY_MS = 100

/**
 * Creates the destination of a log. Lines for a full pipe are held, up to a limit; lines that cannot be written for
 * another reason, such as a full disk, are dropped and counted. Once the log can be written again, one line reports how
 * many were dropped. The rest of a line that was written in part comes before any other.
 */
export function createLogDestination({
  write,
  report,
  maxHeldBytes = 1_048_576,
}: LogDestinationOptions): LogDestination {
  /** Lines that wait, of which the first may have been written in part. */
  let held: Buffer[] = []
  let heldBytes = 0
  /** Why the log cannot be written at the moment. */
  let problem: string | undefined
  let unreported: DroppedLines = { lines: 0, cause: '' }
  let dropped = 0

  function drop(cause: string): void {
    dropped += 1
    unreported = { lines: unreported.lines + 1, cause }
  }

  function hold(bytes: Buffer): void {
    held.push(bytes)
    heldBytes += bytes.length
  }

  function retryLater(cause: string): void {
    problem = cause
    setTimeout(retry, cause === SLOW ? SLOW_RETRY_MS : FAILED_RETRY_MS).unref()
  }

  /** Writes as much as possible. @returns how much, and why no more */
  function writeAll(bytes: Buffer): { written: number; cause: string | undefined } {
    let written = 0
    try {
      while (written < bytes.length) {
        const count = write(bytes.subarray(written))
        if (count === 0) return { written, cause: SLOW }
        written += count
      }
      return { written, cause: undefined }
    } catch (error) {
      return { written, cause: codeOf(error) }
    }
  }

  /** Writes the lines that wait, then the report. */
  function retry(): void {
    const waiting = held.length === 1 && held[0] ? held[0] : Buffer.concat(held)
    let { written, cause } = writeAll(waiting)
    let rest = waiting.subarray(written)
    if (cause === undefined && unreported.lines > 0) {
      const line = Buffer.from(report(unreported))
      ;({ written, cause } = writeAll(line))
      // A line that was cut short is completed later; otherwise the next report has the new number.
      rest = written > 0 ? line.subarray(written) : rest
      if (written > 0) unreported = { lines: 0, cause: '' }
    }
    held = rest.length > 0 ? [rest] : []
    heldBytes = rest.length
    problem = undefined
    if (cause !== undefined) retryLater(cause)
  }

  /** The first write that fails. */
  function fail(line: string, cause: string): void {
    if (cause === SLOW) hold(Buffer.from(line))
    else drop(cause)
    retryLater(cause)
  }

  return {
    write(line) {
      if (problem === undefined) {
        try {
          const written = write(line)
          if (written < Buffer.byteLength(line)) {
            hold(Buffer.from(line).subarray(written))
            retry()
          }
        } catch (error) {
          fail(line, codeOf(error))
        }
      } else if (problem === SLOW && heldBytes + Buffer.byteLength(line) <= maxHeldBytes) {
        hold(Buffer.from(line))
      } else drop(problem)
    },
    get dropped() {
      return dropped
    },
    async drain(timeoutMs) {
      const deadline = performance.now() + timeoutMs
      const isWaiting = () => problem === SLOW && performance.now() < deadline
      while (isWaiting()) await pause(SLOW_RETRY_MS)
    },
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'unknown'

import { writeSync } from 'node:fs'
import { type DestinationStream, type Logger, pino } from 'pino'
import { createLogDestination, type DroppedLines } from './log-destination.ts'

/** The log of the program. */
export interface ProgramLog {
  readonly log: Logger
  /** How many lines could not be written. */
  readonly droppedLogLines: () => number
  /** Waits for a slow reader, for up to `timeoutMs` milliseconds. Call it before the process ends. */
  readonly drain: (timeoutMs: number) => Promise<void>
}

/** Creates the log of the program on a given stream; default: standard output, which may fail or stop at any time. */
export function createProgramLog(level: string, stream?: DestinationStream): ProgramLog {
  if (stream !== undefined)
    return { log: pino({ level }, stream), droppedLogLines: () => 0, drain: async () => {} }
  // Reading `fd` here also makes a pipe non-blocking, so that a reader that stops cannot block the process.
  const { fd } = process.stdout
  const destination = createLogDestination({
    write: (data) => (typeof data === 'string' ? writeSync(fd, data) : writeSync(fd, data)),
    report,
  })
  return {
    log: pino({ level }, destination),
    droppedLogLines: () => destination.dropped,
    drain: (timeoutMs) => destination.drain(timeoutMs),
  }
}

/** The line that reports dropped lines, at every level. */
function report({ lines, cause }: DroppedLines): string {
  let text = ''
  pino({}, { write: (line: string) => void (text = line) }).warn({ lines, cause }, 'log lines dropped')
  return text
}

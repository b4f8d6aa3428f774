import { setTimeout as pause } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'
import sonicBoom from 'sonic-boom'

/** The log of the program. */
export interface ProgramLog {
  readonly log: Logger
  /** How many lines could not be written. */
  readonly droppedLogLines: () => number
  /** Waits for a slow reader, for up to `timeoutMs` milliseconds. Call it before the process ends. */
  readonly drain: (timeoutMs: number) => Promise<void>
}

/** How many bytes of lines may wait until they can be written. */
const MOST_HELD_BYTES = 1_048_576

const RETRY_MS = 10

/** Creates the log of the program on a given stream; default: standard output, which may fail or stop at any time. */
export function createProgramLog(level: string, stream?: DestinationStream): ProgramLog {
  if (stream !== undefined)
    return { log: pino({ level }, stream), droppedLogLines: () => 0, drain: async () => {} }
  // Reading `fd` here also makes a pipe non-blocking, so that a reader that stops cannot block the process.
  return logTo(process.stdout.fd, level)
}

/**
 * Creates a log that never throws, blocks or grows without limit, whatever happens to its file or its reader. Lines that
 * cannot be written, because the reader is slow or the disk is full, are held up to a limit and then dropped. Once the log
 * can be written again, one line reports how many were dropped.
 */
export function logTo(fd: number, level: string): ProgramLog {
  const destination = new sonicBoom.SonicBoom({
    fd,
    sync: true,
    maxLength: MOST_HELD_BYTES,
    retryEAGAIN: () => false,
  })
  let dropped = 0
  let reported = 0
  /** Why lines are held at the moment. */
  let problem: string | undefined
  let lastProblem = ''
  let retrying: NodeJS.Timeout | undefined

  function retry(): void {
    retrying = undefined
    // An empty text also writes what is held.
    destination.write('')
  }
  destination.on('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
    problem = lastProblem = code
    retrying ??= setTimeout(retry, RETRY_MS).unref()
  })
  destination.on('drop', () => {
    dropped += 1
  })
  destination.on('drain', () => {
    problem = undefined
    if (dropped === reported) return
    const lines = dropped - reported
    reported = dropped
    // At every level.
    pino({}, destination).warn({ lines, cause: lastProblem }, 'log lines dropped')
  })
  return {
    log: pino({ level }, destination),
    droppedLogLines: () => dropped,
    async drain(timeoutMs) {
      const deadline = performance.now() + timeoutMs
      const isWaiting = () => problem === 'EAGAIN' && performance.now() < deadline
      while (isWaiting()) await pause(RETRY_MS)
    },
  }
}

import { EXIT, type ExitCode } from './exit.ts'

const failed = new AbortController()
const gone = new AbortController()

/** Aborted when the output can not be written, a full disk say: what runs until it is stopped is to stop then. */
export const outputFailed: AbortSignal = failed.signal

/** Aborted when nobody reads the output any more, such as `head`: no failure. */
export const readerGone: AbortSignal = gone.signal

/**
 * Has a stream that can not be written end the command with 2 and one line, in place of a stack.
 * @param complaints where the line goes; the stream itself when there is no other
 */
export function watchOutput(stream: NodeJS.WriteStream, complaints: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return gone.abort()
    if (!failed.signal.aborted && stream !== complaints) {
      complaints.write(`hookproof: the output can not be written: ${wordsOf(error)} [usage]\n`)
    }
    failed.abort()
    // The command may have ended already.
    process.exitCode = EXIT.unable
  })
}

/** What the process is to exit with, after a command that ended with `code`. */
export const exitCodeOf = (code: ExitCode): ExitCode => (failed.signal.aborted ? EXIT.unable : code)

const wordsOf = ({ code }: NodeJS.ErrnoException): string =>
  code === 'ENOSPC' ? 'the disk is full' : (code ?? 'the reason is unknown')

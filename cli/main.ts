#!/usr/bin/env node
import { packageVersion } from '../conformance/report/package.ts'
import { EXIT, type ExitCode } from './shared/exit.ts'
import type { Io, Output } from './shared/io.ts'

const outputFailed = new AbortController()
const readerGone = new AbortController()

/** The only place that sets the exit code. Output that could not be written overrides what the command returned. */
function finish(code: ExitCode): void {
  process.exitCode = outputFailed.signal.aborted ? EXIT.unable : code
}

/**
 * Ends the process although requests may be open. For Windows, where a signal to oneself is exit code 1, which would say
 * that the receiver is not conformant.
 */
function exitAfterOutput(code: ExitCode): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(code)))
}

/** Reports a stream that cannot be written in one line and exits with 2, instead of crashing with a stack trace. */
function watch(stream: Output): void {
  stream.on('error', ({ code }: NodeJS.ErrnoException) => {
    // EOF is what Windows reports.
    if (code === 'EPIPE' || code === 'EOF') return readerGone.abort()
    if (!outputFailed.signal.aborted && stream !== process.stderr) {
      const reason = code === 'ENOSPC' ? 'the disk is full' : (code ?? 'unknown error')
      process.stderr.write(`hookproof: cannot write the output: ${reason} [usage]\n`)
    }
    outputFailed.abort()
    // The command may have finished already.
    finish(EXIT.unable)
  })
}

watch(process.stdout)
watch(process.stderr)

const io: Io = {
  env: process.env,
  cwd: process.cwd(),
  // Opened only by a command that reads it, since that takes time.
  get stdin() {
    return process.stdin
  },
  stdout: process.stdout,
  stderr: process.stderr,
  signals: process,
  outputFailed: outputFailed.signal,
  readerGone: readerGone.signal,
}

const words = process.argv.slice(2)
// Answered before the rest is loaded, because scripts call it often.
if (words.length === 1 && (words[0] === '--version' || words[0] === '-V')) {
  process.stdout.write(`${packageVersion()}\n`)
} else {
  const { main } = await import('./program.ts')
  const end = await main(words, io)
  if (typeof end !== 'string') finish(end)
  else if (process.platform === 'win32') exitAfterOutput(EXIT.unable)
  else process.kill(process.pid, end)
}

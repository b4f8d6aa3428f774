import { writeSync } from 'node:fs'

/** Writes one line to standard error. A line that cannot be written is lost. */
export function logLine(text: string): void {
  try {
    // Not process.stderr.write or console.error: on a full disk their error would end the process.
    writeSync(process.stderr.fd, `hookproof: ${text}\n`)
  } catch {
    // What it says is not worth the process.
  }
}

import { writeSync } from 'node:fs'

/** Writes a line on standard error. A line that cannot be written is lost. */
export function logLine(line: string): void {
  try {
    // Not process.stderr.write or console.error: on a full disk their error would end the process.
    writeSync(process.stderr.fd, `${line}\n`)
  } catch {
    // There is nowhere else to report it.
  }
}

import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

/** A logger that keeps its lines, at the level that tells most. */
export function recordingLog(): { log: Logger; lines: string[] } {
  const lines: string[] = []
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { log: pino({ level: 'trace' }, stream), lines }
}

import { Writable } from 'node:stream'
import { type Logger, pino } from 'pino'

/** A logger at level trace that records its lines. */
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

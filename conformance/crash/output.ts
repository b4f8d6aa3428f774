import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { isShortSecret, secretHider } from '../contracts/secret.ts'

/** How much of a line is read, in characters; what follows is read as another line. */
const LINE_CHARACTERS = 16_384
/** A secret in any encoding is at most this many times as long as the secret. */
const LONGEST_ENCODING = 9
/** How many of the last lines are kept: a stack trace comes after the line that shows what happened. */
const KEPT_LINES = 40
/** What programs print that cannot listen. */
const ADDRESS_TAKEN = /EADDRINUSE|address (?:is )?already in use|port \d+ (?:is|was) already in use/i
const ERROR = /error:|exception:|panic:/i
const SIGNATURE = /[0-9a-f]{64}/gi

/** What a receiver printed while it ran, over all its starts. Memory use is bounded. */
export interface OutputWatch {
  /** Reads both outputs of a process, until they end. */
  readonly follow: (streams: readonly (Readable | null)[]) => void
  /** Remembers a valid signature, to recognize it in the output. */
  readonly signed: (v1: string) => void
  /** The last lines, of those that follow the given number of lines, without the signing secret. */
  readonly lastLines: (after?: number) => readonly string[]
  /** The number of lines so far that contain the signing secret in any usual encoding. */
  readonly secretLines: () => number
  /** The number of lines so far that contain an entire signature of a delivery. */
  readonly signatureLines: () => number
  /** The number of lines so far. */
  readonly lines: () => number
}

/** Whether one of the lines says that another socket has the address. */
export const saysAddressTaken = (lines: readonly string[]): boolean =>
  lines.some((line) => ADDRESS_TAKEN.test(line))

/** The line that shows best why a program ended: Node.js ends with its version, and prints the error above it. */
export const tellingLine = (lines: readonly string[]): string | undefined =>
  lines.find((line) => ADDRESS_TAKEN.test(line)) ?? lines.findLast((line) => ERROR.test(line)) ?? lines.at(-1)

/**
 * Watches the output of a receiver.
 *
 * @param onLine gets each line without the signing secret, for a log
 */
export function watchOutput(secret: string, onLine: (line: string) => void = () => undefined): OutputWatch {
  const hide = secretHider(secret)
  const signatures = new Set<string>()
  const last: string[] = []
  const counts = { lines: 0, secret: 0, signature: 0 }

  function hideAndCount(text: string): string {
    const hidden = hide(text)
    // The characters of a short secret may occur by chance.
    if (hidden !== text && !isShortSecret(secret)) counts.secret += 1
    return hidden
  }

  /** Reads what came of a line that is too long. @returns its end, in which a secret may have begun */
  function readPart(text: string): string {
    const hidden = hideAndCount(text)
    const end = hidden.length - secret.length * LONGEST_ENCODING
    if (end <= 0) return hidden
    read(hidden.slice(0, end))
    return hidden.slice(end)
  }

  function read(raw: string): void {
    const line = stripVTControlCharacters(raw).trimEnd()
    if (line === '') return
    counts.lines += 1
    const hidden = hideAndCount(line)
    if (line.match(SIGNATURE)?.some((found) => signatures.has(found.toLowerCase())) === true)
      counts.signature += 1
    const shown = hidden.replace(SIGNATURE, (found) => `${found.slice(0, 8)}...`)
    last.push(shown)
    if (last.length > KEPT_LINES) last.shift()
    onLine(shown)
  }

  return {
    follow(streams) {
      for (const stream of streams) {
        let rest = ''
        stream?.setEncoding('utf8').on('data', (piece: string) => {
          const lines = (rest + piece).split('\n')
          rest = lines.pop() ?? ''
          for (const line of lines) read(line)
          if (rest.length > LINE_CHARACTERS) rest = readPart(rest)
        })
        stream?.on('close', () => {
          read(rest)
          rest = ''
        })
      }
    },
    signed: (v1) => void signatures.add(v1.toLowerCase()),
    lastLines: (after = 0) => last.slice(Math.max(0, last.length - (counts.lines - after))),
    secretLines: () => counts.secret,
    signatureLines: () => counts.signature,
    lines: () => counts.lines,
  }
}

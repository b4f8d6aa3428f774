import type { ServerResponse } from 'node:http'

/** A response that is written as things happen, until it ends. */
export interface LineStream {
  /** Writes text; does nothing once the response has ended. */
  readonly write: (text: string) => void
  /** Writes a last text and ends the response. Whatever the client has not read after a moment is lost. */
  readonly end: (text: string) => void
}

export interface LineStreamOptions {
  /** Written at an interval, to keep the connection alive. */
  readonly heartbeat: string
  /** In milliseconds. */
  readonly intervalMs: number
  /** How much may wait for a client that reads slowly, in bytes; after that the response ends. */
  readonly mostWaiting?: number
  /** Returns the last text for a client that reads too slowly. */
  readonly slow?: () => string
  /** Called once, as soon as nothing more is written: releases what feeds the stream. */
  readonly onEnd: () => void
}

/** How long a client may take to read the rest after the end, in milliseconds. */
const LINGER_MS = 5_000

/** Starts a stream on a response whose head is set. It ends by itself when the client disconnects or stops reading. */
export function lineStream(response: ServerResponse, options: LineStreamOptions): LineStream {
  const { heartbeat, intervalMs, mostWaiting = 1024 * 1024, slow, onEnd } = options
  let ended = false
  const timer = setInterval(() => write(heartbeat), intervalMs)

  function release(): void {
    if (ended) return
    ended = true
    clearInterval(timer)
    onEnd()
  }

  function write(text: string): void {
    if (ended) return
    if (response.writableLength > mostWaiting) return end(slow?.() ?? '')
    response.write(text)
  }

  function end(text: string): void {
    if (ended) return
    release()
    response.end(text)
    const last = setTimeout(() => response.destroy(), LINGER_MS)
    response.once('close', () => clearTimeout(last))
  }

  response.on('close', release)
  return { write, end }
}

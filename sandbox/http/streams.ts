import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'express'
import type { Change } from '../model.ts'
import type { Feed } from '../ports.ts'

interface LineStreamOptions {
  readonly heartbeat: string
  readonly intervalMs: number
  /** How much may wait for a client that reads slowly, in bytes; after that the response ends. */
  readonly mostWaiting?: number
  readonly slow?: () => string
  /** Called once, as soon as nothing more is written: releases what feeds the stream. */
  readonly onEnd: () => void
}

/** How long a client may take to read the rest after the end, in milliseconds. */
const LINGER_MS = 5_000

/**
 * Starts a stream on a response whose head is set, which is written as things happen. It ends by itself when the client
 * disconnects or stops reading.
 */
export function lineStream(response: ServerResponse, options: LineStreamOptions) {
  const { heartbeat, intervalMs, mostWaiting = 1024 * 1024, slow, onEnd } = options
  let ended = false
  const timer = setInterval(() => write(heartbeat), intervalMs)

  function release(): void {
    if (ended) return
    ended = true
    clearInterval(timer)
    onEnd()
  }

  /** Writes text; does nothing once the response has ended. */
  function write(text: string): void {
    if (ended) return
    if (response.writableLength > mostWaiting) return end(slow?.() ?? '')
    response.write(text)
  }

  /** Writes a last text and ends the response. Whatever the client has not read after a moment is lost. */
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

/** Changes within this time are sent as one message, in milliseconds. */
const BATCH_MS = 150
/** Interval of the events that keep an idle connection open and show that it works, in milliseconds. */
const HEARTBEAT_MS = 15_000

/**
 * Streams the kinds of changes as server-sent events; pages then refetch themselves. No other data is sent.
 * @param concerns selects the changes, by default all
 */
export function liveChanges(feed: Feed, concerns: (change: Change) => boolean = () => true): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.flushHeaders()
    const kinds = new Set<Change['kind']>()
    let timer: NodeJS.Timeout | undefined
    const unsubscribe = feed.subscribe((change) => {
      if (!concerns(change)) return
      kinds.add(change.kind)
      timer ??= setTimeout(sendKinds, BATCH_MS)
    })
    const stream = lineStream(response, {
      heartbeat: 'event: heartbeat\ndata:\n\n',
      intervalMs: HEARTBEAT_MS,
      mostWaiting: 64 * 1024,
      onEnd: () => {
        unsubscribe()
        clearTimeout(timer)
      },
    })

    function sendKinds(): void {
      timer = undefined
      stream.write(`data: ${[...kinds].join(' ')}\n\n`)
      kinds.clear()
    }
  }
}

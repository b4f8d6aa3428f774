import type { RequestHandler } from 'express'
import { lineStream } from '../../http/line-stream.ts'
import type { Change } from '../../model.ts'
import type { Feed } from '../../ports.ts'

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

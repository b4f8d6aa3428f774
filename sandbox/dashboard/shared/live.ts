import type { RequestHandler } from 'express'
import type { Change } from '../../model.ts'
import type { Feed } from '../../ports.ts'

/** Changes of so many milliseconds are told together. */
const TOGETHER_MS = 150

/** Says in between that the connection stands, in milliseconds. */
const HEARTBEAT_MS = 15_000

/**
 * Tells a page by server-sent events which kinds of things have changed, so that it can fetch itself anew: nothing
 * but the kinds is sent.
 */
export function liveChanges(feed: Feed): RequestHandler {
  return (_request, response) => {
    response.set({ 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' })
    response.flushHeaders()
    const kinds = new Set<Change['kind']>()
    let timer: NodeJS.Timeout | undefined

    function tell(): void {
      timer = undefined
      response.write(`data: ${[...kinds].join(' ')}\n\n`)
      kinds.clear()
    }

    const unsubscribe = feed.subscribe(({ kind }) => {
      kinds.add(kind)
      timer ??= setTimeout(tell, TOGETHER_MS)
    })
    const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
    response.on('close', () => {
      unsubscribe()
      clearInterval(heartbeat)
      clearTimeout(timer)
    })
  }
}

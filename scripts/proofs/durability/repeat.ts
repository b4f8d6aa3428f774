import { setTimeout as wait } from 'node:timers/promises'

/**
 * Repeats a task until it is stopped. A failed task is repeated too.
 * @param pauseMs between the end of one and the start of the next
 * @returns a function that stops, and resolves when no task is running any more
 */
export function repeat(task: () => Promise<unknown>, pauseMs: number): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const ended = (async () => {
    while (!signal.aborted) {
      await task().catch(() => undefined)
      await wait(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  })()
  return () => {
    stopping.abort()
    return ended
  }
}

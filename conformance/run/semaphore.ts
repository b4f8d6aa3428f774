/** Limits how many tasks run at the same time; the others wait in a queue. */
export interface Semaphore {
  readonly take: () => Promise<void>
  readonly give: () => void
}

/** @param count how many tasks may hold the semaphore at the same time */
export function createSemaphore(count: number): Semaphore {
  let free = count
  const queue: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => queue.push(resolve))
    },
    give() {
      const next = queue.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}

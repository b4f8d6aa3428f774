/** Limits how many tasks run at the same time; the others wait in a queue. */
export interface Semaphore {
  readonly take: () => Promise<void>
  readonly give: () => void
  /** Changes the limit. Tasks beyond a lower one finish, and no others start until then. */
  readonly resize: (count: number) => void
}

/** @param count how many tasks may hold the semaphore at the same time */
export function createSemaphore(count: number): Semaphore {
  let limit = count
  let held = 0
  const queue: (() => void)[] = []
  const admit = (): void => {
    while (held < limit) {
      const next = queue.shift()
      if (next === undefined) return
      held += 1
      next()
    }
  }
  return {
    async take() {
      if (held < limit) held += 1
      else await new Promise<void>((resolve) => queue.push(resolve))
    },
    give() {
      held -= 1
      admit()
    },
    resize(wanted) {
      limit = wanted
      admit()
    },
  }
}

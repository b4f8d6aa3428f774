/** Lets at most `count` tasks hold a slot at once; the others wait in line. */
export interface Semaphore {
  readonly take: () => Promise<void>
  readonly give: () => void
}

export function createSemaphore(count: number): Semaphore {
  let free = count
  const line: (() => void)[] = []
  return {
    async take() {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => line.push(resolve))
    },
    give() {
      const next = line.shift()
      if (next === undefined) free += 1
      else next()
    },
  }
}

import { createSemaphore } from '../../conformance/engine/pace/semaphore.ts'

/**
 * Starts a task for each entry, in order and at most `concurrency` at the same time, and returns the task of a name.
 * Tests that await their tasks one by one overlap the waiting of the others, and time spent in the queue does not count
 * toward a test's timeout.
 */
export function inBackground<Item, Result>(
  items: Readonly<Record<string, Item>>,
  concurrency: number,
  run: (item: Item, name: string) => Promise<Result>,
): (name: string) => Promise<Result> {
  const semaphore = createSemaphore(concurrency)
  const tasks = new Map(
    Object.entries(items).map(([name, item]) => {
      const task = semaphore.take().then(() => run(item, name).finally(semaphore.give))
      // A failure is reported by the test that awaits it.
      task.catch(() => undefined)
      return [name, task]
    }),
  )
  return async (name) => {
    const task = tasks.get(name)
    if (task === undefined) throw new Error(`no task ${name}`)
    return task
  }
}

/** Yields the results of tasks in the order in which they finish. */
export async function* asReached<T>(tasks: readonly Promise<T>[]): AsyncGenerator<T> {
  const fill: ((task: Promise<T>) => void)[] = []
  const places = tasks.map(() => new Promise<T>((resolve) => fill.push(resolve)))
  for (const task of tasks) {
    const take = () => fill.shift()?.(task)
    task.then(take, take)
  }
  // After one rejection nobody awaits the remaining promises.
  for (const place of places) place.catch(() => undefined)
  for (const place of places) yield await place
}

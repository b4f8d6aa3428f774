import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSemaphore } from '../../../conformance/engine/pace/semaphore.ts'

/** Performs jobs in several processes. */
export interface Pool<Job, Result> {
  /** @throws Error when the job fails or its process ends */
  readonly perform: (job: Job) => Promise<Result>
  readonly close: () => Promise<void>
}

/** How many processes a pool has, and how many jobs each performs at the same time. */
export interface Lane {
  readonly processes: number
  readonly each: number
}

/** What a process performs, with the name by which an error calls it. */
interface Named {
  readonly name: string
}

interface Order {
  readonly id: number
  readonly job: Named
}
type Answer<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly error: string }

/**
 * Starts the processes. A job that finds each of them busy with `each` others waits for its turn.
 * @param program the file of the processes, which calls `performJobs`
 */
export function startPool<Job extends Named, Result>(
  program: URL,
  { processes, each }: Lane,
): Pool<Job, Result> {
  const workers = Array.from({ length: processes }, () => startWorker<Result>(program))
  const semaphore = createSemaphore(processes * each)
  let next = 0
  return {
    async perform(job) {
      await semaphore.take()
      const worker = workers.reduce((least, other) => (other.busy() < least.busy() ? other : least))
      next += 1
      return worker.perform(next, job).finally(semaphore.give)
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

function startWorker<Result>(program: URL) {
  // The file is TypeScript: it needs the loader that runs this process. The results contain maps.
  const child: ChildProcess = fork(fileURLToPath(program), { serialization: 'advanced' })
  const waiting = new Map<number, { done: (result: Result) => void; fail: (error: Error) => void }>()
  child.on('message', (answer: Answer<Result>) => {
    const waiter = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) waiter?.fail(new Error(answer.error))
    else waiter?.done(answer.result)
  })
  child.on('exit', (code, signal) => {
    for (const { fail } of waiting.values())
      fail(new Error(`a process of the proof ended (${signal ?? code})`))
    waiting.clear()
  })
  return {
    busy: () => waiting.size,
    perform: (id: number, job: Named) =>
      new Promise<Result>((done, fail) => {
        waiting.set(id, { done, fail })
        child.send({ id, job } satisfies Order)
      }),
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/** In a process of a pool: performs jobs, several at the same time, until it is killed, or is disconnected and has finished. */
export function performJobs(perform: (job: never) => Promise<unknown>): void {
  const answer = (one: Answer<unknown>) => process.send?.(one)
  process.on('message', ({ id, job }: Order) => {
    perform(job as never).then(
      (result) => answer({ id, result }),
      (error: unknown) => answer({ id, error: `"${job.name}": ${String(error)}` }),
    )
  })
}

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createSemaphore } from '../../../conformance/engine/pace/semaphore.ts'
import type { Graded } from './grade.ts'
import type { Job } from './job.ts'

/** Performs jobs in several processes. */
export interface Pool {
  /** @throws Error when the job fails or its process ends */
  readonly perform: (job: Job) => Promise<Graded>
  readonly close: () => Promise<void>
}

type Answer =
  | {
      readonly id: number
      readonly outcomes: readonly (readonly [string, never])[]
      readonly causes: readonly string[]
    }
  | { readonly id: number; readonly error: string }

/** Starts the processes. A job that finds each of them busy with `each` others waits for its turn. */
export function startPool({ processes, each }: { processes: number; each: number }): Pool {
  const workers = Array.from({ length: processes }, () => startWorker())
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

function startWorker() {
  // The file is TypeScript: it needs the loader that runs this process.
  const child: ChildProcess = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)))
  const waiting = new Map<number, { done: (graded: Graded) => void; fail: (error: Error) => void }>()
  child.on('message', (answer: Answer) => {
    const waiter = waiting.get(answer.id)
    waiting.delete(answer.id)
    if ('error' in answer) waiter?.fail(new Error(answer.error))
    else waiter?.done({ outcomes: new Map(answer.outcomes), causes: answer.causes })
  })
  child.on('exit', (code, signal) => {
    for (const { fail } of waiting.values())
      fail(new Error(`a process of the proof ended (${signal ?? code})`))
    waiting.clear()
  })
  return {
    busy: () => waiting.size,
    perform: (id: number, job: Job) =>
      new Promise<Graded>((done, fail) => {
        waiting.set(id, { done, fail })
        child.send({ id, job })
      }),
    async close() {
      const ended = once(child, 'exit')
      child.kill()
      await ended
    },
  }
}

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { Worker } from 'node:worker_threads'
import { InboxError } from '../../inbox.ts'
import { hasBuiltInDriver } from './driver.ts'

/** A thread with a second connection to the file of a database. */
export interface Thread {
  /**
   * Does one of these, after the requests before it:
   * - `sync` syncs everything that any connection has committed. It needs the write lock.
   * - `copy` copies the log into the file, without waiting for readers or writers.
   * - `truncate` does the same, and then empties the log, unless another process uses it.
   * @returns whether all of it was done
   * @throws Error of SQLite, with its `errcode`; the reason if the thread has ended.
   */
  readonly ask: (request: 'sync' | 'copy' | 'truncate') => Promise<boolean>
  /** Resolves to the reason when the thread has ended, whatever the reason is. */
  readonly ended: Promise<Error>
  /** Keeps the process running from now on. */
  readonly keepRunning: () => void
  /** Closes the connection, and ends the thread. */
  readonly close: () => Promise<void>
}

type Answer =
  | { readonly result: boolean }
  | { readonly failure: { readonly message: string; readonly errcode: number | undefined } }

/**
 * Starts the thread. It does not keep the process running while it has nothing to do, and does not see the environment, which
 * contains secrets.
 * @param settings SQL that prepares its connection
 * @throws InboxError if it does not start, or cannot open the file.
 */
export async function startThread(path: string, settings: string): Promise<Thread> {
  const isPlugAndPlay = !hasBuiltInDriver() && 'pnp' in process.versions
  const worker = new Worker(new URL('./sync-thread.mjs', import.meta.url), {
    name: 'inbox',
    workerData: { path, settings, isBuiltIn: hasBuiltInDriver() },
    // Options such as --require may load a monitoring program.
    execArgv: [],
    // With Yarn's Plug'n'Play only they find the package of the driver.
    env: isPlugAndPlay ? { NODE_OPTIONS: process.env['NODE_OPTIONS'] } : {},
  })
  let cause = new Error('it was stopped')
  worker.on('error', (error: Error) => {
    cause = error
  })
  let reason: Error | undefined
  let waiting: { resolve(answer: Answer): void; reject(reason: Error): void } | undefined
  // Once, and not for each request: what waits for a promise stays in memory until it is settled.
  worker.on('message', (answer: Answer) => waiting?.resolve(answer))
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', () => {
      reason = cause
      waiting?.reject(cause)
      resolve(cause)
    })
  })

  /** Waits for the next message of the thread. */
  async function next(): Promise<Answer> {
    worker.ref()
    try {
      return await new Promise<Answer>((resolve, reject) => {
        waiting = { resolve, reject }
        if (reason !== undefined) reject(reason)
      })
    } finally {
      waiting = undefined
      worker.unref()
    }
  }

  async function send(request: string): Promise<boolean> {
    const answer = next()
    worker.postMessage(request)
    const message = await answer
    if ('result' in message) return message.result
    const { message: text, errcode } = message.failure
    throw Object.assign(new Error(text), { errcode })
  }

  let last: Promise<unknown> = Promise.resolve()
  try {
    await next()
  } catch (error) {
    throw new InboxError(
      `inbox ${path}: its thread does not start: ${(error as Error).message}. If the code is bundled, put sync-thread.mjs beside the bundle.`,
      { cause: error },
    )
  }
  return {
    ask(request) {
      const answer = last.then(() => send(request))
      last = answer.catch(() => {})
      return answer
    },
    ended,
    keepRunning: () => worker.ref(),
    async close() {
      worker.ref()
      worker.postMessage('close')
      await ended
    },
  }
}

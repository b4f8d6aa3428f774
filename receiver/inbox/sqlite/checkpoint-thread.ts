/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { type Database, hasBuiltInDriver, realPath } from './driver.ts'

/** The result of a checkpoint that did not wait for readers or writers, in frames of the log. */
export interface Progress {
  /** The length of the log when the checkpoint started; -1 if another one was running. */
  readonly log: number
  /** How many of these frames are in the database file. */
  readonly checkpointed: number
}

/** A thread with a second connection to the file of a database. */
export interface CheckpointThread {
  /**
   * Copies as much of the log as possible into the file. It does not block this thread, and keeps the process running.
   * @throws Error of SQLite, with its `errcode`, if that fails; `ended` if the thread has ended.
   */
  checkpoint(): Promise<Progress>
  /** Resolves to the reason when the thread has ended, whatever the reason is. */
  readonly ended: Promise<Error>
  /** Closes the connection after a running checkpoint, and ends the thread. */
  close(): Promise<void>
}

type Message =
  | 'ready'
  | Progress
  | { readonly failure: { readonly message: string; readonly errcode: number } }

/** Enough for a thread that only runs one statement. The memory of SQLite does not count. */
const LIMITS = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 }

/**
 * Starts the thread. It does not keep the process running, and does not see the environment, which contains secrets.
 * @throws Error if the thread cannot start, or cannot open the file; it never creates one.
 */
export async function startCheckpointThread(database: Database): Promise<CheckpointThread> {
  const location = `${pathToFileURL(realPath(database)).href}?mode=rw`
  const worker = new Worker(new URL('./checkpoint-worker.mjs', import.meta.url), {
    name: 'checkpoints',
    workerData: { location, isBuiltIn: hasBuiltInDriver() },
    // Options such as --require may load a monitoring program, which would need more memory than this thread may use.
    execArgv: [],
    env: {},
    resourceLimits: LIMITS,
  })
  let cause = new Error('the thread has ended')
  worker.on('error', (error: Error) => {
    cause = error
  })
  const ended = new Promise<Error>((resolve) => {
    worker.once('exit', () => resolve(cause))
  })

  /** Waits for the next message of the thread. */
  async function next(): Promise<Message> {
    worker.ref()
    try {
      const message = new Promise<Message>((resolve) => {
        worker.once('message', resolve)
      })
      const failed = ended.then((reason): never => {
        throw reason
      })
      return await Promise.race([message, failed])
    } finally {
      worker.unref()
    }
  }

  await next()
  return {
    async checkpoint() {
      const answer = next()
      worker.postMessage('checkpoint')
      const message = await answer
      if (message === 'ready') throw new Error('the thread has started again')
      if (!('failure' in message)) return message
      const { message: text, errcode } = message.failure
      throw Object.assign(new Error(text), { errcode })
    },
    ended,
    async close() {
      worker.ref()
      worker.postMessage('close')
      await ended
    },
  }
}

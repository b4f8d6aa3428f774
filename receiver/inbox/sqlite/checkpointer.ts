import { type CheckpointThread, type Progress, startCheckpointThread } from './checkpoint-thread.ts'
import type { Database } from './driver.ts'
import { isInPlace, requireInPlace } from './files.ts'
import {
  checkpointHere,
  checkpoint as checkpointNow,
  commitFailed,
  isLogLong,
  isUncertain,
  LIMIT_PAGES,
  logLength,
  syncLog,
} from './log.ts'

/** Checkpoints the log of a database in another thread. */
export interface Checkpointer {
  /** Call it after each commit. It takes less than a microsecond on average. */
  committed(): void
  /** While it is set, the next commit must wait for it. */
  readonly pause: Promise<void> | undefined
  /** Starts a checkpoint if one is worth another thread. Call it when there are no commits. @returns whether one is running */
  startIfLong(): boolean
  /** Ends the thread after a running checkpoint. */
  close(): Promise<void>
}

export interface CheckpointerOptions {
  /** The length of the log at which the thread starts. The log is checkpointed by this thread then, so that should be short. */
  readonly startFrames?: number
  /** After how many frames the thread checkpoints the log. */
  readonly everyFrames?: number
  /** From which length on SQLite should start the log again. */
  readonly restartFrames?: number
  /** The length from which on commits checkpoint the log, if no thread can. */
  readonly limitFrames?: number
  /** The length at which commits wait for a running checkpoint, because the disk is too slow for both. */
  readonly mostFrames?: number
  /** How long commits may wait so that SQLite can start the log again, in milliseconds. */
  readonly pauseMs?: number
  /** How often the length of the log is read at most, in milliseconds. */
  readonly checkMs?: number
  readonly start?: (database: Database) => Promise<CheckpointThread>
}

/** When there are no commits, fewer frames are checkpointed in this thread, which then takes a few milliseconds. */
const LONG_FRAMES = 1000

/**
 * How often commits wait for it: first while the file is synced, and then for what was committed meanwhile. On a slow machine
 * that may take another time, which then lasts as long as it needs.
 */
const PAUSES = 3

/**
 * Checkpoints the log in another thread, which starts when the log first has some length. If the thread fails, commits checkpoint
 * the log, which blocks this thread; a warning of the process reports that once.
 *
 * The second connection is to the file what another process would be, so everything holds that holds for several processes.
 * In particular the checkpoint syncs the log through its own descriptor before it copies anything.
 *
 * SQLite starts the log again from its beginning only when all of it is in the file, and new commits would make it longer
 * while the thread copies. So at a certain length commits wait for the rest of the checkpoint, but only for a moment: it
 * syncs the file, which takes longer the first time, and hardly any time the next time.
 */
export function createCheckpointer(
  database: Database,
  path: string,
  {
    startFrames = 1000,
    everyFrames = 16_000,
    restartFrames = 16_000,
    limitFrames = LIMIT_PAGES,
    mostFrames = 100_000,
    pauseMs = 10,
    checkMs = 10,
    start = startCheckpointThread,
  }: CheckpointerOptions = {},
): Checkpointer {
  let thread: CheckpointThread | undefined
  let running: Promise<void> | undefined
  /** The thread failed, or must not be used. */
  let unusable = hasUrlParameters(path)
  const closing = new AbortController()
  let paused: { readonly ended: Promise<void>; readonly end: () => void } | undefined
  /** The next time at which the length of the log is read, in milliseconds of `performance.now`. */
  let checkAt = 0
  /** The length of the log at the last checkpoint; 0 if SQLite has started the log again. */
  let before = 0

  /** After how many more frames the log is checkpointed. */
  let due = startFrames

  function pause(): void {
    if (paused !== undefined) return
    let end = (): void => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    paused = { ended, end }
  }

  function resume(): void {
    paused?.end()
    paused = undefined
  }

  /** The length of the log, and how much longer it is than at the last checkpoint. */
  function measure(): { length: number; added: number } {
    const length = logLength(database)
    if (length < before) before = 0
    return { length, added: length - before }
  }

  function failed(reason: Error): void {
    if (unusable) return
    unusable = true
    process.emitWarning(warningOf(path, reason), { code: 'HOOKPROOF_CHECKPOINT_THREAD' })
  }

  async function watch(started: CheckpointThread): Promise<void> {
    const reason = await started.ended
    if (thread === started) failed(reason)
  }

  async function endThread(): Promise<void> {
    const ended = thread
    thread = undefined
    await ended?.close()
  }

  /** @returns undefined if it does not start. @throws Error if the thread must not checkpoint for now */
  async function startThread(): Promise<CheckpointThread | undefined> {
    let started: CheckpointThread
    try {
      started = await start(database)
    } catch (error) {
      failed(error as Error)
      return undefined
    }
    try {
      // The thread has opened the same files only if they are still in place.
      requireInPlace(database)
      // A failure to write is reported to each descriptor that was open then, and the thread may have opened its own later. So
      // this connection, which is older, syncs both files once.
      await syncLog(database)
      if (!checkpointHere(database)) throw new Error('another process prevents the checkpoint')
    } catch (error) {
      await started.close()
      throw error
    }
    return started
  }

  /** @throws Error of SQLite or the thread; InboxError if the files of the database were moved. */
  function checkpoint(by: CheckpointThread): Promise<Progress> {
    // The log of another database must not be touched.
    requireInPlace(database)
    return by.checkpoint()
  }

  /**
   * @param limitMs how long commits wait, in milliseconds; undefined: until the end
   * @returns whether the checkpoint ended before the next commit
   */
  async function checkpointInPause(by: CheckpointThread, limitMs?: number): Promise<boolean> {
    let inTime = true
    pause()
    const stop = (): void => {
      inTime = false
      resume()
    }
    const timer = limitMs === undefined ? undefined : setTimeout(stop, limitMs)
    try {
      const { log } = await checkpoint(by)
      before = Math.max(before, log)
      return inTime
    } finally {
      clearTimeout(timer)
      resume()
    }
  }

  async function run(): Promise<void> {
    before = measure().length
    due = everyFrames
    if (thread === undefined) {
      thread = await startThread()
      if (thread === undefined) return
      // Only now: a thread that has already ended would not yet be this one.
      void watch(thread)
    }
    before = Math.max(before, (await checkpoint(thread)).log)
    for (
      let pauses = 1;
      before >= restartFrames && pauses <= PAUSES && !closing.signal.aborted;
      pauses += 1
    ) {
      const limitMs = pauses < PAUSES && before < mostFrames ? pauseMs : undefined
      // In time, the entire log is in the file, or a reader prevents that.
      if (await checkpointInPause(thread, limitMs)) return
    }
  }

  function startRun(): void {
    running = run()
      // Nothing is lost, and the next write that fails will report why.
      .catch(async (error: unknown) => {
        commitFailed(database, error)
        // Its other descriptors may still report the failure when the disk works again.
        await endThread()
      })
      .finally(() => {
        running = undefined
        resume()
      })
  }

  const isIdle = (): boolean =>
    running === undefined && !unusable && !closing.signal.aborted && !isUncertain(database)

  return {
    committed() {
      const now = performance.now()
      if (now < checkAt) return
      checkAt = now + checkMs
      try {
        if (unusable) {
          if (isLogLong(database, limitFrames)) checkpointNow(database)
          return
        }
        if (before === 0 && !isLogLong(database, due)) return
        const { length, added } = measure()
        if (running !== undefined && length >= mostFrames) pause()
        else if (added >= due && isIdle()) startRun()
      } catch {
        // The commit succeeded, and the next one that fails will report why.
      }
    },
    get pause() {
      return paused?.ended
    },
    startIfLong() {
      if (isIdle() && isInPlace(database) && measure().added >= LONG_FRAMES) startRun()
      return running !== undefined
    },
    async close() {
      closing.abort()
      await running
      await endThread()
    },
  }
}

/** They may choose another way to lock the file, which both connections would have to use. */
const hasUrlParameters = (path: string): boolean => path.startsWith('file:') && path.includes('?')

const warningOf = (path: string, { message }: Error): string =>
  `inbox ${path}: the thread that checkpoints its log failed: ${message}. Nothing is lost, but checkpoints now delay deliveries by up to 0.1 s. Restart the process; if its code is bundled, put checkpoint-worker.mjs beside the bundle.`

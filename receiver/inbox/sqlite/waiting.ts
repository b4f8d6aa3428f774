import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './driver.ts'
import { resultCode, SQLITE } from './errors.ts'

/** How long a write waits for another process, in milliseconds. */
export const LOCK_TIMEOUT_MS = 1000

/** SQLite waits for other processes by blocking the event loop. Only statements outside the inbox may do so. */
export const MAY_WAIT = 'PRAGMA busy_timeout = 1000'

/** A statement that would wait for another process fails from now on. */
export const MAY_NOT_WAIT = 'PRAGMA busy_timeout = 0'

/** Begins a write transaction without waiting. In one call, because this is on the path of every delivery. */
export const BEGIN = `${MAY_NOT_WAIT}; BEGIN IMMEDIATE; ${MAY_WAIT}`

/** Runs some work whose statements fail instead of waiting for another process. */
export function withoutWaiting<Result>(database: Database, work: () => Result): Result {
  database.exec(MAY_NOT_WAIT)
  try {
    return work()
  } finally {
    database.exec(MAY_WAIT)
  }
}

/** Whether another process holds the lock that a statement needs. */
export const isLocked = (error: unknown): boolean => resultCode(error) === SQLITE.busy

/** Retries some work while another process locks the file, without blocking the event loop. */
export async function retryWhileLocked<Result>(work: () => Result, timeoutMs: number): Promise<Result> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isLocked(error) || performance.now() > deadline) throw error
    }
    await pause(5)
  }
}

import type { Database } from './database.ts'

/** Does a write together with all others of the same turn of the event loop; resolves when they are on the disk. */
export type Write = <Result>(work: () => Result) => Promise<Result>

interface Job {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (reason: unknown) => void
}

const writers = new WeakMap<Database, Write>()

/**
 * The writer of a database: what arrives in one turn shares one transaction, and so one sync of the disk, which costs
 * far more than the writes. A write that fails fails alone; a commit that fails fails them all. SPEC.md 6.
 */
export function writerOf(database: Database): Write {
  const known = writers.get(database)
  if (known !== undefined) return known

  let queue: Job[] = []
  const write: Write = (work) =>
    new Promise((resolve, reject) => {
      if (queue.push({ work, resolve, reject }) > 1) return
      setImmediate(() => {
        const jobs = queue
        queue = []
        commit(database, jobs)
      })
    })
  writers.set(database, write)
  return write
}

function commit(database: Database, jobs: readonly Job[]): void {
  const settled: (() => void)[] = []
  try {
    database.exec('BEGIN IMMEDIATE')
    for (const { work, resolve, reject } of jobs) {
      try {
        const result = work() as never
        settled.push(() => resolve(result))
      } catch (error) {
        settled.push(() => reject(error))
      }
    }
    database.exec('COMMIT')
  } catch (error) {
    rollBack(database)
    for (const { reject } of jobs) reject(error)
    return
  }
  for (const settle of settled) settle()
}

function rollBack(database: Database): void {
  try {
    database.exec('ROLLBACK')
  } catch {
    // A full disk, for one, has rolled it back already.
  }
}

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
// Syncs the log of a SQLite inbox and copies it into the file, so that no other thread waits for the disk: one request and one
// answer at a time, until the message 'close'. It is JavaScript because Node.js 20 cannot load TypeScript in a thread, and
// imports nothing but the driver.
import { parentPort, workerData } from 'node:worker_threads'

// The experimental warning of node:sqlite, which an operator cannot act on.
process.emitWarning = () => {}

const { path, isBuiltIn, settings } = workerData

// The same library as in the main thread: locks of two libraries in one process would release each other. Bundlers do not look
// for the package, since only Node.js 20 needs it.
const { DatabaseSync } = isBuiltIn
  ? process.getBuiltinModule('node:sqlite')
  : await import(
      /* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ '@photostructure/sqlite'
    )

const database = new DatabaseSync(path)
database.exec(settings)
const version = database.prepare('PRAGMA user_version')

const requests = {
  /** Commits what is there already. SQLite then syncs the log, and with it what other connections have committed. */
  sync() {
    database.exec('BEGIN IMMEDIATE')
    try {
      // The current number, because a newer program may have changed it.
      database.exec(`PRAGMA user_version = ${version.get().user_version}; COMMIT`)
    } catch (error) {
      rollBack()
      throw error
    }
    return true
  },
  /** @returns whether all of the log is in the file */
  copy: () => checkpoint('PASSIVE'),
  /** The same, and truncates the log. */
  truncate: () => checkpoint('TRUNCATE'),
}

parentPort.on('message', (request) => {
  if (request === 'close') {
    database.close()
    // Ends the thread only. `parentPort.close` does the same, but Deno has none.
    process.exit()
  }
  try {
    parentPort.postMessage({ result: requests[request]() })
  } catch ({ message, errcode }) {
    // A copy of an error would lack `errcode`.
    parentPort.postMessage({ failure: { message, errcode } })
  }
})
parentPort.postMessage('ready')

function checkpoint(mode) {
  const { busy, log, checkpointed } = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get()
  return busy === 0 && log === checkpointed
}

function rollBack() {
  try {
    database.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back already, for example because the disk is full.
  }
}

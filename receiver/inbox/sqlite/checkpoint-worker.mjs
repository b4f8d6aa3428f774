/* oxlint-disable unicorn/require-post-message-target-origin -- a thread has no origin */
// Checkpoints the log of a SQLite inbox in a thread of its own, one checkpoint for each message, until the message 'close'.
// It is JavaScript because Node.js 20 cannot load TypeScript in a thread, and imports nothing but the driver.
import { parentPort, workerData } from 'node:worker_threads'

// The experimental warning of node:sqlite, which an operator cannot act on.
process.emitWarning = () => {}

// The same library as in the main thread: locks of two libraries in one process would release each other.
const { DatabaseSync } = workerData.isBuiltIn
  ? process.getBuiltinModule('node:sqlite')
  : await import('@photostructure/sqlite')

const database = new DatabaseSync(workerData.location)
// A checkpoint syncs the log before it copies pages, and the file before the log may be started again.
database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0')
// Opens the log.
database.prepare('SELECT count(*) FROM sqlite_schema').get()
const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)')

parentPort.on('message', (message) => {
  if (message === 'close') {
    database.close()
    parentPort.close()
    return
  }
  try {
    const { busy, log, checkpointed } = checkpoint.get()
    parentPort.postMessage({ busy, log, checkpointed })
  } catch (error) {
    // A copy of an error lacks `errcode`.
    parentPort.postMessage({ failure: { message: error.message, errcode: error.errcode } })
  }
})
parentPort.postMessage('ready')

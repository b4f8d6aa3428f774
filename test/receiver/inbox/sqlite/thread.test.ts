import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../../../receiver/inbox/sqlite/database.ts'
import type { Database } from '../../../../receiver/inbox/sqlite/driver.ts'
import { startThread, type Thread } from '../../../../receiver/inbox/sqlite/thread.ts'
import { temporaryFile } from '../../../support/temporary.ts'

let database: Database
let thread: Thread

beforeEach(async () => {
  const path = temporaryFile('inbox.sqlite')
  database = await openDatabase(path)
  thread = await startThread(path, 'PRAGMA busy_timeout = 0')
})

afterEach(async () => {
  await thread.close()
  database.close()
})

test('keeps nothing of the requests that it has answered', async () => {
  // A promise keeps every reaction until it is settled, and this one is settled when the thread ends.
  const react = vi.spyOn(thread.ended, 'then')
  for (let request = 0; request < 1000; request += 1) await thread.ask('copy')
  expect(react).not.toHaveBeenCalled()
})

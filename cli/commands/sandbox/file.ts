import { rm } from 'node:fs/promises'
import { StoreError } from '../../../sandbox/store/database.ts'
import { openStore } from '../../../sandbox/store/store.ts'

/** SQLite's code for a damaged file. */
const DAMAGED = 11

/**
 * Removes the file of a sandbox, a damaged one too: for `--reset`.
 * @throws StoreError when it is not a sandbox's, or is in use; nothing was changed then
 */
export async function forget(path: string): Promise<void> {
  try {
    const store = await openStore(path)
    store.close()
  } catch (error) {
    if (!isDamaged(error)) throw error
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true })
}

function isDamaged(error: unknown): boolean {
  const code = error instanceof StoreError ? (error.cause as { errcode?: number } | undefined)?.errcode : 0
  return ((code ?? 0) & 0xff) === DAMAGED
}

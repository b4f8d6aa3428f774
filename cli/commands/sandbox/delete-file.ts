import { rm } from 'node:fs/promises'
import { isDamage, isMarked } from '../../../sandbox/store/database.ts'
import { openStore } from '../../../sandbox/store/store.ts'

/**
 * Deletes the file of a sandbox, even a damaged one whose header still says that it is one: for `--reset`.
 * @throws StoreError when the file is not a sandbox's or is in use; then nothing was changed
 */
export async function deleteFile(path: string): Promise<void> {
  try {
    const store = await openStore(path)
    store.close()
  } catch (error) {
    if (!isDamage(error) || !(await isMarked(path))) throw error
  }
  for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(path + suffix, { force: true })
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** An empty folder that exists until it is removed. */
export interface TemporaryFolder {
  readonly path: string
  remove(): void
}

export function createTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'hookproof-script-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

/** Runs some work in an empty folder and removes the folder afterwards, also when the work throws. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = createTemporaryFolder()
  try {
    return await work(folder.path)
  } finally {
    folder.remove()
  }
}

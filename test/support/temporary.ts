import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Removes something when the running test is over; concurrent tests pass their own. */
export type Finished = (clear: () => void | Promise<void>) => void

/** An empty folder that is removed after the running test. */
export function temporaryFolder(finished: Finished = onTestFinished): string {
  // The temporary folder of macOS is a link, and that of Windows may have a short name: programs print the real one.
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), 'hookproof-test-')))
  // Windows removes no file that a program still has open, and a program may be about to end.
  finished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }))
  return folder
}

/** The path of a file that does not exist yet, in a folder that is removed after the running test. */
export function temporaryFile(name: string, finished?: Finished): string {
  return join(temporaryFolder(finished), name)
}

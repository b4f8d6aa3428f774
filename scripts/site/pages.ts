import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { handlerPages } from './handlers.ts'

/** Writes the pages that follow from the catalogue, the examples and their results. */
export async function writePages(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  for (const pages of [handlerPages()]) {
    for (const [path, text] of pages) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
  }
}

import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { contractPages } from './cases.ts'
import { handlerPages } from './handlers/pages.ts'
import { matrixPage } from './matrix.ts'
import { writeSampleReport } from './sample-report.ts'
import { trustPart } from './trust.ts'

/**
 * Writes what follows from the catalogue, the examples and their results: pages, and a sample report.
 *
 * @param site the folder of the site
 */
export async function writePages(site: string): Promise<void> {
  const folder = join(site, 'pages')
  await rm(folder, { recursive: true, force: true })
  const beginning = await writeSampleReport(join(site, 'public'))
  const files = [
    ...handlerPages(),
    ...contractPages(),
    ...matrixPage(),
    ...trustPart(),
    ['sample-report.txt', beginning] as const,
  ]
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

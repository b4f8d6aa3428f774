// Makes the pictures of README.md: the HTML report of a receiver with one mistake, in light and dark. Needs Chromium on PATH.
//   tsx scripts/tools/pictures.ts    writes .github/pictures
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from '../../conformance/check.ts'
import { renderHtml } from '../../conformance/report/html/html.ts'
import { findChromium } from '../../test/browser/chromium.ts'
import { chromium } from '../../test/browser/launch.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { settingOf } from '../../test/mutants/proof/grade.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'

const OUTPUT = '.github/pictures'
const SIZE = { width: 1200, height: 750 }
const SECRET = 'whsec_of_the_pictures'

mkdirSync(OUTPUT, { recursive: true })
const executablePath = await findChromium()
if (executablePath === undefined) throw new Error('Chromium is not on PATH')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, 'report.html')
    writeFileSync(file, await reportOfMistake())
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' })
      await page.goto(pathToFileURL(file).href)
      await page.screenshot({ path: join(OUTPUT, `report-${colorScheme}.png`) })
    }
  })
} finally {
  await browser.close()
}

/** The report of a receiver that verifies JSON which was serialized again. */
async function reportOfMistake(): Promise<string> {
  const mutant = MUTANTS['re-serializes the body']
  if (mutant === undefined) throw new Error('no mutant serializes the body again')
  const { url, stop } = await startReceiver(SECRET, { behavior: settingOf(mutant).behavior ?? {} })
  try {
    return renderHtml(await check({ url, secret: SECRET, seed: 'pictures' }))
  } finally {
    stop()
  }
}

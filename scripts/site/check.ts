// Checks the built site: links and anchors, the weight of its scripts, and one page of each type in Chromium.
//   npm run site:check
//   npm run site:check -- --screenshots reports/site    also takes a picture of each page
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { browserFaults } from './browser.ts'
import { deadLinks, filesIn } from './links.ts'
import { serve } from './serve.ts'
import { MOST_SCRIPT_BYTES, scriptBytes } from './weight.ts'

const FOLDER = 'site/.vitepress/dist'

const { values } = parseArgs({ options: { screenshots: { type: 'string' } } })
const { homepage } = JSON.parse(readFileSync('package.json', 'utf8')) as { homepage: string }
const base = new URL(homepage).pathname

const pages = filesIn(FOLDER).filter((file) => file.endsWith('.html'))
const weights = pages.map((page) => ({ page, bytes: scriptBytes(FOLDER, base, page) }))
const heavy = weights.filter(({ page, bytes }) => page !== 'sample-report.html' && bytes > MOST_SCRIPT_BYTES)
const most = Math.max(...weights.map(({ bytes }) => bytes))
const faults = [
  ...deadLinks(FOLDER, base),
  ...heavy.map(
    ({ page, bytes }) => `${page}: ${bytes} bytes of compressed JavaScript, more than ${MOST_SCRIPT_BYTES}`,
  ),
]
console.log(`${pages.length} pages, at most ${(most / 1000).toFixed(1)} kB of compressed JavaScript each`)

const { url, server } = await serve(FOLDER, base)
try {
  faults.push(...(await browserFaults(url, values.screenshots)))
} finally {
  server.closeAllConnections()
  server.close()
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else console.log('Every link resolves, and axe finds nothing.')

// Checks the built site: that no part is missing, links and anchors, the weight of its scripts, and in Chromium
// one page of each type and the search.
//   npm run site -- check
import { readFileSync } from 'node:fs'
import { browserFaults } from './browser.ts'
import {
  deadFileLinks,
  deadLinks,
  expectedParts,
  filesIn,
  markupInText,
  missingParts,
  repositoryScripts,
  scriptBytes,
  weightFaults,
} from './built.ts'
import { serve } from './serve.ts'

const FOLDER = 'site/.vitepress/dist'

const { homepage, repository } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  homepage: string
  repository: { url: string }
}
const base = new URL(homepage).pathname

const pages = filesIn(FOLDER).filter((file) => file.endsWith('.html'))
const weights = pages.map((page) => ({ page, bytes: scriptBytes(FOLDER, base, page) }))
const most = Math.max(...weights.map(({ bytes }) => bytes))
const parts = expectedParts()
const faults = [
  ...missingParts(FOLDER, parts),
  ...markupInText(FOLDER, pages),
  ...repositoryScripts(FOLDER, pages),
  ...deadLinks(FOLDER, base),
  ...deadFileLinks(FOLDER, repository.url.replace(/^git\+|\.git$/g, ''), '.'),
  ...weightFaults(weights),
]
console.log(`${parts.length} parts of pages are expected`)
console.log(`${pages.length} pages, at most ${(most / 1000).toFixed(1)} kB of compressed JavaScript each`)

const { url, server } = await serve(FOLDER, base)
try {
  faults.push(...(await browserFaults(url)))
} finally {
  server.closeAllConnections()
  server.close()
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exitCode = 1
else
  console.log('No part is missing, every link resolves, the search finds its pages, and axe finds nothing.')

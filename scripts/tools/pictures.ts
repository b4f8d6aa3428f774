// Makes the pictures of README.md: the HTML report of a receiver with one mistake, and the console of the sandbox, each in light and
// dark. Needs Chromium on PATH, and Node.js with SQLite or its package.
//   tsx scripts/tools/pictures.ts    writes .github/pictures
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright-core'
import { check } from '../../conformance/check.ts'
import { renderHtml } from '../../conformance/report/html/html.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { settingOf } from '../../test/mutants/proof/grade.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'

const OUTPUT = '.github/pictures'
const SIZE = { width: 1200, height: 750 }
const SECRET = 'whsec_of_the_pictures'

mkdirSync(OUTPUT, { recursive: true })
const [executablePath = ''] = execFileSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).split(
  '\n',
)
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  await withTemporaryFolder(async (folder) => {
    const file = join(folder, 'report.html')
    writeFileSync(file, await reportOfMistake())
    await photograph(browser, 'report', pathToFileURL(file).href)
  })
  await withSandbox((url) => photograph(browser, 'sandbox', url, 'Events'))
} finally {
  await browser.close()
}

async function photograph(on: Browser, name: string, url: string, link?: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await on.newPage({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' })
    await page.goto(url)
    if (link !== undefined) await page.getByRole('navigation').getByRole('link', { name: link }).click()
    await page.waitForLoadState('load')
    await page.screenshot({ path: join(OUTPUT, `${name}-${colorScheme}.png`) })
    await page.close()
  }
}

/** The report of a receiver that verifies JSON which was serialized again. */
async function reportOfMistake(): Promise<string> {
  const [name] = Object.keys(MUTANTS).filter((one) => one === 're-serializes the body')
  const mutant = name === undefined ? undefined : MUTANTS[name]
  if (mutant === undefined) throw new Error('no mutant serializes the body again')
  const { url, stop } = await startReceiver(SECRET, { behavior: settingOf(mutant).behavior ?? {} })
  try {
    return renderHtml(await check({ url, secret: SECRET, seed: 'pictures' }))
  } finally {
    stop()
  }
}

/** A sandbox with payments in several states, and deliveries that were acknowledged. */
async function withSandbox(work: (url: string) => Promise<void>): Promise<void> {
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(request.url === '/webhooks' ? 200 : 500).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const { port } = receiver.address() as AddressInfo
  const sandbox = await createSandbox({
    routes: [`https://shop.example/=http://127.0.0.1:${port}/`],
  })
  const create = async (amount: string, more: object = {}): Promise<string> => {
    const response = await fetch(`${sandbox.apiUrl}/payments`, {
      method: 'POST',
      headers: {
        'User-Agent': 'hookproof-pictures',
        'X-API-Key': sandbox.testKey,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({
        amount,
        currency: 'USD',
        webhook_url: 'https://shop.example/webhooks',
        ...more,
      }),
    })
    const { id } = (await response.json()) as { id: string }
    return id
  }
  try {
    const paid = await create('25.00')
    sandbox.act(paid, { type: 'succeed', simulated: true })
    await sandbox.idle()
    sandbox.act(paid, { type: 'reverse', as: 'refund' })
    sandbox.act(await create('99.00'), { type: 'succeed', simulated: true })
    sandbox.act(await create('12.50', { webhook_url: 'https://shop.example/old' }), {
      type: 'fail',
      code: 'card_declined',
    })
    await create('40.00')
    await sandbox.idle()
    await work(sandbox.url)
  } finally {
    await sandbox.close()
    receiver.close()
  }
}

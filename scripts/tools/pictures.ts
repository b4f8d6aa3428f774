// Makes the pictures of README.md and docs/, each in light and dark. Needs Chromium on PATH.
//   tsx scripts/tools/pictures.ts             writes .github/pictures
//   tsx scripts/tools/pictures.ts crash       makes only this one
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { check } from '../../conformance/check.ts'
import { crash } from '../../conformance/crash/crash.ts'
import { renderHtml } from '../../conformance/report/html/html.ts'
import { renderTerminal } from '../../conformance/report/terminal/terminal.ts'
import { escapeHtml } from '../../conformance/report/text.ts'
import { createSandbox } from '../../sandbox/index.ts'
import { findChromium } from '../../test/browser/chromium.ts'
import { chromium } from '../../test/browser/launch.ts'
import { MUTANTS } from '../../test/mutants/mutants.ts'
import { settingOf } from '../../test/mutants/proof/grade.ts'
import { startReceiver } from '../../test/mutants/receiver.ts'
import { freePort } from '../shared/free-port.ts'
import { withTemporaryFolder } from '../shared/temporary-folder.ts'

const OUTPUT = '.github/pictures'
const SECRET = 'whsec_of_the_pictures'
const SHOWN_URL = 'http://localhost:3000/webhooks'

/** Shows an address to the browser, which takes the picture while it is there. */
type Show = (address: string, height: number) => Promise<void>

const PICTURES: Readonly<Record<string, (show: Show, folder: string) => Promise<void>>> = {
  async report(show, folder) {
    await show(page(folder, await reportOfMistake()), 750)
  },

  /** What a receiver that stores after the 200 loses. */
  async crash(show, folder) {
    const url = `http://127.0.0.1:${await freePort()}/webhooks`
    const observe = url.replace('webhooks', 'observe')
    const report = await crash({
      url,
      secret: SECRET,
      seed: 'pictures',
      start: `exec node ${join(process.cwd(), 'test/crash/receiver.mjs')}`,
      observe,
      cwd: folder,
      rounds: 3,
      recoverWithinMs: 2_000,
      env: { ...process.env, BEHAVIOR: 'write-behind', STORE: folder },
    })
    const text = renderTerminal(report, { color: true, short: true, columns: 96 })
      .replaceAll(url, SHOWN_URL)
      .replaceAll(observe, SHOWN_URL.replace('webhooks', 'observe'))
      .replaceAll(/exec node \S*receiver\.mjs/g, 'node server.js')
    const command = `npx hookproof crash ${SHOWN_URL} --start "node server.js" --observe …`
    await show(page(folder, terminal(command, text)), 0)
  },

  /** What ten seconds of load on a receiver print. */
  async load(show, folder) {
    const { url, stop } = await startReceiver(SECRET)
    try {
      const options = ['--rate', '200', '--duration', '10']
      const { stdout } = await promisify(execFile)(
        'node_modules/.bin/tsx',
        ['cli/main.ts', 'load', url, ...options],
        { env: { ...process.env, HOOKPROOF_SECRET: SECRET } },
      )
      await show(page(folder, terminal(`npx hookproof load ${SHOWN_URL} ${options.join(' ')}`, stdout)), 0)
    } finally {
      stop()
    }
  },

  /** The page of an event of a payment that somebody paid in the sandbox. */
  async sandbox(show) {
    // The same seed makes the same secret.
    const first = await createSandbox({ seed: 'pictures' })
    await first.close()
    const { url, stop } = await startReceiver(first.secret)
    const routes = [`https://shop.example/=${new URL(url).origin}/`]
    const sandbox = await createSandbox({ routes, seed: 'pictures' })
    try {
      const response = await fetch(`${sandbox.apiUrl}/payments`, {
        method: 'POST',
        headers: { 'X-API-Key': sandbox.testKey, 'Content-Type': 'application/json' },
        body: JSON.stringify({
          amount: '25.00',
          currency: 'USD',
          webhook_url: 'https://shop.example/webhooks',
          metadata: { order: '1042' },
        }),
      })
      const { id } = (await response.json()) as { id: string }
      const { event } = sandbox.act(id, { type: 'succeed', simulated: true })
      await sandbox.idle()
      await show(`${sandbox.url}/dashboard/tea-house/events/${event?.id}`, 800)
    } finally {
      await sandbox.close()
      stop()
    }
  },
}

mkdirSync(OUTPUT, { recursive: true })
const wanted = process.argv.slice(2)
const executablePath = await findChromium()
if (executablePath === undefined) throw new Error('Chromium is not on PATH')
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
try {
  for (const [name, make] of Object.entries(PICTURES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    await withTemporaryFolder((folder) =>
      make(async (address, height) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          const viewport = { width: height === 0 ? 940 : 1200, height: height || 100 }
          const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' })
          const response = await page.goto(address)
          if (response?.ok() === false) throw new Error(`${address} answers ${response.status()}`)
          const path = join(OUTPUT, `${name}-${colorScheme}.png`)
          await page.screenshot({ path, fullPage: height === 0 })
          await page.close()
        }
      }, folder),
    )
  }
} finally {
  await browser.close()
}

/** Writes a page. @returns its address */
function page(folder: string, html: string): string {
  const file = join(folder, 'page.html')
  writeFileSync(file, html)
  return pathToFileURL(file).href
}

/** The report of a receiver that verifies JSON which was serialized again. */
async function reportOfMistake(): Promise<string> {
  const mutant = MUTANTS['re-serializes the body']
  if (mutant === undefined) throw new Error('no mutant serializes the body again')
  const { url, stop } = await startReceiver(SECRET, { behavior: settingOf(mutant).behavior ?? {} })
  try {
    // How busy the machine was that makes the picture says nothing about the receiver.
    const { stalledMs: _, ...report } = await check({ url, secret: SECRET, seed: 'pictures' })
    return renderHtml(report)
  } finally {
    stop()
  }
}

/** A terminal with a command and what it printed, whose colors become those of the page. */
function terminal(command: string, printed: string): string {
  const styles: Readonly<Record<string, string>> = {
    1: 'bold',
    2: 'dim',
    31: 'red',
    32: 'green',
    33: 'yellow',
  }
  let open = 0
  const text = escapeHtml(printed.replaceAll('\u001b', '␛')).replaceAll(/␛\[(\d+)m/g, (_, code: string) => {
    const style = styles[code]
    if (style !== undefined) open++
    else if (open > 0) open--
    else return ''
    return style === undefined ? '</span>' : `<span class="${style}">`
  })
  return `<!doctype html><meta charset="utf-8"><style>
    :root { color-scheme: light dark; --red: #8c1d18; --green: #064e36; --yellow: #5c3a00; --dim: #5a5a64 }
    @media (prefers-color-scheme: dark) { :root { --red: #ff8a80; --green: #5fd3a8; --yellow: #f0b429; --dim: #a8a8b0 } }
    body { margin: 0; background: light-dark(#fff, #1b1b1f) }
    pre { margin: 0; padding: 24px 28px; font: 15px/1.5 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere }
    .bold { font-weight: bold } .dim { color: var(--dim) } .red { color: var(--red) } .green { color: var(--green) } .yellow { color: var(--yellow) }
  </style><pre><span class="dim">$</span> <b>${escapeHtml(command)}</b>\n\n${text.trimEnd()}</pre>`
}

import { spawn } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { correct, SECRETS, serving } from '../conformance/services/receiver.ts'
import { addPackages, type Installed, type Outcome, packAndInstall, runWith } from '../package/install.ts'
import { freePort, listensOn } from '../support/free-port.ts'
import { until } from '../support/until.ts'

/** The files that the blocks name: a receiver, and a command that shows its effects. */
const FILES = {
  'server.js': `process.argv.push('receive', '--observe')
await import('./node_modules/hookproof/dist/cli/main.js')\n`,
  'app.py': `import os\nos.execvp('node', ['node', 'server.js'])\n`,
  'show-effects.js': `const { PORT } = process.env
const shown = await fetch(\`http://localhost:\${PORT}/observe?payment_id=\${process.argv.at(-1)}\`)
console.log(await shown.text())\n`,
}
const SECRET = 'whsec_of_the_blocks_of_the_pages'
const GRADED = /^Conformant in the (?:core|full) profile/m

/** By the page: how each block of commands is run, in order; a text names the tests that run it. */
const BLOCKS: Readonly<Record<string, readonly (((block: string) => Promise<void>) | string)[]>> = {
  'README.md': [
    async (block) => {
      const { stdout } = await serving('stripe', correct('stripe'), (url) =>
        shell(block, { url, secret: SECRETS.stripe }),
      )
      expect(stdout).toMatch(/^Conformant/m)
    },
    '.ci/run: the first and the second command of README.md',
    'test/package/managers.test.ts, with the packed packages',
    'test/cli/sandbox',
  ],
  'docs/check.md': [
    graded,
    'test/cli/tls.test.ts',
    async (block) => {
      const { stdout } = await shell(block)
      expect(stdout.match(new RegExp(GRADED, 'gm'))).toHaveLength(2)
    },
    async (block) => {
      for (const name of ['reports/hookproof.json', 'old.json', 'new.json'])
        copyFileSync(join(installed.folder, 'saved.json'), join(installed.folder, name))
      const { stdout } = await shell(block)
      expect(stdout).toContain('No outcome changed.')
      expect(readFileSync(join(installed.folder, 'reports/hookproof.html'), 'utf8')).toContain('onformant')
    },
    graded,
    // Its last command starts a program for each look: it grades one section.
    (block) => graded(`${block.trimEnd()} --only duplicates`),
    async (block) => {
      const { stdout } = await shell(block)
      expect(stdout).toMatch(/^Conformant/m)
    },
  ],
}

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall('hookproof')
  // What Node.js 20 needs for SQLite.
  addPackages(installed.folder, '@photostructure/sqlite')
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(installed.folder, name), text)
  writeFileSync(join(installed.folder, 'package.json'), '{ "type": "module" }')
  for (const name of ['bin', 'reports']) mkdirSync(join(installed.folder, name))
  // Debian has it by another name.
  symlinkSync('/usr/bin/python3', join(installed.folder, 'bin/python'))
  const save =
    'npx hookproof check http://localhost:3000/webhooks --start "node server.js" --only transport --report json=saved.json'
  await shell(save)
})

afterAll(() => installed?.remove())

/** Runs a block in a folder with hookproof, at a free port and with a secret; the first command that fails ends it. */
async function shell(
  block: string,
  { url, port, secret = SECRET }: { url?: string; port?: number; secret?: string } = {},
): Promise<Outcome> {
  const own = port ?? (await freePort())
  const printed = block
    .replaceAll('http://localhost:3000/webhooks', url ?? 'http://localhost:3000/webhooks')
    .replaceAll(/localhost:(?:3000|8000)/g, `localhost:${own}`)
    .replaceAll('whsec_...', secret)
  const env = {
    PATH: [join(installed.folder, 'bin'), process.env['PATH']].join(delimiter),
    HOOKPROOF_SECRET: secret,
    PORT: String(own),
  }
  const outcome = await runWith(env, installed.folder, 'bash', '-ec', printed)
  expect(outcome, `${outcome.stdout}${outcome.stderr}`).toMatchObject({ code: 0 })
  return outcome
}

/** Runs a block beside a receiver that is running already. */
async function graded(block: string): Promise<void> {
  const port = await freePort()
  const env = { ...process.env, HOOKPROOF_SECRET: SECRET, PORT: String(port) }
  const receiver = spawn(process.execPath, ['server.js'], { cwd: installed.folder, env, stdio: 'ignore' })
  onTestFinished(() => void receiver.kill('SIGKILL'))
  await until(() => listensOn(port))
  const { stdout } = await shell(block, { port })
  expect(stdout).toMatch(GRADED)
}

describe.each(Object.entries(BLOCKS))('the commands of %s run as printed', (page, how) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^ *```sh\n([^]*?)```/gm)].map(
    ([, code = '']) => code,
  )

  test('each of them is run by a test', () => {
    expect(blocks).toHaveLength(how.length)
  })

  test.each(
    blocks.flatMap((block, at) => (typeof how[at] === 'function' ? [[block, how[at]] as const] : [])),
  )('%s', (block, run) => run(block))
})

import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
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
const GRADED_IN_PART = /^Conformant in the \d+ cases selected/m

/**
 * How each block of a page is run, in order: by a function here, or by the tests in a file; `not code` gives the reason. Those that
 * run here do so on one version of Node.js: their options use nothing that differs between versions, and .ci/on-node runs `check`
 * and the receiver on the others. `<node> node_modules/vitest/vitest.mjs run ...` runs the blocks on another one.
 */
const BLOCKS: Readonly<Record<string, readonly (((block: string) => Promise<void>) | string)[]>> = {
  'README.md': [
    async (block) => {
      const { stdout } = await serving('stripe', correct('stripe'), (url) =>
        shell(block, { url, secret: SECRETS.stripe }),
      )
      expect(stdout).toMatch(/^Conformant/m)
    },
    '.ci/run: the first and the second command of README.md',
    'not code: a picture',
    'test/package/managers.test.ts: with the packed packages',
    'test/docs/frameworks.system.test.ts: on two versions of Node.js; scripts/proofs/runtimes: on Bun and Deno',
    'test/cli/sandbox: each of its two commands',
  ],
  'receiver/README.md': [
    'test/package/managers.test.ts: the same command as in README.md',
    'test/docs/frameworks.system.test.ts: the same receiver as in README.md',
    'test/docs/frameworks.system.test.ts: each of its three lines in an app of its framework',
    'test/package/copy.test.ts: compiled beside the copied files, and graded',
  ],
  'docs/frameworks.md': [
    'test/docs/frameworks.system.test.ts: before each block that continues it',
    ...['Express', 'Fastify', 'Hono'].map(framework),
    ...['next.config.mjs', 'app/webhooks/route.js'].map(
      (file) => `scripts/proofs/runtimes/runtimes.ts: ${file}, with Next.js 15 and 16`,
    ),
    ...['SvelteKit', 'React Router'].map(framework),
    'scripts/proofs/runtimes/runtimes.ts: Nuxt',
    'scripts/proofs/runtimes/runtimes.ts: Elysia, on Bun',
    ...['Koa', 'NestJS', 'AWS Lambda'].map(framework),
  ],
  'docs/check.md': [
    graded,
    'test/cli/tls.test.ts: each option',
    async (block) => {
      const { stdout } = await shell(block)
      expect(stdout.match(new RegExp(GRADED, 'gm'))).toHaveLength(2)
    },
    'test/action/workflow.system.test.ts: with the action',
    async (block) => {
      for (const name of ['reports/hookproof.json', 'old.json', 'new.json'])
        copyFileSync(join(installed.folder, 'saved.json'), join(installed.folder, name))
      const { stdout } = await shell(block)
      expect(stdout).toContain('No outcome changed.')
      expect(readFileSync(join(installed.folder, 'reports/hookproof.html'), 'utf8')).toContain('onformant')
    },
    'not code: the first line of a report',
    'test/action/workflow.system.test.ts: followed by the pipeline',
    graded,
    'test/docs/readme.system.test.ts: valid under the schema of baselines',
    // Its last command starts a program for each look: it grades a few cases.
    (block) => graded(`${block.trimEnd()} --only 'duplicates/delivered-*'`),
    'test/docs/readme.system.test.ts: valid under the schema of observations',
    // After a second instead of half an hour, in the section with copies of events.
    (block) => graded(`${block.trimEnd().replace(/ 1800$/, ' 1')} --only duplicates`, GRADED_IN_PART),
    async (block) => {
      const { stdout } = await shell(block)
      expect(stdout).toMatch(/^Conformant/m)
    },
  ],
  'docs/testing.md': [
    ...['Vitest', 'node:test', 'a service'].map((name) => `test/runners/docs.system.test.ts: with ${name}`),
    'test/runners/docs.system.test.ts: the message of a real failure',
  ],
}

function framework(name: string): string {
  return `test/docs/frameworks.system.test.ts: ${name}`
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
  // `npx` and the receivers run on the version of Node.js that the tests run on.
  symlinkSync(process.execPath, join(installed.folder, 'bin/node'))
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

/** Runs a block beside a receiver that is running already, which must be said to be conformant. */
async function graded(block: string, expected = GRADED): Promise<void> {
  const port = await freePort()
  const env = { ...process.env, HOOKPROOF_SECRET: SECRET, PORT: String(port) }
  const receiver = spawn(process.execPath, ['server.js'], { cwd: installed.folder, env, stdio: 'ignore' })
  onTestFinished(() => void receiver.kill('SIGKILL'))
  await until(() => listensOn(port))
  const { stdout } = await shell(block, { port })
  expect(stdout).toMatch(expected)
}

describe.each(Object.entries(BLOCKS))('the blocks of %s run as printed', (page, how) => {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^ *```\w+\n([^]*?)```/gm)].map(
    ([, code = '']) => code,
  )

  test('each of them is run by a test, or is no code', () => {
    expect(blocks).toHaveLength(how.length)
    const files = how.flatMap((by) => (typeof by === 'string' ? [by.split(':')[0] ?? ''] : []))
    expect(files.filter((file) => file !== 'not code' && !existsSync(file))).toEqual([])
  })

  const here = blocks.flatMap((block, at) => {
    const run = how[at]
    return typeof run === 'function' ? [[block, run] as const] : []
  })
  if (here.length > 0) test.each(here)('%s', (block, run) => run(block))
})

// Builds the site, checks it, or serves it while its Markdown changes.
//   npm run site             checks the types of the site, and writes site/.vitepress/dist
//   npm run site -- check    checks that, and tests its signature debugger in Chromium
//   npm run site -- dev      serves it at http://localhost:5173
import { spawnSync } from 'node:child_process'
import { correctAnchors, writePages } from './pages.ts'

const SITE = 'site'

const [command = 'build'] = process.argv.splice(2, 1)
if (command === 'check') {
  await import('./check.ts')
  run('npx', ['vitest', 'run', '--config', 'test/site/vitest.config.ts'])
} else await build()

async function build(): Promise<void> {
  run('node', ['scripts/tools/install.mjs', SITE])
  // Not named tsconfig.json: linters of the repository would read it, and its types are installed with the site only.
  if (command === 'build')
    run('node', [`${SITE}/node_modules/vue-tsc/bin/vue-tsc.js`, '-p', `${SITE}/tsconfig.vue.json`])
  await writePages(SITE)
  run('node', [`${SITE}/node_modules/typedoc/bin/typedoc`, '--options', `${SITE}/typedoc.json`])
  correctAnchors(`${SITE}/pages/api`)
  // A quarter of the time is garbage collection: more of it with the usual young generation of 16 MB, and with several threads
  // it takes no less time, but a third of the other core.
  const collection = ['--max-semi-space-size=128', '--single-threaded-gc']
  run('node', [...collection, `${SITE}/node_modules/vitepress/bin/vitepress.js`, command, SITE])
}

/** @throws Error if the program fails */
function run(program: string, args: readonly string[]): void {
  const { status, signal } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? status}`)
}

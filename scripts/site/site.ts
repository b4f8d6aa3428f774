// Builds the site, checks it, or serves it while its Markdown changes.
//   npm run site             checks the types of the site, and writes site/.vitepress/dist
//   npm run site -- check    checks that, and tests its signature debugger in Chromium
//   npm run site -- dev      serves it at http://localhost:5173
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { correctAnchors, writePages } from './pages.ts'

const SITE = 'site'

const [command = 'build'] = process.argv.splice(2, 1)
if (command === 'check') {
  await import('./check.ts')
  run('npx', ['vitest', 'run', '--config', 'test/site/vitest.config.ts'])
} else await build()

async function build(): Promise<void> {
  install()
  // Not named tsconfig.json: linters of the repository would read it, and its types are installed with the site only.
  if (command === 'build')
    run('node', [`${SITE}/node_modules/vue-tsc/bin/vue-tsc.js`, '-p', `${SITE}/tsconfig.vue.json`])
  await writePages(SITE)
  run('node', [`${SITE}/node_modules/typedoc/bin/typedoc`, '--options', `${SITE}/typedoc.json`])
  correctAnchors(`${SITE}/pages/api`)
  run('node', [`${SITE}/node_modules/vitepress/bin/vitepress.js`, command, SITE])
}

/** Installs the packages of the site, which the root does not install, unless they are those of its lock file. */
function install(): void {
  if (packagesIn(`${SITE}/package-lock.json`) === packagesIn(`${SITE}/node_modules/.package-lock.json`))
    return
  run('npm', ['ci', '--prefix', SITE, '--ignore-scripts', '--no-audit', '--no-fund'])
}

/** The packages of a lock file as text. npm leaves the entry of the project, and packages for other systems, out of the one it installed. */
function packagesIn(file: string): string {
  try {
    const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
      packages: Record<string, { version: string; optional?: boolean }>
    }
    const entries = Object.entries(packages).filter(
      ([path, { optional }]) => path !== '' && optional !== true,
    )
    return entries
      .map(([path, { version }]) => `${path}@${version}`)
      .toSorted()
      .join('\n')
  } catch {
    return `no ${file}`
  }
}

/** @throws Error if the program fails */
function run(program: string, args: readonly string[]): void {
  const { status, signal } = spawnSync(program, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${[program, ...args].join(' ')} ended with ${signal ?? status}`)
}

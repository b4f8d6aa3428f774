import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { type Installed, packAndInstall, runWith } from './install.ts'

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall('hookproof')
})

afterAll(() => installed?.remove())

/** How a package manager is run, each of one version, from npm; and how it runs hookproof and a receiver, as the pages say. */
const MANAGERS = {
  pnpm: { npx: ['--yes', 'pnpm@10.34.9'], hookproof: ['exec', 'hookproof'], start: 'node receiver.js' },
  "Yarn with Plug'n'Play": {
    npx: ['--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn'],
    hookproof: ['hookproof'],
    start: 'yarn node receiver.js',
  },
}

/** In CI both would demand a lock file. */
const UNLOCKED = {
  npm_config_frozen_lockfile: 'false',
  YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
  YARN_ENABLE_TELEMETRY: '0',
}

const hasSqlite = process.getBuiltinModule('node:sqlite') !== undefined
const sqlite = hasSqlite ? {} : { '@photostructure/sqlite': '^1' }

test.each(Object.entries(MANAGERS))(
  '%s installs both packages, and the receiver of README.md is conformant',
  async (_, { npx, hookproof, start }) => {
    const folder = temporaryFolder()
    const [receiver] = installed.others
    const own = { '@hookproof/receiver': `file:${receiver}` }
    const manifest = {
      private: true,
      type: 'module',
      dependencies: { ...own, express: '^5', ...sqlite },
      devDependencies: { hookproof: `file:${installed.tarball}` },
      // The release may not be published yet: Yarn reads it here, and pnpm in its own file.
      resolutions: own,
    }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    writeFileSync(join(folder, 'pnpm-workspace.yaml'), JSON.stringify({ overrides: own }))
    // A lock file makes it a project of its own.
    writeFileSync(join(folder, 'yarn.lock'), '')
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? []
    writeFileSync(join(folder, 'receiver.js'), code)
    const port = await freePort()
    const env = {
      ...UNLOCKED,
      HOOKPROOF_SECRET: 'whsec_of_the_package_managers',
      PORT: String(port),
    }
    const run = (...args: string[]) => runWith(env, folder, 'npx', ...npx, ...args)

    const added = await run('install')
    expect(added, added.stdout).toMatchObject({ code: 0 })
    const url = `http://127.0.0.1:${port}/webhooks`
    const graded = await run(...hookproof, 'check', url, '--start', start)
    expect(graded.stdout, graded.stderr).toMatch(/^Conformant in the core profile: (\d+) passed of \1 cases/m)
    expect(graded.code).toBe(0)
  },
)

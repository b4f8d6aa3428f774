import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort, listensOn } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { until } from '../support/until.ts'
import { type Installed, packAndInstall, runWith } from './install.ts'

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall('hookproof')
})

afterAll(() => installed?.remove())

/** How a package manager is run, each of one version, from npm; and how it runs hookproof and a receiver, as the pages say. */
const MANAGERS = {
  pnpm: {
    npx: '--yes pnpm@10.34.9',
    hookproof: 'exec hookproof',
    direct: 'pnpm exec hookproof',
    start: 'node receiver.js',
  },
  "Yarn with Plug'n'Play": {
    npx: '--yes --package @yarnpkg/cli-dist@4.18.1 yarn',
    hookproof: 'hookproof',
    direct: 'yarn hookproof',
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

/** What a page prints first for a command: `sandbox` as `npx hookproof sandbox`. */
function printed(page: string, command: string): string {
  const [words] = new RegExp(`npx hookproof ${command}[^\`\\n#]*`).exec(readFileSync(page, 'utf8')) ?? []
  if (words === undefined) throw new Error(`${page} has no ${command}`)
  return words.trim()
}

/** Starts a command, which ends with the test. @returns what it has printed so far */
function running(command: string, cwd: string, env: NodeJS.ProcessEnv): () => string {
  const child = spawn('bash', ['-c', command], { cwd, env: { ...process.env, ...env }, detached: true })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece: Buffer) => {
      text += piece
    })
  // The manager runs it in a process of its own.
  onTestFinished(() => {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  })
  return () => text
}

test.each(Object.entries(MANAGERS))(
  '%s installs both packages, and runs the receiver of README.md, init, check, sandbox, listen and trigger as printed',
  async (_, { npx, hookproof, direct, start }) => {
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
    const [port, sandboxPort] = [await freePort(), await freePort()]
    const env = {
      ...UNLOCKED,
      HOOKPROOF_SECRET: 'whsec_of_the_package_managers',
      HOOKPROOF_SANDBOX: `http://127.0.0.1:${sandboxPort}`,
      PORT: String(port),
    }
    const manager = `npx ${npx}`
    /** A command of a page for this manager, at the ports of this test. */
    const ours = (command: string) =>
      command
        .replaceAll('npx hookproof', `${manager} ${hookproof}`)
        .replaceAll('localhost:3000', `localhost:${port}`)
    const run = (command: string) => runWith(env, folder, 'bash', '-c', ours(command))

    const added = await run(`${manager} install`)
    expect(added, added.stdout).toMatchObject({ code: 0 })
    const init = await run(printed('docs/check.md', 'init'))
    expect(init).toMatchObject({ code: 0 })
    expect(init.stdout).toContain(`  ${direct} check\n`)
    expect(init.stdout).not.toContain('npx')
    expect(existsSync(join(folder, '.github/workflows/hookproof.yml'))).toBe(true)
    const graded = await run(`npx hookproof check --start "${start}"`)
    expect(graded.stdout, graded.stderr).toMatch(/^Conformant in the core profile: (\d+) passed of \1 cases/m)
    expect(graded.code).toBe(0)

    const sandbox = running(`${ours(printed('README.md', 'sandbox'))} --port ${sandboxPort}`, folder, env)
    await until(() => listensOn(sandboxPort))
    const listen = running(ours(printed('README.md', 'listen')), folder, env)
    await until(() => /signed with whsec_\w+/.test(listen()))
    const [secret] = /whsec_\w+/.exec(listen()) ?? []
    expect(sandbox()).toContain(secret)
    running(start.replace(/^yarn/, manager), folder, { ...env, HOOKPROOF_SECRET: secret })
    await until(() => listensOn(port))
    expect(await run(printed('docs/sandbox.md', 'trigger'))).toMatchObject({ code: 0 })
    await until(() => /<-- payment\.completed .* 200 in/.test(listen()))
  },
  300_000,
)

import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { packAndInstall } from '../package/install.ts'
import { freePort } from '../support/free-port.ts'
import { temporaryFolder } from '../support/temporary.ts'
import { MAIN, runStep, scriptOf } from './support.ts'

const GRADE = 'Grade the receiver'
const OUTCOME = 'Write the outcome'
const secret = ['secret', 'whsec_action'] as const

describe('the action', () => {
  test('starts the receiver, grades it, and writes a summary and all reports', async () => {
    const folder = temporaryFolder()
    const reports = join(folder, 'reports')
    const [summary, outputs] = [join(folder, 'summary.md'), join(folder, 'outputs')]
    const port = await freePort()
    const given = new Map([
      secret,
      ['url', `http://127.0.0.1:${port}/webhooks`],
      ['start', `"${process.execPath}" "${MAIN}" receive --port ${port} --inbox memory --observe`],
      ['observe', `http://127.0.0.1:${port}/observe`],
      ['reports', reports],
    ])
    const options = {
      cwd: process.cwd(),
      folder,
      env: { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: outputs },
    }

    expect(runStep(GRADE, given, options)).toMatchObject({ status: 0 })
    for (const name of ['hookproof.json', 'hookproof.xml', 'hookproof.html', 'hookproof.md']) {
      expect(existsSync(join(reports, name)), name).toBe(true)
    }
    expect(runStep(OUTCOME, given, options)).toMatchObject({ status: 0, stdout: '' })
    expect(readFileSync(summary, 'utf8')).toContain('onformant')
    const report = join(reports, 'hookproof.html')
    expect(readFileSync(outputs, 'utf8')).toBe(`conclusion=conformant\ngrade=A+\nreport=${report}\n`)
  })

  test('passes no input through the text of a script, where it could run as code', () => {
    for (const step of [GRADE, OUTCOME]) expect(scriptOf(step)).not.toContain('${{')
  })

  test('prefers the hookproof that the project has installed', () => {
    const cwd = temporaryFolder()
    const bin = join(cwd, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, 'hookproof'), '#!/bin/sh\nprintf "%s|" pinned "$@"\nexit 7\n', { mode: 0o755 })
    const given = new Map([
      ['secret', ''],
      ['url', 'http://localhost:1/my hooks'],
      ['service', 'stripe'],
    ])
    const { status, stdout } = runStep(GRADE, given, { cwd, folder: temporaryFolder() })
    expect(status).toBe(7)
    // Between the lines of the action: the output of a receiver is no command of GitHub.
    const [, token = '', output = ''] = /^::stop-commands::(\S+)\n([^]*)\n::\1::\n$/.exec(stdout) ?? []
    expect(token).toHaveLength(36)
    expect(output).toMatch(/^pinned\|check\|http:\/\/localhost:1\/my hooks\|--report\|terminal\|/)
    expect(output).toMatch(/\|--service\|stripe\|$/)
  })

  test.each([
    ['whsec_100%', '::add-mask::whsec_100%25\n'],
    ['whsec_one\r\nwhsec_two\n', '::add-mask::whsec_one\n::add-mask::whsec_two\n'],
    ['', ''],
  ])('masks every line of the secret %j before anything else is printed', (given, expected) => {
    const { stdout } = runStep(GRADE, new Map([['secret', given]]), {
      cwd: temporaryFolder(),
      folder: temporaryFolder(),
    })
    const [masks] = stdout.split('::stop-commands::')
    expect(masks).toBe(expected)
  })

  test('installs its own release from its lock file, where the project has no hookproof', async () => {
    const { tarball, others, root, remove } = await packAndInstall('hookproof')
    onTestFinished(remove)
    const folder = temporaryFolder()
    cpSync('action', join(folder, 'action'), { recursive: true })
    const file = join(folder, 'action/package-lock.json')
    const { packages, ...lock }: { packages: Record<string, object> } = JSON.parse(readFileSync(file, 'utf8'))
    // The packages of this release may not be published yet.
    for (const [name, path] of [
      ['hookproof', tarball],
      ['@hookproof/receiver', others[0]],
    ])
      Object.assign(packages[`node_modules/${name}`] ?? {}, { resolved: `file:${path}` })
    writeFileSync(file, JSON.stringify({ ...lock, packages }))
    const port = await freePort()
    const given = new Map([
      secret,
      ['url', `http://127.0.0.1:${port}/webhooks`],
      ['start', `"${process.execPath}" "${root}/dist/cli/main.js" receive --port ${port} --inbox memory`],
    ])
    const env = { GITHUB_ACTION_PATH: folder, RUNNER_TEMP: temporaryFolder() }
    const { status, stdout, stderr } = runStep(GRADE, given, { cwd: temporaryFolder(), folder, env })
    expect(stdout).toMatch(/^Conformant in the core profile/m)
    expect({ status, stderr }).toMatchObject({
      status: 0,
      stderr: expect.not.stringMatching(/npm (error|warn)/i),
    })
    const installed = join(env.RUNNER_TEMP, 'hookproof/node_modules')
    // The lock file and node_modules have the same packages, so none was chosen by npm.
    const added = readFileSync(join(installed, '.package-lock.json'), 'utf8')
    expect(Object.keys(JSON.parse(added).packages).toSorted()).toEqual(
      Object.keys(packages)
        .filter((path) => path !== '')
        .toSorted(),
    )
  })

  test('takes no report of an earlier step for its own', () => {
    const cwd = temporaryFolder()
    const reports = join(cwd, 'hookproof-reports')
    mkdirSync(reports)
    writeFileSync(join(reports, 'hookproof.json'), '{}')
    runStep(GRADE, new Map([secret]), { cwd, folder: temporaryFolder() })
    expect(existsSync(join(reports, 'hookproof.json'))).toBe(false)
  })

  test('grades nothing without a URL and a config file, not even the bundled receiver', () => {
    const { status, stdout, stderr } = runStep(GRADE, new Map([secret]), {
      cwd: temporaryFolder(),
      folder: temporaryFolder(),
    })
    expect(status).toBe(2)
    expect(stdout).toMatch(/^::add-mask::whsec_action\n::stop-commands::(\S+)\n\n::\1::\n$/)
    expect(stderr).toContain('there is no config hookproof.config.json')
  })

  test('grades nothing without a URL when the config file has none', () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, 'mine.json'), '{}')
    const given = new Map([secret, ['config', 'mine.json']])
    const { status, stderr } = runStep(GRADE, given, { cwd, folder: temporaryFolder() })
    expect(status).toBe(2)
    expect(stderr).toMatch(/mine\.json has no "?url"?/)
  })
})

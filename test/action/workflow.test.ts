import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { githubWorkflow } from '../../cli/commands/init/workflow.ts'
import { packageVersion } from '../../conformance/version.ts'
import { action, MAIN, pathWithNpx, scriptOf } from './support.ts'

const EXAMPLE = 'docs/examples/github-workflow.yml'
const folder = mkdtempSync(join(tmpdir(), 'hookproof-workflow-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The lines `key: value` of a mapping that stands at this depth after `marker`, comments left out. */
function mappingOf(text: string, marker: string, depth: number): Map<string, string> {
  const [, after] = text.split(marker)
  if (after === undefined) throw new Error(`there is no ${marker.trim()}`)
  const indent = ' '.repeat(depth)
  const lines = after.split('\n').filter((line) => line.trim() !== '' && !/^ *#/.test(line))
  const end = lines.findIndex((line) => !line.startsWith(indent))
  return new Map(
    lines.slice(0, end === -1 ? undefined : end).flatMap((line) => {
      const [, key, value] = /^([\w-]+):(?: (.*))?$/.exec(line.slice(depth)) ?? []
      return key === undefined ? [] : [[key, value ?? '']]
    }),
  )
}

/** What the action is given, with the texts unquoted. */
function inputsOf(workflow: string): Map<string, string> {
  const version = packageVersion()
  const given = mappingOf(workflow, `- uses: hookproof/hookproof@v${version}\n        with:\n`, 10)
  return new Map([...given].map(([key, text]) => [key, text.startsWith('"') ? JSON.parse(text) : text]))
}

/** The inputs of action.yml: each with its default, or undefined where one has to be given. */
function declared(): Map<string, string | undefined> {
  const names = [...mappingOf(action, 'inputs:\n', 2).keys()]
  return new Map(
    names.map((name) => {
      const about = mappingOf(action, `\n  ${name}:\n`, 4)
      return [name, about.get('required') === 'true' ? undefined : about.get('default')?.replace(/^''$/, '')]
    }),
  )
}

/** Runs the step of the action that grades, as GitHub would with these inputs, in a folder. */
function grade(given: ReadonlyMap<string, string>, cwd: string, more: NodeJS.ProcessEnv = {}) {
  const names = mappingOf(action, 'for more of it.\n      env:\n', 8)
  const env = Object.fromEntries(
    [...names].map(([variable, expression]) => {
      const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(expression) ?? []
      return [variable, given.get(input) ?? declared().get(input)]
    }),
  )
  return spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', scriptOf('Grade the receiver')],
    {
      cwd,
      env: { ...process.env, ...env, ...more, PATH: pathWithNpx(folder) },
      encoding: 'utf8',
    },
  )
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}

describe('the workflow', () => {
  const text = githubWorkflow(packageVersion())

  test(`stands in ${EXAMPLE} as init writes it (\`npx tsx cli/main.ts init --force\` elsewhere writes it anew)`, () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(text)
  })

  test('is laid out as YAML: spaces by twos, and no line that is neither key, item nor comment', () => {
    expect(text).not.toMatch(/\t| \n|\n\n\n/)
    for (const line of text.split('\n').filter((one) => one !== '')) {
      expect(line).toMatch(/^(?: {2})*(?:#.*|(?:- )?[\w-]+:(?: (?:"[^"]*"|[\w${][^"#]*))?)$/)
      // Else the text would end there, or be a mapping.
      expect(line.replace(/^ *(?:- )?[\w-]+: /, '')).not.toMatch(/^[^#"]*: /)
    }
    expect([...mappingOf(text, 'yours to change.\n', 0).keys()]).toEqual([
      'name',
      'on',
      'permissions',
      'jobs',
    ])
  })

  test('gives the action inputs that it has, all that it needs, and the secret from the store', () => {
    const given = inputsOf(text)
    expect([...declared().keys()]).toEqual(expect.arrayContaining([...given.keys()]))
    for (const [name, fallback] of declared()) {
      if (fallback === undefined) expect(given.has(name), name).toBe(true)
    }
    expect(given.get('secret')).toBe('${{ secrets.HOOKPROOF_SECRET }}')
    expect(given.get('version')).toBe(packageVersion())
    expect(text.match(/secrets\./g)).toHaveLength(1)
  })

  test('starts the receiver and grades it, with the config that init wrote beside it', async () => {
    const cwd = mkdtempSync(join(folder, 'shop-'))
    const port = await freePort()
    const start = `"${process.execPath}" "${MAIN}" receive --port ${port} --inbox memory`
    const url = `http://127.0.0.1:${port}/webhooks`
    const made = spawnSync(process.execPath, [MAIN, 'init', '--url', url, '--start', start], { cwd })
    expect(made.status).toBe(0)
    const given = inputsOf(readFileSync(join(cwd, '.github/workflows/hookproof.yml'), 'utf8'))
    expect(given.get('start')).toBe(start)

    const secret = ['secret', 'whsec_of_the_store'] as const
    const { status, stdout, stderr } = grade(new Map([...given, secret]), cwd)
    expect(stderr).not.toMatch(/\[\w+\]$/m)
    expect(stdout).toMatch(/^Conformant in the core profile/m)
    expect(status).toBe(0)
    for (const name of ['hookproof.json', 'hookproof.xml', 'hookproof.html', 'hookproof.md']) {
      expect(existsSync(join(cwd, 'hookproof-reports', name)), name).toBe(true)
    }
  })
})

test('the action runs the hookproof that the project has installed, and not another', () => {
  const cwd = mkdtempSync(join(folder, 'pinned-'))
  const bin = join(cwd, 'node_modules/.bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, 'hookproof'), '#!/bin/sh\nprintf "%s|" pinned "$@"\nexit 7\n', { mode: 0o755 })
  const { status, stdout } = grade(new Map([['url', 'http://localhost:1/my hooks']]), cwd)
  expect(status).toBe(7)
  expect(stdout).toMatch(/^pinned\|check\|http:\/\/localhost:1\/my hooks\|--report\|terminal\|/)
})

describe('the action without a URL', () => {
  const secret = ['secret', 'whsec_of_the_store'] as const

  test('and without a config file grades nothing, least of all the receiver that comes with hookproof', () => {
    const { status, stdout, stderr } = grade(new Map([secret]), mkdtempSync(join(folder, 'empty-')))
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('there is no config hookproof.config.json')
  })

  test('and with a config that names none does so neither', () => {
    const cwd = mkdtempSync(join(folder, 'without-'))
    writeFileSync(join(cwd, 'mine.json'), '{}')
    const { status, stderr } = grade(new Map([secret, ['config', 'mine.json']]), cwd)
    expect(status).toBe(2)
    expect(stderr).toContain('the config mine.json has no url')
  })
})

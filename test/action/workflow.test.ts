import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { githubWorkflow } from '../../cli/commands/init/workflow.ts'
import { packageVersion } from '../../conformance/version.ts'
import { freePort } from '../support/free-port.ts'
import { action, MAIN, pathWithNpx, scriptOf } from './support.ts'

const EXAMPLE = 'docs/examples/github-workflow.yml'
const folder = mkdtempSync(join(tmpdir(), 'hookproof-workflow-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The `key: value` lines of a mapping at this depth after `marker`, without comments. */
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

/** The inputs that the workflow passes to the action, unquoted. */
function inputsOf(workflow: string): Map<string, string> {
  const version = packageVersion()
  const given = mappingOf(workflow, `- uses: hookproof/hookproof@v${version}\n        with:\n`, 10)
  return new Map([...given].map(([key, text]) => [key, text.startsWith('"') ? JSON.parse(text) : text]))
}

/** The inputs of action.yml with their defaults, or undefined if required. */
function declared(): Map<string, string | undefined> {
  const names = [...mappingOf(action, 'inputs:\n', 2).keys()]
  return new Map(
    names.map((name) => {
      const about = mappingOf(action, `\n  ${name}:\n`, 4)
      return [name, about.get('required') === 'true' ? undefined : about.get('default')?.replace(/^''$/, '')]
    }),
  )
}

/** Runs the grading step of the action in a folder, as GitHub does with these inputs. */
function grade(given: ReadonlyMap<string, string>, cwd: string, more: NodeJS.ProcessEnv = {}) {
  const names = mappingOf(action, 'could run as code.\n      env:\n', 8)
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

describe('the workflow', () => {
  const text = githubWorkflow(packageVersion())

  test(`${EXAMPLE} is what init writes (\`npx tsx cli/main.ts init --force\` in another folder rewrites it)`, () => {
    expect(readFileSync(EXAMPLE, 'utf8')).toBe(text)
  })

  test('is YAML indented by two spaces, with only keys, items and comments', () => {
    expect(text).not.toMatch(/\t| \n|\n\n\n/)
    for (const line of text.split('\n').filter((line) => line !== '')) {
      expect(line).toMatch(/^(?: {2})*(?:#.*|(?:- )?[\w-]+:(?: (?:"[^"]*"|[\w${][^"#]*))?)$/)
      // Otherwise the text would end there, or be a mapping.
      expect(line.replace(/^ *(?:- )?[\w-]+: /, '')).not.toMatch(/^[^#"]*: /)
    }
    expect([...mappingOf(text, 'yours to change.\n', 0).keys()]).toEqual([
      'name',
      'on',
      'permissions',
      'jobs',
    ])
  })

  test('passes only existing inputs, every required one, and the secret from the store', () => {
    const given = inputsOf(text)
    expect([...declared().keys()]).toEqual(expect.arrayContaining([...given.keys()]))
    for (const [name, fallback] of declared()) {
      if (fallback === undefined) expect(given.has(name), name).toBe(true)
    }
    expect(given.get('secret')).toBe('${{ secrets.HOOKPROOF_SECRET }}')
    expect(given.get('version')).toBe(packageVersion())
    expect(text.match(/secrets\./g)).toHaveLength(1)
  })

  test('starts and grades the receiver with the config that init wrote', async () => {
    const cwd = mkdtempSync(join(folder, 'shop-'))
    const port = await freePort()
    const start = `"${process.execPath}" "${MAIN}" receive --port ${port} --inbox memory`
    const url = `http://127.0.0.1:${port}/webhooks`
    const init = spawnSync(process.execPath, [MAIN, 'init', '--url', url, '--start', start], { cwd })
    expect(init.status).toBe(0)
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

test('the action runs the hookproof that the project has installed', () => {
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

  test('fails without a config file instead of grading the bundled receiver', () => {
    const { status, stdout, stderr } = grade(new Map([secret]), mkdtempSync(join(folder, 'empty-')))
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
    expect(stderr).toContain('there is no config hookproof.config.json')
  })

  test('fails with a config without a URL', () => {
    const cwd = mkdtempSync(join(folder, 'without-'))
    writeFileSync(join(cwd, 'mine.json'), '{}')
    const { status, stderr } = grade(new Map([secret, ['config', 'mine.json']]), cwd)
    expect(status).toBe(2)
    expect(stderr).toContain('the config mine.json has no url')
  })
})

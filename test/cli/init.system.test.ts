import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CURRENT_VERSION } from '../../conformance/contracts/payment-service/requirements/versions.ts'
import { packageVersion } from '../../conformance/report/package.ts'
import { validate } from '../../schemas/validate.ts'
import {
  hookproof,
  type Result,
  readJson,
  referenceReceiver,
  runBuilt,
  SECRET,
  temporaryFolder,
} from './support.ts'

const CONFIG = 'hookproof.config.json'
const WORKFLOW = '.github/workflows/hookproof.yml'

/** Nothing could be written: the reason is printed in one line. */
function expectUnable({ code, stdout, stderr }: Result, expected: RegExp): void {
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toMatch(/^hookproof: [^\n]+ \[\w+\]\n$/)
  expect(stderr).toMatch(expected)
}

describe('in an empty folder', () => {
  test('writes both files and prints the next steps', async () => {
    const cwd = temporaryFolder()
    const { code, stdout, stderr } = await runBuilt(['init'], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`wrote ${CONFIG}\nwrote ${WORKFLOW}\n`)
    expect(stdout).toMatch(/export HOOKPROOF_SECRET=whsec_\.\.\. .*\n {2}npx hookproof check\n/)
    expect(readdirSync(cwd).toSorted()).toEqual(['.github', CONFIG])

    const config = readJson(join(cwd, CONFIG))
    expect(validate('config', config)).toEqual([])
    expect(config).toEqual({
      url: 'http://localhost:3000/webhooks',
      secretEnv: 'HOOKPROOF_SECRET',
      contract: CURRENT_VERSION,
    })
  })

  test('names the schema where hookproof is installed', async () => {
    const cwd = temporaryFolder()
    const schema = './node_modules/hookproof/dist/schemas/config.json'
    mkdirSync(dirname(join(cwd, schema)), { recursive: true })
    writeFileSync(join(cwd, schema), '{}')
    await hookproof(['init'], { cwd })
    expect(readJson(join(cwd, CONFIG))).toMatchObject({ $schema: schema })
  })

  test('prints how to grade effects and crashes, unless the config says it', async () => {
    const { stdout } = await hookproof(['init'], { cwd: temporaryFolder() })
    expect(stdout).toContain('npx hookproof check --observe http://localhost:3000/observe')
    expect(stdout).toMatch(/npx hookproof crash --start .* --observe http:\/\/localhost:3000\/observe/)
    const observed = await hookproof(['init', '--observe', '/observe', '--start', './shop'], {
      cwd: temporaryFolder(),
    })
    expect(observed.stdout).not.toContain('--observe')
    expect(observed.stdout).toContain('npx hookproof crash --start ./shop\n')
  })

  test('writes a config with which check needs no options', async () => {
    const cwd = temporaryFolder()
    const { webhooks } = await referenceReceiver()
    expect(await hookproof(['init', '--url', webhooks], { cwd })).toMatchObject({ code: 0 })
    const { code, stdout } = await hookproof(['check'], { cwd })
    expect(stdout).toContain(webhooks)
    expect(stdout).toMatch(/^Conformant in the core profile: (\d+) passed of \1 cases/m)
    expect(code).toBe(0)
    for (const file of [CONFIG, WORKFLOW]) expect(readFileSync(join(cwd, file), 'utf8')).not.toContain(SECRET)
  })

  test.each([
    ['http://127.0.0.1:3000/observe', 'http://127.0.0.1:3000/observe'],
    ['/effects?shop=1', 'https://shop.example/effects?shop=1'],
  ])('writes --observe %s to the config as %s', async (option, observe) => {
    const cwd = temporaryFolder()
    const args = ['init', '--url', 'https://shop.example/hooks', '--observe', option]
    expect(await hookproof(args, { cwd })).toMatchObject({ code: 0 })
    const config = readJson(join(cwd, CONFIG))
    expect(validate('config', config)).toEqual([])
    expect(config).toMatchObject({ url: 'https://shop.example/hooks', observe })
  })

  test.each<[string, Record<string, string>, string[], boolean]>([
    ['none', { 'package.json': '{"name":"shop"}' }, [], true],
    ['none of this name', { 'package.json': '{"scripts":{"dev":"node ."}}' }, [], true],
    ['one', { 'package.json': '{"scripts":{"start":"node ."}}' }, [], false],
    ['none, but the file that npm then runs', { 'package.json': '{}', 'server.js': '' }, [], false],
    ['none, but --start', { 'package.json': '{}' }, ['--start', 'node .'], false],
    ['none, but no workflow', { 'package.json': '{}' }, ['--workflow', 'none'], false],
    ['not JSON', { 'package.json': '{' }, [], false],
  ])('prints that package.json has no start script: %s', async (_, files, args, isPrinted) => {
    const cwd = temporaryFolder()
    for (const [file, text] of Object.entries(files)) writeFileSync(join(cwd, file), text)
    const { code, stdout, stderr } = await hookproof(['init', ...args], { cwd })
    expect({ code, stderr, isPrinted: stdout.includes('package.json has no "start" script') }).toEqual({
      code: 0,
      stderr: '',
      isPrinted,
    })
    expect(existsSync(join(cwd, CONFIG))).toBe(true)
  })

  test('--workflow none writes only the config', async () => {
    const cwd = temporaryFolder()
    const { code, stdout } = await hookproof(['init', '--workflow', 'none'], { cwd })
    expect(code).toBe(0)
    expect(stdout).not.toContain('workflow')
    expect(readdirSync(cwd)).toEqual([CONFIG])
  })

  test('quotes the --start command in the workflow', async () => {
    const cwd = temporaryFolder()
    const start = `node "my server.js" --name: 'x' # {y}`
    expect(await hookproof(['init', '--start', start], { cwd })).toMatchObject({ code: 0 })
    const [, text = ''] = /^ {10}start: (.*)$/m.exec(readFileSync(join(cwd, WORKFLOW), 'utf8')) ?? []
    // A JSON string is also a YAML string.
    expect(JSON.parse(text)).toBe(start)
  })
})

describe('existing files', () => {
  test.each([[[CONFIG]], [[WORKFLOW]], [[CONFIG, WORKFLOW]]])(
    'are not overwritten, and nothing else is written: %s',
    async (existing) => {
      const cwd = temporaryFolder()
      mkdirSync(join(cwd, '.github/workflows'), { recursive: true })
      for (const file of existing) writeFileSync(join(cwd, file), 'mine')
      expectUnable(await hookproof(['init'], { cwd }), /already exists?, so nothing was written: use --force/)
      for (const file of [CONFIG, WORKFLOW]) {
        expect(existsSync(join(cwd, file)), file).toBe(existing.includes(file))
        if (existing.includes(file)) expect(readFileSync(join(cwd, file), 'utf8')).toBe('mine')
      }
    },
  )

  test('are overwritten with --force', async () => {
    const cwd = temporaryFolder()
    writeFileSync(join(cwd, CONFIG), 'mine')
    const url = 'https://shop.example/hooks'
    expect(await hookproof(['init', '--force', '--url', url], { cwd })).toMatchObject({ code: 0 })
    expect(readJson(join(cwd, CONFIG))).toMatchObject({ url })
    expect(readFileSync(join(cwd, WORKFLOW), 'utf8')).toContain(`hookproof@v${packageVersion()}\n`)
  })

  test('do not matter when they would not be written', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, '.github/workflows'), { recursive: true })
    writeFileSync(join(cwd, WORKFLOW), 'mine')
    expect(await hookproof(['init', '--workflow', 'none'], { cwd })).toMatchObject({ code: 0 })
    expect(readFileSync(join(cwd, WORKFLOW), 'utf8')).toBe('mine')
  })
})

describe('leaves nothing behind after', () => {
  test.each([
    ['a baseline without a name', ['--baseline', ''], /--baseline needs a file/],
    ['an invalid URL', ['--url', 'localhost'], /must be an http or https URL .*not "localhost"/],
    [
      'a URL with a password',
      ['--url', 'http://me:hunter2@host/'],
      /must not contain a user name or password/,
    ],
    [
      'an invalid URL of effects',
      ['--observe', 'observe'],
      /--observe must be an http or https URL .*not "observe"/,
    ],
    ['an unknown workflow', ['--workflow', 'jenkins'], /jenkins.*github, none/],
    ['--start without a workflow', ['--workflow', 'none', '--start', 'x'], /--start .*leave one out/],
    ['an argument', ['here'], /too many arguments/],
  ])('%s', async (_, args, expected) => {
    const cwd = temporaryFolder()
    const result = await hookproof(['init', ...args], { cwd })
    expectUnable(result, expected)
    expect(result.stderr).not.toContain('hunter2')
    expect(readdirSync(cwd)).toEqual([])
  })

  test.each(['.github', '.github/workflows'])('a file instead of %s', async (file) => {
    const cwd = temporaryFolder()
    if (file !== '.github') mkdirSync(join(cwd, '.github'))
    writeFileSync(join(cwd, file), 'mine')
    expectUnable(await hookproof(['init', '--force'], { cwd }), /hookproof\.yml: part of the path is not/)
    expect(readdirSync(cwd)).toEqual(['.github'])
  })

  test('a directory instead of a file, even with --force', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, WORKFLOW), { recursive: true })
    expectUnable(await hookproof(['init', '--force'], { cwd }), /hookproof\.yml: it is a directory/)
    expect(readdirSync(cwd)).toEqual(['.github'])
  })
})

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readSchema } from '../../schemas/compile.ts'
import type { Config, ConformanceReport } from '../../schemas/types.ts'
import {
  built,
  freePort,
  hookproof,
  listensOn,
  type RunOptions,
  readJson,
  recorder,
  referenceReceiver,
  SECRET,
  temporaryFolder,
} from './support.ts'

const FILE = 'hookproof.config.json'
const ONE_CASE = ['transport/posted-as-json']

/** A folder with this config, or this text instead. */
function folderWith(config: Config | string, file = FILE): string {
  const cwd = temporaryFolder()
  writeFileSync(join(cwd, file), typeof config === 'string' ? config : JSON.stringify(config))
  return cwd
}

async function report(args: readonly string[], options: RunOptions): Promise<ConformanceReport> {
  const { stdout, stderr } = await hookproof(['check', ...args], options)
  expect(stderr).not.toMatch(/\[\w+\]$/m)
  return JSON.parse(stdout)
}

test('each option of check has a config field of its name, and there are no other fields', async () => {
  const { stdout } = await hookproof(['check', '--help'])
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name = '']) =>
    name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  // The secret, the file itself, and what applies to one run only.
  const apart = ['secret', 'config', 'noConfig', 'updateBaseline', 'bundled', 'verbose', 'help']
  const fields = Object.keys(readSchema('config')['properties'] as object)
  expect(fields.toSorted()).toEqual(
    ['$schema', 'url', 'secretEnv', ...options.filter((name) => !apart.includes(name))].toSorted(),
  )
  expect(stdout).toContain(FILE)
})

describe('without options', () => {
  test('applies the file in the working directory', async () => {
    const { url, seen } = await recorder()
    const cwd = folderWith({
      url,
      secretEnv: 'THEIR_SECRET',
      signatureHeader: 'X-Theirs',
      header: ['X-Staging: let-me-in'],
      mode: 'live',
      only: ['transport'],
      skip: ['*/valid-*'],
      seed: 'of-the-file',
      report: ['json'],
    })
    const env = { HOOKPROOF_SECRET: undefined, THEIR_SECRET: SECRET }
    expect(await report([], { cwd, env })).toMatchObject({
      target: { url: `${url}/` },
      seed: 'of-the-file',
      mode: 'live',
      selection: { only: ['transport'], skip: ['*/valid-*'] },
    })
    expect(seen[0]?.headers).toMatchObject({ 'x-staging': 'let-me-in', 'x-theirs': expect.any(String) })
  })

  test('grades the full profile when effects can be observed', async () => {
    const { webhooks: url, observe } = await referenceReceiver()
    const cwd = folderWith({ url, observe, only: ['effects/refund-reverses'], report: ['json'] })
    expect(await report([], { cwd })).toMatchObject({ profile: 'full', conclusion: 'conformant' })
  })

  test('reads times in seconds', async () => {
    const { url } = await recorder((_, response) => setTimeout(() => response.end(), 100))
    const only = ['acknowledgement/in-time']
    const code = async (ackWithin: number) =>
      (await hookproof(['check'], { cwd: folderWith({ url, only, ackWithin }) })).code
    expect([await code(0.05), await code(20)]).toEqual([1, 0])
  })

  test('reads the secret from a file of environment variables in its folder', async () => {
    const { webhooks: url } = await referenceReceiver()
    const cwd = folderWith({
      url,
      envFile: '.env',
      secretEnv: 'THEIR_SECRET',
      only: ONE_CASE,
      report: ['json'],
    })
    writeFileSync(join(cwd, '.env'), `THEIR_SECRET=${SECRET}\n`)
    const env = { HOOKPROOF_SECRET: undefined }
    expect(await report([], { cwd, env })).toMatchObject({ conclusion: 'conformant' })
  })

  test('applies every other option', async () => {
    const { url } = await recorder()
    const cwd = folderWith({ url, only: ONE_CASE, repeat: 2, concurrency: 1, timeout: 5, wait: 1 })
    const { code, stderr } = await hookproof(['check'], { cwd })
    expect(code).toBe(0)
    expect(stderr.match(/running 1 case \(run \d of 2\)$/gm)).toHaveLength(2)
  })
})

describe('options on the command line override it', () => {
  test('a value replaces a value, and a list the entire list', async () => {
    const { url } = await recorder()
    const cwd = folderWith({ url, only: ['events', 'duplicates'], seed: 'theirs', report: ['junit'] })
    const args = ['--only', 'transport/posted-as-json', '--seed', 'mine', '--report', 'json']
    expect(await report(args, { cwd })).toMatchObject({
      seed: 'mine',
      selection: { only: ONE_CASE },
    })
  })

  test('one way to observe effects, or one source of the secret, replaces the other', async () => {
    const { webhooks: url, observe } = await referenceReceiver()
    const only = ['effects/refund-reverses']
    const cwd = folderWith({ url, only, secretEnv: 'NOT_SET', observeCommand: 'exit 7 #', report: ['json'] })
    const args = ['--secret', SECRET, '--observe', observe]
    expect(await report(args, { cwd })).toMatchObject({ conclusion: 'conformant' })
  })

  test('ignores start and observe when another URL is given, and prints that', async () => {
    const { url } = await recorder()
    const cwd = folderWith({
      url: 'http://127.0.0.1:1/webhooks',
      start: 'echo started > started',
      observe: 'http://127.0.0.1:1/observe',
      only: ONE_CASE,
    })
    const { code, stdout, stderr } = await hookproof(['check', url], { cwd })
    expect(stderr).toContain(
      `hookproof: ignoring start, observe from ${FILE}, because they belong to another URL\n`,
    )
    expect(stdout).toContain('1 passed of 1 case')
    expect(existsSync(join(cwd, 'started'))).toBe(false)
    expect(code).toBe(0)
  })

  test('keeps them when the same URL is given', async () => {
    const { webhooks: url, observe } = await referenceReceiver()
    const cwd = folderWith({ url, observe, only: ['effects/refund-reverses'], report: ['json'] })
    expect(await report([url], { cwd })).toMatchObject({ profile: 'full' })
  })

  test('--no-config ignores the file', async () => {
    const { url } = await recorder()
    const cwd = folderWith('{ not read')
    const args = ['--no-config', url, '--only', 'transport/posted-as-json', '--report', 'json']
    expect(await report(args, { cwd })).toMatchObject({ conclusion: 'conformant' })
  })
})

test('paths in a --config file are relative to it, and its commands run in its folder', async () => {
  const cwd = temporaryFolder()
  const folder = join(cwd, "the shop's")
  mkdirSync(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  writeFileSync(join(folder, 'secret'), `${SECRET}\n`)
  writeFileSync(join(folder, 'known.json'), '{ "failures": {} }')
  const show = `import { get } from 'node:http'
    get('${url}/observe?payment_id=' + process.argv.at(-1), (answer) => answer.pipe(process.stdout))`
  writeFileSync(join(folder, 'show.mjs'), show)
  const serve = `import { spawn } from 'node:child_process'
    spawn(process.execPath, [${JSON.stringify(built())}, 'receive', '--inbox', 'memory', '--observe', '--port', '${port}'], { stdio: 'inherit' })`
  writeFileSync(join(folder, 'serve.mjs'), serve)
  const config: Config = {
    url: `${url}/webhooks`,
    secretFile: 'secret',
    start: `"${process.execPath}" ./serve.mjs`,
    observeCommand: `"${process.execPath}" ./show.mjs`,
    only: ['effects/refund-reverses'],
    baseline: 'known.json',
    report: ['terminal', 'json=out/report.json'],
  }
  writeFileSync(join(folder, 'staging.json'), JSON.stringify(config))
  const args = ['check', '--config', "the shop's/staging.json", '--report', 'json=mine.json']
  const env = { HOOKPROOF_SECRET: undefined }
  expect(await hookproof(args.slice(0, 3), { cwd, env })).toMatchObject({ code: 0 })
  expect(readJson(join(folder, 'out/report.json'))).toMatchObject({
    conclusion: 'conformant',
    profile: 'full',
  })
  expect(await listensOn(port)).toBe(false)
  // Paths on the command line are relative to the working directory.
  expect(await hookproof(args, { cwd, env })).toMatchObject({ code: 0 })
  expect(readJson(join(cwd, 'mine.json'))).toMatchObject({ conclusion: 'conformant' })
})

describe('rejects a file that', () => {
  const url = 'http://127.0.0.1:1/'
  const bad: Readonly<Record<string, { text: unknown; expected: RegExp; code?: string }>> = {
    'is not JSON': {
      text: '{\n  "url": "x",\n  oops\n}',
      expected: /is not a valid config: it is not JSON \(line 3\)/,
    },
    'has a comment': { text: `// mine\n{ "url": "${url}" }`, expected: /is not JSON.*comments/ },
    'is empty': { text: '', expected: /is not a valid config: it is not JSON; comments/ },
    'is a list': {
      text: ['x'],
      expected: /hookproof\.config\.json is not a valid config: it must be an object/,
    },
    'has a mistyped field': {
      text: { url, observ: url },
      expected: /"observ" is not a known field: did you mean observe/,
    },
    'has an option in its command-line spelling': {
      text: { 'ack-within': 1 },
      expected: /"ack-within" is not a known field: did you mean ackWithin/,
    },
    'has a field in capitals': {
      text: { URL: url },
      expected: /"URL" is not a known field: did you mean url/,
    },
    'has a plural': {
      text: { url, headers: [] },
      expected: /"headers" is not a known field: did you mean header/,
    },
    'has an unknown field': {
      text: { url, zzz: 1 },
      expected: /"zzz" is not a known field: the fields are .*secretEnv/,
    },
    'has the secret': {
      text: { url, secret: SECRET },
      expected: /"secret" must not be in a file: name its environment variable in "secretEnv"/,
    },
    'has the secret instead of its variable': {
      text: { url, secretEnv: SECRET },
      expected: /"secretEnv" must be .*never the/,
    },
    'has a key over several lines': {
      text: { url, 'a\n\u001B[31mb': 1 },
      expected: /"a \[31mb" is not a known field/,
    },
    'has a number for text': { text: { url: 1 }, expected: /hookproof\.config\.json: "url" must be text/ },
    'has text for a number': { text: { url, timeout: '5' }, expected: /"timeout" must be a number/ },
    'has a time of 0': {
      text: { url, wait: 0 },
      expected: /"wait" must be a number of seconds greater than 0/,
    },
    'has a fractional concurrency': {
      text: { url, concurrency: 1.5 },
      expected: /"concurrency" must be a whole number/,
    },
    'has an unknown mode': {
      text: { url, mode: 'both' },
      expected: /"mode" must be one of "test", "live"/,
    },
    'has one pattern instead of a list': { text: { url, only: 'events' }, expected: /"only" must be a list/ },
    'has a header without a colon': {
      text: { url, header: ['nonsense'] },
      expected: /"header\[0\]" must be .*"Name: value"/,
    },
    'has an empty list of reports': { text: { url, report: [] }, expected: /"report" must be at least one/ },
    'has an unknown report': {
      text: { url, report: ['pdf'] },
      expected: /"pdf": the formats are terminal/,
      code: 'usage',
    },
    'has a pattern that matches nothing': {
      text: { url, only: ['dup/*'] },
      expected: /"dup\/\*"/,
      code: 'nothing_selected',
    },
    'has two sources of the secret': {
      text: { url, secretEnv: 'A', secretFile: 'b' },
      expected: /at most one of secretEnv and secretFile/,
    },
    'has an invalid URL': {
      text: { url: 'localhost' },
      expected: /must be an http or https URL .*not "localhost"/,
    },
    'has a URL with a password': {
      text: { url: 'http://me:hunter2@host/' },
      expected: /user name or password/,
    },
    'has no URL': {
      text: { only: ['events'] },
      expected: /has no "url": add it.*--bundled/,
      code: 'usage',
    },
    'names a variable that is not set': {
      text: { url, secretEnv: 'THEIR_SECRET' },
      expected: /no signing secret: set THEIR_SECRET/,
      code: 'usage',
    },
  }

  test.each(Object.entries(bad))('%s', async (_, { text, expected, code: reason = 'bad_option' }) => {
    const cwd = folderWith(typeof text === 'string' ? text : JSON.stringify(text))
    const { code, stdout, stderr } = await hookproof(['check'], { cwd })
    expect(stderr).toMatch(/^hookproof: [^\n]+\n$/)
    expect(stderr).not.toContain('\u001B')
    expect(stderr).toMatch(expected)
    expect(stderr).toContain(`[${reason}]\n`)
    expect(stderr).not.toMatch(new RegExp(`${SECRET}|nonsense|hunter2|oops|internal`))
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test.each([
    ['is absent', 'absent.json', /no config absent\.json: .*hookproof init/],
    ['is a folder', '.', /cannot read the config \.: it is a directory/],
    ['is below a file', `${FILE}/more`, /part of the path is not a directory/],
  ])('%s and is given as --config', async (_, file, expected) => {
    const { code, stdout, stderr } = await hookproof(['check', '--config', file], { cwd: folderWith('{}') })
    expect(stderr).toMatch(/^hookproof: [^\n]+ \[usage\]\n$/)
    expect(stderr).toMatch(expected)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  test('is a directory', async () => {
    const cwd = temporaryFolder()
    mkdirSync(join(cwd, FILE))
    expect(await hookproof(['check'], { cwd })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it is a directory'),
    })
  })
})

test('its schema for editors is where init says', () => {
  expect(readFileSync('dist/schemas/config.json', 'utf8')).toBe(readFileSync('schemas/config.json', 'utf8'))
})

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../conformance/version.ts'
import { SCHEMA_NAMES } from '../../schemas/names.ts'
import {
  addPackages,
  compile,
  type Installed,
  packAndInstall,
  REPOSITORY,
  run,
  runSource,
} from './install.ts'

const require = createRequire(import.meta.url)

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall()
})

afterAll(() => installed?.remove())

/** The files of the package, relative to its folder. */
function files(): string[] {
  return readdirSync(installed.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(installed.root, join(entry.parentPath, entry.name)))
    .toSorted()
}

type Names = Readonly<Record<string, unknown>>

function manifest(): Readonly<
  Record<'exports' | 'dependencies' | 'peerDependencies' | 'peerDependenciesMeta', Names>
> {
  return JSON.parse(readFileSync(join(installed.root, 'package.json'), 'utf8'))
}

describe('the command', () => {
  test('npx hookproof --version prints the version', async () => {
    const outcome = await run(installed.folder, 'npx', 'hookproof', '--version')
    expect(outcome).toMatchObject({ code: 0, stdout: `${packageVersion()}\n` })
  })

  test('npx hookproof --help prints the usage', async () => {
    const { code, stdout } = await run(installed.folder, 'npx', 'hookproof', '--help')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: hookproof/)
  })

  test('npx hookproof check grades the bundled receiver as conformant and writes every report', async () => {
    const reports = ['--report', 'terminal', '--report', 'json=out/r.json', '--report', 'junit=out/r.xml']
    const { code, stdout } = await run(installed.folder, 'npx', 'hookproof', 'check', ...reports)
    expect(stdout).toMatch(/^Conformant in the full profile: (\d+) passed of \1 cases/m)
    expect(code).toBe(0)
    expect(readdirSync(join(installed.folder, 'out'))).toEqual(['r.json', 'r.xml'])
  })
})

const MODULES = [
  'hookproof',
  'hookproof/receiver',
  'hookproof/receiver/sqlite',
  'hookproof/fixtures',
  'hookproof/sandbox',
]
/** Needs pg and pg-boss, which the user installs. */
const POSTGRES = 'hookproof/receiver/postgres'
const RUNNERS = ['hookproof/vitest', 'hookproof/node-test']

describe('the exports', () => {
  const DOCUMENTS = [
    'hookproof/fixtures/vectors.json',
    'hookproof/package.json',
    ...SCHEMA_NAMES.map((name) => `hookproof/schemas/${name}.json`),
  ]

  test('package.json exports what is tested here, and nothing else', () => {
    const paths = [
      ...MODULES,
      ...RUNNERS,
      POSTGRES,
      'hookproof/fixtures/vectors.json',
      'hookproof/package.json',
    ]
    const schemas = ['hookproof/schemas/*.json', 'hookproof/schemas/api/*.json']
    const expected = [...paths, ...schemas].map((path) => path.replace('hookproof', '.'))
    expect(Object.keys(manifest().exports).toSorted()).toEqual(expected.toSorted())
  })

  test.each(MODULES)('%s can be imported', async (path) => {
    const source = `console.log(Object.keys(await import('${path}')).length)`
    const { code, stdout, stderr } = await runSource(installed.folder, source)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(Number(stdout)).toBeGreaterThan(0)
  })

  test('the Postgres inbox names the missing package', async () => {
    const { code, stderr } = await runSource(installed.folder, `await import('${POSTGRES}')`)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(/Cannot find package 'pg(-boss)?'/)
  })

  test('every JSON document can be required', async () => {
    const source = `
      import { createRequire } from 'node:module'
      const require = createRequire(process.cwd() + '/')
      for (const path of ${JSON.stringify(DOCUMENTS)}) console.log(typeof require(path))`
    const { stdout, stderr } = await runSource(installed.folder, source)
    expect(stderr).toBe('')
    expect(stdout).toBe('object\n'.repeat(DOCUMENTS.length))
  })

  test('an internal module cannot be imported', async () => {
    const source = `await import('hookproof/dist/cli/program.js')`
    const { code, stderr } = await runSource(installed.folder, source)
    expect(code).toBe(1)
    expect(stderr).toContain('ERR_PACKAGE_PATH_NOT_EXPORTED')
  })

  test('the SQLite inbox and the sandbox name what is missing on Node.js 20', async () => {
    const source = `
      import { createSandbox } from 'hookproof/sandbox'
      import { sqliteInbox } from 'hookproof/receiver/sqlite'
      for (const open of [() => sqliteInbox({ path: 'missing.sqlite' }), () => createSandbox({ port: 0 })]) {
        const opened = await open().catch(({ name, message }) => console.log(name, message))
        await opened?.close()
      }`
    const { code, stdout } = await runSource(installed.folder, source)
    const has = process.getBuiltinModule('node:sqlite') !== undefined
    const fix = 'Run npm install @photostructure/sqlite@1, or use Node.js 22.13 or later.'
    const missing = `Node.js ${process.versions.node} does not include SQLite. ${fix}`
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: has ? '' : `InboxError inbox: ${missing}\nStoreError the sandbox: ${missing}\n`,
    })
  })

  test('the sandbox serves every style sheet of its pages', async () => {
    addPackages(installed, '@photostructure/sqlite')
    const source = `
      import { createSandbox } from 'hookproof/sandbox'
      const sandbox = await createSandbox({ port: 0 })
      const page = await (await fetch(sandbox.url + '/dashboard')).text()
      for (const [, path] of page.matchAll(/<link rel="stylesheet" href="([^"]+)"/g)) {
        const response = await fetch(sandbox.url + path)
        console.log(response.status, path.replace(/[?].*/, ''), (await response.text()).includes('Licensed under MIT'))
      }
      await sandbox.close()`
    const { code, stdout, stderr } = await runSource(installed.folder, source)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n')
    expect(lines).toContain('200 /assets/pico.css true')
    expect(lines.filter((line) => line !== '' && !line.startsWith('200 '))).toEqual([])
  })

  test('a signed event is verified and stored once', async () => {
    addPackages(installed, '@photostructure/sqlite')
    const source = `
      import { createGenerator, serialize, sign } from 'hookproof/fixtures'
      import { createVerifier } from 'hookproof/receiver'
      import { sqliteInbox } from 'hookproof/receiver/sqlite'
      const body = serialize(createGenerator('seed').event('completed'))
      const { header } = sign({ secret: 'whsec_x', t: Math.floor(Date.now() / 1000), body })
      const delivery = createVerifier({ secrets: 'whsec_x' })(body, header)
      const inbox = await sqliteInbox({ path: 'inbox.sqlite' })
      console.log(delivery.name, await inbox.accept(delivery), await inbox.accept(delivery))
      await inbox.close()`
    const outcome = await runSource(installed.folder, source)
    expect(outcome).toEqual({ code: 0, stdout: 'payment.completed stored duplicate\n', stderr: '' })
  })
})

describe('the catalogue as tests', () => {
  const grade = (entry: string) => `
    import express from 'express'
    import { createVerifier, memoryInbox, webhookHandler } from 'hookproof/receiver'
    import { conformance } from '${entry}'
    const app = express()
    const verify = createVerifier({ secrets: 'whsec_x' })
    app.post('/webhooks', webhookHandler({ verify, inbox: memoryInbox() }))
    conformance({ target: app, secret: 'whsec_x', profile: 'core' })`

  test('node --test runs it without any other package', async () => {
    writeFileSync(join(installed.folder, 'grade.mjs'), grade('hookproof/node-test'))
    const args = ['--test', '--test-reporter=tap', 'grade.mjs']
    const { code, stdout } = await run(installed.folder, process.execPath, ...args)
    expect(code, stdout).toBe(0)
    expect(stdout).toMatch(/^# pass [1-9]\d\d$/m)
    expect(stdout).toMatch(/^# skipped 0$/m)
  })

  test('hookproof does not install Vitest, but declares it as an optional peer dependency', async () => {
    expect(existsSync(join(installed.folder, 'node_modules/vitest'))).toBe(false)
    const { peerDependencies, peerDependenciesMeta, dependencies } = manifest()
    expect(peerDependencies).toHaveProperty('vitest')
    expect(peerDependenciesMeta).toMatchObject({ vitest: { optional: true } })
    expect(dependencies).not.toHaveProperty('vitest')
  })

  test('vitest run runs it in a project that has Vitest', async () => {
    const project = join(installed.folder, 'with-vitest')
    const modules = join(project, 'node_modules')
    mkdirSync(modules, { recursive: true })
    // A copy instead of a link, as npm would install it.
    cpSync(installed.root, join(modules, 'hookproof'), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules/vitest'), join(modules, 'vitest'))
    writeFileSync(join(project, 'grade.test.mjs'), grade('hookproof/vitest'))
    const main = join(modules, 'vitest/vitest.mjs')
    const { code, stdout, stderr } = await run(project, process.execPath, main, 'run', '--root', project)
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/Tests {2}[1-9]\d\d passed/)
  })
})

describe('the types', () => {
  const CONSUMER = `
    import { check, type ConformanceReport } from 'hookproof'
    import { createVerifier, type Handle, type VerifiedDelivery, webhookHandler } from 'hookproof/receiver'
    import { sqliteInbox } from 'hookproof/receiver/sqlite'
    import { sign } from 'hookproof/fixtures'
    import { conformance } from 'hookproof/node-test'
    import { conformance as withVitest, type ConformanceOptions } from 'hookproof/vitest'
    import express from 'express'
    import { createServer } from 'node:http'

    const app = express()
    const options: ConformanceOptions = { target: app, secret: process.env['SECRET'], observe: '/observe' }
    conformance(options)
    withVitest({ ...options, target: async () => createServer((request, response) => response.end()) })
    withVitest({ ...options, target: new URL('http://localhost:3000'), observe: async () => [] })

    const inbox = await sqliteInbox({ path: 'inbox.sqlite' })
    const verify = createVerifier({ secrets: ['whsec_new', 'whsec_old'], toleranceSeconds: 300 })
    export const handler = webhookHandler({ verify, inbox })
    export const delivery: VerifiedDelivery = verify(Buffer.from('{}'), sign({ secret: 's', t: 1, body: Buffer.from('{}') }).header)
    export const handle: Handle = (event) => {
      if (event.event === 'payment.completed') console.log(event.amount.length, event.amount_requested?.length)
    }
    const report: ConformanceReport = await check({ url: 'http://localhost:3000', secret: 'whsec_new' })
    export const conclusion: 'conformant' | 'not-conformant' | 'incomplete' = report.conclusion

    // A type that cannot be resolved would be \`any\`, and compile everywhere.
    type Known<T> = 0 extends 1 & T ? never : true
    export const known: [Known<typeof handler>, Known<typeof delivery>, Known<typeof inbox.database>] = [true, true, true]
    `

  test('no declaration needs more than the types of Node.js, except for those that name Express', async () => {
    addPackages(installed, '@types/node')
    const entries = ['hookproof', ...MODULES.filter((path) => path !== 'hookproof/receiver'), ...RUNNERS]
    const lines = entries.map((path, index) => `export * as n${index} from '${path}'`)
    expect(await compile(installed.folder, { 'entries.mts': lines.join('\n') })).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  test('a strict consumer compiles with the types of Node.js and Express, and with the declarations checked', async () => {
    addPackages(installed, '@types/node', '@types/express')
    expect(await compile(installed.folder, { 'consumer.mts': CONSUMER })).toMatchObject({
      code: 0,
      stdout: '',
    })
  })

  test('wrong options do not compile', async () => {
    addPackages(installed, '@types/node', '@types/express')
    const source = `
      import { check } from 'hookproof'
      import { type Handle, memoryInbox, webhookHandler } from 'hookproof/receiver'
      import { conformance } from 'hookproof/vitest'
      await check({ url: 'http://localhost:3000' })
      webhookHandler({ inbox: memoryInbox() })
      await memoryInbox().accept({ name: 'payment.completed', paymentId: 'tx_1' })
      conformance({ target: 3000, secret: 'whsec_new' })
      conformance({ target: 'http://localhost:3000', secret: 'whsec_new', tolerance: 60 })
      export const handle: Handle = (event) => console.log(event.event === 'payment.complete')`
    const { stdout } = await compile(installed.folder, { 'wrong.mts': source })
    const lines = [...stdout.matchAll(/^wrong\.mts\((\d+),/gm)].map(([, line]) => Number(line))
    expect(lines).toEqual([5, 6, 7, 8, 9, 10])
  })

  test('attw finds no problem for ES modules', async () => {
    const attw = join(dirname(require.resolve('@arethetypeswrong/cli/package.json')), 'dist/index.js')
    const args = ['--profile', 'esm-only', '--no-definitely-typed', '--no-emoji', '--no-color']
    const { code, stdout } = await run(
      installed.folder,
      attw,
      installed.tarball,
      ...args,
      '--format',
      'ascii',
    )
    expect(stdout).toContain('"hookproof/receiver/sqlite"')
    expect(code, stdout).toBe(0)
  })
})

describe('the contents', () => {
  test('publint finds no problem', async () => {
    const bytes = readFileSync(installed.tarball)
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('are documents, the sources that readers copy, and the build', () => {
    // Documents that README.md links to, the schemas, and the sources of the receiver.
    const expected =
      /^([A-Z]+(\.md)?|package\.json|action\.yml|docs\/.+|receiver\/.+|schemas\/.+\.(json|yaml)|fixtures\/vectors\.json)$/
    const outside = files().filter((file) => !file.startsWith('dist/'))
    expect(outside.filter((file) => !expected.test(file))).toEqual([])
    expect(outside).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'SPEC.md', 'receiver/verify.ts']))
    const others = files().filter(
      (file) =>
        file.startsWith('dist/') &&
        !/(\.js|\.d\.ts|\.json|\.yaml|\.eta|\.css|\/README\.md|\.LICENSE\.md)$/.test(file),
    )
    expect(others).toEqual([])
    expect(
      files().filter((file) => /(^|[/.])(test|scripts|bench|tools|node_modules)([/.]|$)/.test(file)),
    ).toEqual([])
  })

  test('every compiled file has a source', () => {
    const copied = ['pico.css', 'pico.LICENSE.md'].map((name) => `dist/sandbox/pages/static/${name}`)
    expect(files()).toEqual(expect.arrayContaining(copied))
    const sourceOf = (file: string) => file.replace(/^dist\//, '').replace(/(\.d\.ts|\.js)$/, '.ts')
    const stale = files().filter(
      (file) =>
        file.startsWith('dist/') &&
        !copied.includes(file) &&
        // Scripts of pages are copied unchanged.
        ![sourceOf(file), file.replace(/^dist\//, '')].some((source) => existsSync(join(REPOSITORY, source))),
    )
    expect(stale, 'run npm run build').toEqual([])
  })

  test('no file refers to a missing source map or to the folder of the build', () => {
    for (const file of files().filter((name) => /\.(js|d\.ts)$/.test(name))) {
      const path = join(installed.root, file)
      const text = readFileSync(path, 'utf8')
      const map = /\/\/# sourceMappingURL=(\S+)/.exec(text)?.[1]
      if (map !== undefined) expect(existsSync(join(dirname(path), map)), `${file} names ${map}`).toBe(true)
      expect(text, file).not.toContain(REPOSITORY)
    }
  })
})

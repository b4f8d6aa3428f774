import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageVersion } from '../../conformance/report/package.ts'
import { SCHEMA_NAMES } from '../../schemas/names.ts'
import {
  addPackages,
  attw,
  type Compiler,
  compile,
  filesOf,
  type Installed,
  packAndInstall,
  REPOSITORY,
  run,
  runSource,
} from './install.ts'

let installed: Installed

beforeAll(async () => {
  installed = await packAndInstall('hookproof')
})

afterAll(() => installed?.remove())

/** The files of the package, relative to its folder. */
const files = (): string[] => filesOf(installed)

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
    const { code, stdout } = await run(installed.folder, 'npx', 'hookproof', 'check', '--bundled', ...reports)
    expect(stdout).toMatch(/^Conformant in the full profile: (\d+) passed of \1 cases/m)
    expect(code).toBe(0)
    expect(readdirSync(join(installed.folder, 'out'))).toEqual(['r.json', 'r.xml'])
  })
})

const MODULES = ['hookproof', 'hookproof/fixtures', 'hookproof/sandbox']
const RUNNERS = ['hookproof/vitest', 'hookproof/node-test']
const RECEIVER = '@hookproof/receiver'

describe('the exports', () => {
  const DOCUMENTS = [
    'hookproof/fixtures/vectors.json',
    'hookproof/package.json',
    ...SCHEMA_NAMES.map((name) => `hookproof/schemas/${name}.json`),
  ]

  test('package.json exports what is tested here, and nothing else', () => {
    const paths = [...MODULES, ...RUNNERS, 'hookproof/fixtures/vectors.json', 'hookproof/package.json']
    const schemas = ['hookproof/schemas/*.json', 'hookproof/schemas/api/*.json']
    const expected = [...paths, ...schemas].map((path) => path.replace('hookproof', '.'))
    expect(Object.keys(manifest().exports).toSorted()).toEqual(expected.toSorted())
  })

  test.each([...MODULES, 'hookproof/node-test'])('%s can be imported and required', async (path) => {
    const source = `
      import { createRequire } from 'node:module'
      const imported = await import('${path}')
      const required = createRequire(process.cwd() + '/')('${path}')
      console.log(Object.keys(imported).length > 0, Object.keys(imported).every((name) => imported[name] === required[name]))`
    const { code, stdout } = await runSource(installed.folder, source)
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'true true\n' })
  })

  test('hookproof depends on the receiver of exactly its own version', () => {
    expect(manifest().dependencies).toMatchObject({ [RECEIVER]: packageVersion() })
    const path = join(installed.folder, 'node_modules', RECEIVER, 'package.json')
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: packageVersion() })
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
      import { sqliteInbox } from '@hookproof/receiver/sqlite'
      for (const open of [() => sqliteInbox({ path: 'missing.sqlite' }), () => createSandbox({ port: 0 })]) {
        const opened = await open().catch(({ name, message }) => console.log(name, message))
        await opened?.close()
      }`
    const { code, stdout } = await runSource(installed.folder, source)
    const has = process.getBuiltinModule('node:sqlite') !== undefined
    const install = `Node.js ${process.versions.node} does not include SQLite. Run npm install @photostructure/sqlite@1`
    const npx = 'beside hookproof (with npx: npx -p hookproof -p @photostructure/sqlite@1 hookproof sandbox)'
    const orNewer = ', or use Node.js 22.13 or later.'
    const inbox = `InboxError inbox: ${install}${orNewer}\n`
    const sandbox = `StoreError the sandbox: ${install} ${npx}${orNewer}\n`
    expect({ code, stdout }).toEqual({ code: 0, stdout: has ? '' : inbox + sandbox })
  })

  test('the sandbox serves every style sheet of its pages', async () => {
    addPackages(installed.folder, '@photostructure/sqlite')
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
    addPackages(installed.folder, '@photostructure/sqlite')
    const source = `
      import { createGenerator, serialize, sign } from 'hookproof/fixtures'
      import { createReceiver } from '@hookproof/receiver'
      import { sqliteInbox } from '@hookproof/receiver/sqlite'
      const body = serialize(createGenerator('seed').event('completed'))
      const { header } = sign({ secret: 'whsec_x', t: Math.floor(Date.now() / 1000), body })
      const inbox = await sqliteInbox({ path: 'inbox.sqlite' })
      const receive = createReceiver({ secrets: 'whsec_x', inbox })
      for (const _ of [1, 2]) {
        const { status, outcome } = await receive({ signature: [header], body })
        console.log(status, outcome.outcome, outcome.delivery.name)
      }
      await inbox.close()`
    const outcome = await runSource(installed.folder, source)
    expect(outcome).toEqual({
      code: 0,
      stdout: '200 stored payment.completed\n200 duplicate payment.completed\n',
      stderr: '',
    })
  })
})

describe('the catalogue as tests', () => {
  const grade = (entry: string) => `
    import express from 'express'
    import { memoryInbox } from '@hookproof/receiver'
    import { webhookHandler } from '@hookproof/receiver/express'
    import { conformance } from '${entry}'
    const app = express()
    app.post('/webhooks', webhookHandler({ secrets: 'whsec_x', inbox: memoryInbox() }))
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
    cpSync(join(installed.folder, 'node_modules', RECEIVER), join(modules, RECEIVER), { recursive: true })
    symlinkSync(join(REPOSITORY, 'node_modules/vitest'), join(modules, 'vitest'), 'junction')
    writeFileSync(join(project, 'grade.test.mjs'), grade('hookproof/vitest'))
    const main = join(modules, 'vitest/vitest.mjs')
    const { code, stdout, stderr } = await run(project, process.execPath, main, 'run', '--root', project)
    expect(code, stdout + stderr).toBe(0)
    expect(stdout).toMatch(/Tests {2}[1-9]\d\d passed/)
  })
})

const CONSUMER = `
  import { check, type ConformanceReport } from 'hookproof'
  import { createVerifier, type Handle, memoryInbox, type VerifiedDelivery } from '@hookproof/receiver'
  import { webhookHandler } from '@hookproof/receiver/express'
  import { sqliteInbox } from '@hookproof/receiver/sqlite'
  import { sign } from 'hookproof/fixtures'
  import { conformance } from 'hookproof/node-test'
  import { createSandbox } from 'hookproof/sandbox'
  import { conformance as withVitest, type ConformanceOptions } from 'hookproof/vitest'
  import { createServer } from 'node:http'

  const options: ConformanceOptions = { target: createServer(), secret: process.env['SECRET'], observe: '/observe' }
  conformance(options)
  withVitest({ ...options, target: async () => createServer((request, response) => response.end()) })
  withVitest({ ...options, target: new URL('http://localhost:3000'), observe: async () => [] })

  const inbox = sqliteInbox({ path: 'inbox.sqlite' })
  const verify = createVerifier({ secrets: ['whsec_new', 'whsec_old'], toleranceSeconds: 300 })
  const handler = webhookHandler({ verify, inbox: memoryInbox() })
  export const signedAt: number = verify(Buffer.from('{}'), sign({ secret: 's', t: 1, body: Buffer.from('{}') }).header)
  export const store = async (delivery: VerifiedDelivery) => (await inbox).accept(delivery)
  export const handle: Handle = (event) => {
    if (event.event === 'payment.completed') console.log(event.amount.length, event.amount_requested?.length)
  }
  const report: Promise<ConformanceReport> = check({ url: 'http://localhost:3000', secret: 'whsec_new' })
  export const conclusion: Promise<'conformant' | 'not-conformant' | 'incomplete'> = report.then((it) => it.conclusion)

  // A type that cannot be resolved would be \`any\`, and compile everywhere.
  type Known<T> = 0 extends 1 & T ? never : true
  export const known: [Known<typeof handler>, Known<typeof inbox>, Known<typeof createSandbox>] = [true, true, true]
`

const WITH_EXPRESS = `
  import express from 'express'
  import { memoryInbox } from '@hookproof/receiver'
  import { webhookHandler } from '@hookproof/receiver/express'
  import { conformance } from 'hookproof/node-test'
  const app = express()
  app.post('/webhooks', webhookHandler({ secrets: 'whsec_x', inbox: memoryInbox() }))
  conformance({ target: app, secret: 'whsec_x' })
`

/** Five mistakes, in lines 5 to 9. */
const WRONG = `
  import { check } from 'hookproof'
  import { createReceiver, type Handle } from '@hookproof/receiver'
  import { conformance } from 'hookproof/vitest'
  await check({ url: 'http://localhost:3000' })
  createReceiver({ secrets: 'whsec_x' })
  conformance({ target: 3000, secret: 'whsec_new' })
  conformance({ target: 'http://localhost:3000', secret: 'whsec_new', tolerance: 60 })
  export const handle: Handle = (event) => console.log(event.event === 'payment.complete')
`

describe('the types', () => {
  test.each<Compiler>(['5.9', '7'])(
    'compile in a strict project with the types of Node.js, and reject mistakes, in TypeScript %s',
    async (compiler) => {
      addPackages(installed.folder, '@types/node')
      const all = [...MODULES, ...RUNNERS].map((path, index) => `export * as n${index} from '${path}'`)
      const files = {
        'all.mts': all.join('\n'),
        'consumer.mts': CONSUMER,
        'consumer.cts': CONSUMER,
        'wrong.mts': WRONG,
      }
      const { stdout } = await compile(installed.folder, files, { compiler })
      const places = [...stdout.matchAll(/^(\S.*?),\d+\): error/gm)].map(([, place]) => place)
      expect(places, stdout).toEqual([5, 6, 7, 8, 9].map((line) => `wrong.mts(${line}`))
    },
  )

  test('a CommonJS project with moduleResolution node10 resolves every export to its declarations', async () => {
    const types = ['@types/node', '@types/express']
    addPackages(installed.folder, ...types)
    // TypeScript 5.9 is the last version for which it is the default of `module: commonjs`.
    const node10 = ['--module', 'commonjs', '--moduleResolution', 'node10', '--target', 'es2022']
    const options = [...node10, '--esModuleInterop', '--resolveJsonModule', '--listFiles']
    const json = `import vectors = require('hookproof/fixtures/vectors.json')\nexport const known = vectors`
    const files = { 'commonjs.ts': CONSUMER, 'express.ts': WITH_EXPRESS, 'json.ts': json }
    const { code, stdout } = await compile(installed.folder, files, { compiler: '5.9', options })
    const [errors, listed] = [/error TS/, /^\//].map((form) =>
      stdout.split('\n').filter((line) => form.test(line)),
    )
    expect({ code, errors }).toEqual({ code: 0, errors: [] })
    const own = listed?.filter((file) => file.startsWith(`${installed.root.replaceAll('\\', '/')}/`)) ?? []
    expect(own.length).toBeGreaterThan(MODULES.length)
    expect(own.filter((file) => !/\.(d\.ts|json)$/.test(file))).toEqual([])
  })
})

describe('the contents', () => {
  test('publint finds no problem', async () => {
    const bytes = readFileSync(installed.tarball)
    const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
    const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([])
  })

  test('attw finds no problem in any module resolution; require() needs a Node.js that requires ES modules', async () => {
    // The one rule that is ignored: `engines` allows only versions in which require() loads ES modules.
    const rules = ['--profile', 'strict', '--ignore-rules', 'cjs-resolves-to-esm']
    const { code, stdout } = await attw(installed.tarball, ...rules)
    for (const path of [...MODULES, ...RUNNERS]) expect(stdout).toContain(`"${path}"`)
    expect(code, stdout).toBe(0)
  })

  test('are documents, schemas and the build, without TypeScript sources', () => {
    // Documents that README.md links to, and the schemas.
    const expected =
      /^([A-Z]+(\.md)?|package\.json|action\.yml|docs\/.+|schemas\/.+\.(json|yaml)|fixtures\/vectors\.json)$/
    const outside = files().filter((file) => !file.startsWith('dist/'))
    expect(outside.filter((file) => !expected.test(file))).toEqual([])
    expect(outside).toEqual(
      expect.arrayContaining(['LICENSE', 'README.md', 'SPEC.md', 'schemas/config.json']),
    )
    expect(files().filter((file) => /(?<!\.d)\.[cm]?tsx?$/.test(file))).toEqual([])
    const others = files().filter(
      (file) =>
        file.startsWith('dist/') &&
        !/(\.js|\.d\.ts|\.json|\.yaml|\.sql|\.eta|\.css|\.svg|\/README\.md|\/snippets\/[a-z-]+\.md|\.LICENSE\.md)$/.test(
          file,
        ),
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
        // A part of the bundled command.
        !/^dist\/cli\/part-\w+\.js$/.test(file) &&
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
